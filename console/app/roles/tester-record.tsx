import { Alert, List, Stack, Text } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNamesText, useRowsText } from '../components/conditions-text.ts'
import { fieldsOnRecord, isAdmitted, marksOf } from './record-verdict.ts'
import type { AccessExplanation, ExplainedAuthority } from './tester-query.ts'
import { Verdict } from './verdict.tsx'

interface RecordResultProps {
  readonly row: string
  readonly explanation: AccessExplanation
}

/** Whether an account reaches a record by some authority; nothing where the authorities alone do not tell it. */
export function RecordResult({ row, explanation }: RecordResultProps) {
  const { t } = useTranslation('roles')
  const admitted = isAdmitted(explanation)
  if (admitted === undefined) return null
  return (
    <Alert
      color={admitted ? 'teal' : 'red'}
      variant="outline"
      icon={admitted ? <IconCheck size={20} /> : <IconX size={20} />}
      title={admitted ? t('tester.admitted', { row }) : t('tester.notAdmitted', { row })}
    >
      {admitted ? null : <Text size="sm">{t('tester.notAdmittedHint')}</Text>}
    </Alert>
  )
}

interface AuthorityOnRecordProps {
  readonly authority: ExplainedAuthority
  readonly method: string
}

/** Which conditions of an authority a record meets, and which of its fields the authority gives. */
export function AuthorityOnRecord({ authority, method }: AuthorityOnRecordProps) {
  const { t } = useTranslation('roles')
  const textOf = useRowsText()
  const namesText = useNamesText()
  const { row } = authority
  const fields = fieldsOnRecord(authority, method)
  const names = (some: readonly string[] | undefined) =>
    some === undefined ? t('tester.allFields') : namesText(some)
  const isGood = row?.admitted !== false
  return (
    <Stack gap={2} mt={4}>
      <Text size="sm" fw={600}>
        {isGood ? t('tester.admits') : t('tester.admitsNot')}
      </Text>
      <List size="sm" spacing={2} listStyleType="none">
        {marksOf(authority).map((mark) => (
          <List.Item key={mark.pointer} icon={<Verdict isGood={mark.isMet} />}>
            <Text size="sm" span style={{ overflowWrap: 'anywhere' }}>
              {mark.kind === 'row'
                ? t(mark.isMet ? 'tester.met' : 'tester.unmet', { condition: textOf([mark.condition]) })
                : t(mark.kind === 'field' ? 'tester.noField' : 'tester.noValue', { field: mark.name })}
            </Text>
          </List.Item>
        ))}
      </List>
      {isGood && fields.reads ? (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('tester.reads', { names: names(fields.read) })}
        </Text>
      ) : null}
      {isGood && fields.writes ? (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('tester.writes', { names: names(fields.write) })}
        </Text>
      ) : null}
    </Stack>
  )
}
