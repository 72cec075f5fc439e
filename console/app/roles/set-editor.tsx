import { ActionIcon, Autocomplete, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Field } from '../data/tables.ts'
import type { DraftAuthority } from './role-draft.ts'
import { writtenField } from './rule-value.ts'
import { SetValue } from './rule-value-input.tsx'

interface SetEditorProps {
  readonly authority: DraftAuthority
  readonly number: number
  readonly fields: readonly Field[]
  readonly onChange: (authority: DraftAuthority) => void
}

/** The values that records get when they are written because of an authority. */
export function SetEditor({ authority, number, fields, onChange }: SetEditorProps) {
  const { t } = useTranslation('roles')
  const { set = {}, ...rest } = authority
  const [name, setName] = useState('')
  const add = (typed: string) => {
    if (typed !== '' && !Object.hasOwn(set, typed)) onChange({ ...rest, set: { ...set, [typed]: '' } })
    setName('')
  }
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={600}>
          {t('conditions.set')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('conditions.setHint')}
        </Text>
      </div>
      {Object.entries(set).map(([key, val]) => (
        <Group key={key} gap="xs">
          <Code style={{ overflowWrap: 'anywhere' }}>{key}</Code>
          <SetValue
            condition={{ key, op: Array.isArray(val) ? 'in' : '==', val }}
            field={writtenField(fields.find(({ column }) => column === key))}
            onChange={(value) => onChange({ ...rest, set: { ...set, [key]: value } })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('conditions.setRemove', { field: key })}
            onClick={() => {
              const { [key]: _, ...others } = set
              onChange(Object.keys(others).length === 0 ? rest : { ...rest, set: others })
            }}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group gap="xs">
        <Autocomplete
          size="xs"
          aria-label={t('conditions.setName', { number })}
          data={fields.flatMap(({ column }) => (Object.hasOwn(set, column) ? [] : [column]))}
          value={name}
          maxDropdownHeight={240}
          onChange={setName}
        />
        <Button size="xs" variant="default" onClick={() => add(name.trim())}>
          {t('conditions.setAdd')}
        </Button>
      </Group>
    </Stack>
  )
}
