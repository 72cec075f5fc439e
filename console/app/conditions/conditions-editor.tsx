import { Button, Paper, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useConditionsText } from '../components/conditions-text.ts'
import type { EditedConditions } from './edited-conditions.ts'
import { FieldsEditor } from './fields-editor.tsx'
import { useNamedFields } from './named-tables.ts'
import { RowsEditor } from './rows-editor.tsx'
import { SetEditor } from './set-editor.tsx'

interface ConditionsEditorProps {
  readonly conditions: EditedConditions
  /** Whose they are, inside of labels. */
  readonly owner: string
  /** A path or an expression; the tables that it spells out are offered. */
  readonly paths: string
  readonly onChange: (conditions: EditedConditions) => void
}

/** Conditions on records: told in one line, and to edit when they are unfolded. */
export function ConditionsEditor({ conditions, owner, paths, onChange }: ConditionsEditorProps) {
  const { t } = useTranslation('conditions')
  const [isOpen, { toggle }] = useDisclosure()
  const text = useConditionsText()(conditions)
  const fields = useNamedFields(paths, isOpen)
  const isShown = isOpen || conditions.unread !== undefined
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
        aria-label={t('named', { owner })}
        onClick={toggle}
      >
        {t('title')}
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
              {t('description')}
            </Text>
            <RowsEditor conditions={conditions} owner={owner} fields={fields} onChange={onChange} />
            <FieldsEditor
              conditions={conditions}
              owner={owner}
              names={(fields ?? []).map(({ column }) => column)}
              onChange={onChange}
            />
            <SetEditor conditions={conditions} owner={owner} fields={fields} onChange={onChange} />
          </Stack>
        </Paper>
      ) : null}
    </Stack>
  )
}
