import { Button, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useConditionsText } from '../components/conditions-text.ts'
import { FieldsEditor } from './fields-editor.tsx'
import { useNamedFields } from './named-tables.ts'
import type { DraftAuthority } from './role-draft.ts'
import { RowsEditor } from './rows-editor.tsx'
import { SetEditor } from './set-editor.tsx'

interface AuthorityConditionsProps {
  readonly authority: DraftAuthority
  readonly number: number
  readonly onChange: (authority: DraftAuthority) => void
}

/** The conditions of an authority on records: told in one line, and to edit when they are unfolded. */
export function AuthorityConditions({ authority, number, onChange }: AuthorityConditionsProps) {
  const { t } = useTranslation('roles')
  const [isOpen, { toggle }] = useDisclosure()
  const text = useConditionsText()(authority)
  const fields = useNamedFields(authority.regex, isOpen)
  const isShown = isOpen || authority.unread !== undefined
  const Chevron = isShown ? IconChevronDown : IconChevronRight
  return (
    <Stack gap={4} align="stretch">
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        w="fit-content"
        leftSection={<Chevron size={14} />}
        aria-expanded={isShown}
        aria-label={t('conditions.named', { number })}
        onClick={toggle}
      >
        {t('conditions.title')}
      </Button>
      {text === undefined || isShown ? null : (
        <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
      {isShown ? (
        <Paper withBorder p="sm">
          <Stack>
            <Text size="xs" c="dimmed">
              {t('conditions.description')}
            </Text>
            <RowsEditor authority={authority} number={number} fields={fields} onChange={onChange} />
            <FieldsEditor
              authority={authority}
              number={number}
              names={fields.map(({ column }) => column)}
              onChange={onChange}
            />
            <SetEditor authority={authority} number={number} fields={fields} onChange={onChange} />
          </Stack>
        </Paper>
      ) : null}
    </Stack>
  )
}
