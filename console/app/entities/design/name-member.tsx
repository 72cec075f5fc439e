import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Path, textAt } from '../definition/definition.ts'
import { withName, withValue } from '../definition/edit-definition.ts'
import { useDesign, useMistake } from './design-context.ts'

interface NameMemberProps {
  /** The path of the field; empty for the entity. */
  readonly path: Path
  readonly label: string
  readonly isFocused?: boolean
}

/** The name of the entity or of a field. If it is stored under another one, it says so, and rows keep their values. */
export function NameMember({ path, label, isFocused = false }: NameMemberProps) {
  const { t } = useTranslation('entities')
  const { definition, storedName, storedFields, isReadOnly, change } = useDesign()
  const isEntity = path.length === 0
  const namePath = [...path, isEntity ? 'name' : 'field_name']
  const formerPath = [...path, 'renamed_from']
  const error = [useMistake(namePath), useMistake(formerPath)].filter(Boolean).join(' ') || undefined
  const former = textAt(definition, formerPath)
  const stored = isEntity ? new Set(storedName === undefined ? [] : [storedName]) : storedFields
  return (
    <Stack gap={4}>
      <TextInput
        label={label}
        required
        error={error}
        readOnly={isReadOnly}
        value={textAt(definition, namePath)}
        spellCheck={false}
        autoComplete="off"
        autoFocus={isFocused}
        onChange={({ currentTarget: { value } }) =>
          change(namePath, (old) => withName(old, path, value, stored))
        }
      />
      {former === '' ? null : (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('design.renamedFrom', { name: former })}
          </Text>
          {isReadOnly ? null : (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => change(formerPath, (old) => withValue(old, formerPath, undefined))}
            >
              {t('design.notRenamed')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}
