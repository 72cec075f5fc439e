import { ActionIcon, Autocomplete, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Field } from '../data/tables.ts'
import type { EditedConditions } from './edited-conditions.ts'
import { writtenField } from './rule-value.ts'
import { SetValue } from './rule-value-input.tsx'

interface SetEditorProps {
  readonly conditions: EditedConditions
  /** Whose they are, inside of labels. */
  readonly owner: string
  /** What can be set; undefined while that is being read: what a value is depends on its field. */
  readonly fields: readonly Field[] | undefined
  readonly onChange: (conditions: EditedConditions) => void
}

/** The values that records get when they are written because of the conditions. */
export function SetEditor({ conditions, owner, fields, onChange }: SetEditorProps) {
  const { t } = useTranslation('conditions')
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={600}>
          {t('set')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('setHint')}
        </Text>
      </div>
      {fields === undefined ? (
        <Skeleton height={30} />
      ) : (
        <SetFields conditions={conditions} owner={owner} fields={fields} onChange={onChange} />
      )}
    </Stack>
  )
}

interface SetFieldsProps extends SetEditorProps {
  readonly fields: readonly Field[]
}

function SetFields({ conditions, owner, fields, onChange }: SetFieldsProps) {
  const { t } = useTranslation('conditions')
  const { set = {}, ...rest } = conditions
  const [name, setName] = useState('')
  const add = (typed: string) => {
    if (typed !== '' && !Object.hasOwn(set, typed)) onChange({ ...rest, set: { ...set, [typed]: '' } })
    setName('')
  }
  return (
    <>
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
            aria-label={t('setRemove', { field: key })}
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
          aria-label={t('setName', { owner })}
          data={fields.flatMap(({ column }) => (Object.hasOwn(set, column) ? [] : [column]))}
          value={name}
          maxDropdownHeight={240}
          onChange={setName}
        />
        <Button size="xs" variant="default" onClick={() => add(name.trim())}>
          {t('setAdd')}
        </Button>
      </Group>
    </>
  )
}
