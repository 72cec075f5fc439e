import { ActionIcon, Alert, Chip, Group, Input, Paper, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ConditionsEditor } from '../conditions/conditions-editor.tsx'
import { editedOf } from '../conditions/edited-conditions.ts'
import { type DraftAuthority, methods } from './role-draft.ts'

interface AuthorityCardProps {
  readonly authority: DraftAuthority
  /** Its number in the role, from 1. */
  readonly number: number
  readonly mistakes: readonly string[]
  readonly warnings: readonly string[]
  readonly onChange: (authority: DraftAuthority) => void
  readonly onRemove: () => void
  /** Move it; undefined at the ends. */
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
}

/** An authority to edit: its expression, its methods, and its conditions on records. */
export function AuthorityCard({ authority, number, mistakes, warnings, ...actions }: AuthorityCardProps) {
  const { t } = useTranslation('roles')
  const { onChange, onRemove, onUp, onDown } = actions
  const { id, regex, methods: chosen } = authority
  const label = t('authorities.numbered', { number })
  return (
    <Paper withBorder p="sm" component="li" aria-label={label}>
      <Stack gap="xs">
        <Group wrap="nowrap" align="flex-end" gap="xs">
          <TextInput
            flex={1}
            label={t('authorities.regexOf', { number })}
            value={regex}
            placeholder="/apis/ports(/.*)?"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            error={mistakes.length > 0}
            onChange={(event) => onChange({ ...authority, regex: event.currentTarget.value })}
          />
          <Group gap={2} wrap="nowrap" pb={4}>
            <IconButton label={t('authorities.up', { number })} icon={IconArrowUp} onClick={onUp} />
            <IconButton label={t('authorities.down', { number })} icon={IconArrowDown} onClick={onDown} />
            <IconButton label={t('authorities.remove', { number })} icon={IconTrash} onClick={onRemove} />
          </Group>
        </Group>
        <Group gap={6} role="group" aria-label={t('authorities.methodsOf', { number })}>
          <Chip.Group
            multiple
            value={[...chosen]}
            onChange={(next) => onChange({ ...authority, methods: next })}
          >
            {methods.map((method) => (
              <Chip key={method} value={method} size="xs" radius="sm">
                {method}
              </Chip>
            ))}
          </Chip.Group>
        </Group>
        <ConditionsEditor
          conditions={editedOf(authority)}
          owner={t('authorities.owner', { number })}
          paths={regex}
          onChange={(conditions) => onChange({ id, regex, methods: chosen, ...conditions })}
        />
        {mistakes.map((mistake) => (
          <Input.Error key={mistake} role="alert">
            {mistake}
          </Input.Error>
        ))}
        {warnings.map((warning) => (
          <Alert key={warning} color="yellow" variant="outline" p="xs" role="status">
            <Text size="sm">{warning}</Text>
          </Alert>
        ))}
      </Stack>
    </Paper>
  )
}

interface IconButtonProps {
  readonly label: string
  readonly icon: typeof IconTrash
  readonly onClick: (() => void) | undefined
}

function IconButton({ label, icon: ButtonIcon, onClick }: IconButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={onClick === undefined}
      onClick={onClick}
    >
      <ButtonIcon size={16} />
    </ActionIcon>
  )
}
