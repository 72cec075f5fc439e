import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { UsernameInput } from '../components/username-input.tsx'
import { type AuditFilters, actions, noFilters, records } from './audit-filters.ts'

interface FilterFormProps {
  readonly filters: AuditFilters
  readonly onChange: (filters: AuditFilters) => void
}

/** Selects entries by who, what, on what and when. */
export function FilterForm({ filters, onChange }: FilterFormProps) {
  const { t } = useTranslation('audit')
  const change = (part: Partial<AuditFilters>) => onChange({ ...filters, ...part })
  const any = { value: '', label: t('any') }
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return (
    <Group role="search" aria-label={t('filters')} align="flex-end" gap="sm">
      <UsernameInput
        label={t('account')}
        value={filters.account}
        onChange={(account) => change({ account })}
      />
      <NativeSelect
        label={t('action')}
        data={[any, ...actions.map((value) => ({ value, label: t(`actions.${value}`) }))]}
        value={filters.action}
        onChange={(event) => change({ action: event.currentTarget.value as AuditFilters['action'] })}
      />
      <NativeSelect
        label={t('record')}
        data={[any, ...records.map((value) => ({ value, label: t(`records.${value}`) }))]}
        value={filters.record}
        onChange={(event) => change({ record: event.currentTarget.value as AuditFilters['record'] })}
      />
      <TextInput
        label={t('name')}
        value={filters.name}
        maxLength={1000}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {(['from', 'to'] as const).map((key) => (
        <TextInput
          key={key}
          type="datetime-local"
          label={t(key)}
          description={timeZone}
          value={filters[key]}
          onChange={(event) => change({ [key]: event.currentTarget.value })}
        />
      ))}
      <Button variant="default" disabled={filters === noFilters} onClick={() => onChange(noFilters)}>
        {t('clear')}
      </Button>
    </Group>
  )
}
