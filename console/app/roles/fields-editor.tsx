import { Stack, Switch, TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DraftAuthority } from './role-draft.ts'

interface FieldsEditorProps {
  readonly authority: DraftAuthority
  readonly number: number
  /** Names that are offered. */
  readonly names: readonly string[]
  readonly onChange: (authority: DraftAuthority) => void
}

/** Which fields an authority gives, to read and to write. */
export function FieldsEditor({ authority, number, names, onChange }: FieldsEditorProps) {
  const { t } = useTranslation('roles')
  const { fields, ...rest } = authority
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
              label={t(`conditions.${kind}`)}
              {...(kind === 'write' ? { description: t('conditions.writeHint') } : {})}
              checked={chosen !== undefined}
              onChange={(event) => change(kind, event.currentTarget.checked ? [] : undefined)}
            />
            {chosen === undefined ? null : (
              <TagsInput
                aria-label={t(`conditions.${kind}Names`, { number })}
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
