import { Stack, Switch, TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EditedConditions } from './edited-conditions.ts'

interface FieldsEditorProps {
  readonly conditions: EditedConditions
  /** Whose they are, inside of labels. */
  readonly owner: string
  /** Names that are offered. */
  readonly names: readonly string[]
  readonly onChange: (conditions: EditedConditions) => void
}

/** Which fields are given, to read and to write. */
export function FieldsEditor({ conditions, owner, names, onChange }: FieldsEditorProps) {
  const { t } = useTranslation('conditions')
  const { fields, ...rest } = conditions
  const change = (kind: 'read' | 'write', chosen: readonly string[] | undefined) => {
    const { [kind]: _, ...others } = fields ?? {}
    const changed = chosen === undefined ? others : { ...others, [kind]: chosen }
    onChange(Object.keys(changed).length === 0 ? rest : { ...rest, fields: changed })
  }
  return (
    <>
      {(['read', 'write'] as const).map((kind) => {
        const chosen = fields?.[kind]
        return (
          <Stack key={kind} gap="xs">
            <Switch
              label={t(`${kind}`)}
              {...(kind === 'write' ? { description: t('writeHint') } : {})}
              checked={chosen !== undefined}
              onChange={(event) => change(kind, event.currentTarget.checked ? [] : undefined)}
            />
            {chosen === undefined ? null : (
              <TagsInput
                aria-label={t(`${kind}Names`, { owner })}
                value={[...chosen]}
                data={[...names]}
                maxDropdownHeight={240}
                onChange={(next) => change(kind, next)}
              />
            )}
          </Stack>
        )
      })}
    </>
  )
}
