import { ActionIcon, Button, Group, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChosenOperator, operatorOf, operatorsFor, withField, withOperator } from './conditions.ts'
import type { FilterValueProps } from './filter-value.tsx'
import { type Condition, operators } from './filters.ts'
import type { Field } from './tables.ts'

interface ConditionRowProps {
  readonly fields: readonly Field[]
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
  /** Makes it a group of which any condition must hold; absent in one. */
  readonly onOr?: () => void
  /** Enters its value. */
  readonly Value: ComponentType<FilterValueProps>
}

/** A field, an operator and a value. */
export function ConditionRow({ fields, condition, onChange, onRemove, onOr, Value }: ConditionRowProps) {
  const { t } = useTranslation('data')
  const field = fields.find(({ name }) => name === condition.key)
  const names = fields.map(({ name }) => name)
  const operator = operatorOf(condition)
  const nameOf = (op: ChosenOperator) =>
    operators.some((known) => known === op) ? op : t(`filters.${op as 'isNull' | 'isNotNull'}`)
  return (
    <Group gap="xs" align="flex-end">
      <Select
        size="xs"
        aria-label={t('filters.field')}
        searchable
        limit={100}
        allowDeselect={false}
        data={names.includes(condition.key) ? names : [condition.key, ...names]}
        value={condition.key}
        onChange={(name) => {
          const next = fields.find((candidate) => candidate.name === name)
          if (next !== undefined) onChange(withField(condition, next))
        }}
      />
      <Select
        size="xs"
        w={130}
        aria-label={t('filters.operator')}
        allowDeselect={false}
        data={operatorsFor(field, operator).map((op) => ({ value: op, label: nameOf(op) }))}
        value={operator}
        onChange={(op) => {
          if (op !== null) onChange(withOperator(condition, op as ChosenOperator))
        }}
      />
      {operator === 'isNull' || operator === 'isNotNull' ? null : (
        <Value condition={condition} field={field} onChange={(val) => onChange({ ...condition, val })} />
      )}
      {onOr === undefined ? null : (
        <Button size="compact-sm" variant="default" onClick={onOr}>
          {t('filters.or')}
        </Button>
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={t('filters.remove')} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  )
}
