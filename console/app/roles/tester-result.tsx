import { Alert, Anchor, Button, Code, List, Stack, Text } from '@mantine/core'
import { IconCheck, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ConditionsLine } from '../components/conditions-line.tsx'
import { gatewayLanguage } from '../language/languages.ts'
import { type Authority, regexOfPath } from './role-draft.ts'
import { rolePath } from './role-path.ts'
import {
  type AccessExplanation,
  type ExplainedAuthority,
  queryOfCall,
  type TestedCall,
} from './tester-query.ts'
import { AuthorityOnRecord, RecordResult } from './tester-record.tsx'
import { Verdict } from './verdict.tsx'

interface TesterResultProps {
  readonly call: TestedCall
  readonly explanation: AccessExplanation
  /** The role that is edited beside it. */
  readonly role?: string
  readonly onAdd?: (authority: Authority) => void
}

/** Whether a call is allowed, by which authority of which role, and what is missing if it is not. */
export function TesterResult({ call, explanation, role, onAdd }: TesterResultProps) {
  const { t, i18n } = useTranslation('roles')
  const { allowed, because, reason, path, roles = [], only } = explanation
  const { row } = queryOfCall(call)
  const isOwnRole = role === undefined || roles.some(({ name }) => name === role)
  return (
    <Stack gap="sm" aria-live="polite">
      <Alert
        color={allowed ? 'teal' : 'red'}
        variant="outline"
        icon={allowed ? <IconCheck size={20} /> : <IconX size={20} />}
        title={allowed ? t('tester.allowed') : t('tester.refused')}
      >
        {i18n.language === gatewayLanguage ? null : <Text size="sm">{t(`tester.because.${because}`)}</Text>}
        <Text size="sm" lang={gatewayLanguage} style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
        {only === undefined ? null : <Text size="sm">{t('tester.only', { names: only.join(', ') })}</Text>}
      </Alert>
      {row === undefined ? null : <RecordResult row={row} explanation={explanation} />}
      {roles.map(({ name, authorities }) => (
        <RoleResult key={name} name={name} authorities={authorities} method={call.method} row={row} />
      ))}
      {allowed || path === undefined || onAdd === undefined ? null : (
        <Stack gap={4} align="flex-start">
          <Button
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => onAdd({ regex: regexOfPath(path), methods: [call.method] })}
          >
            {t('tester.add')}
          </Button>
          <Text size="sm" c="dimmed">
            {isOwnRole ? t('tester.addHint') : t('tester.otherRole', { account: call.account, role })}
          </Text>
        </Stack>
      )}
    </Stack>
  )
}

interface RoleResultProps {
  readonly name: string
  readonly authorities: readonly ExplainedAuthority[]
  readonly method: string
  /** The record that was asked about. */
  readonly row: string | undefined
}

/** Authorities that have nothing to do with the path are counted only. */
const mostShown = 10

function RoleResult({ name, authorities, method, row }: RoleResultProps) {
  const { t } = useTranslation('roles')
  const near = authorities.filter(({ path_matches, advice }) => path_matches || advice !== undefined)
  const shown = near.slice(0, mostShown)
  const others = authorities.length - shown.length
  return (
    <div>
      <Text size="sm">
        {t('tester.role')}{' '}
        <Anchor component={Link} to={rolePath(name)} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Anchor>
      </Text>
      <List size="sm" spacing={4} listStyleType="none">
        {shown.map((authority, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a role may have the same authority twice.
          <List.Item key={index} icon={<Verdict isGood={grants(authority)} />}>
            <Code style={{ overflowWrap: 'anywhere' }}>{authority.regex}</Code> {authority.methods.join(', ')}
            {row !== undefined && isMatch(authority) && authority.advice === undefined ? (
              <AuthorityOnRecord authority={authority} method={method} />
            ) : (
              <ConditionsLine conditions={authority} />
            )}
            <Text size="xs" c="dimmed">
              {authority.advice ?? t(verdictOf(authority))}
            </Text>
          </List.Item>
        ))}
        {others > 0 ? <List.Item>{t('tester.others', { count: others })}</List.Item> : null}
      </List>
    </div>
  )
}

function isMatch({ path_matches, method_matches }: ExplainedAuthority): boolean {
  return path_matches && method_matches
}

function grants(authority: ExplainedAuthority): boolean {
  return isMatch(authority) && authority.row?.admitted !== false
}

function verdictOf(authority: ExplainedAuthority) {
  if (!authority.path_matches) return 'tester.otherPath'
  return isMatch(authority) ? 'tester.matches' : 'tester.otherMethod'
}
