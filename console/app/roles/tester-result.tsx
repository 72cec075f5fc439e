import { Alert, Anchor, Button, Code, List, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ConditionsLine } from '../components/conditions-line.tsx'
import { type Authority, regexOfPath } from './role-draft.ts'
import { rolePath } from './role-path.ts'
import type { AccessExplanation, TestedCall } from './tester-query.ts'

interface TesterResultProps {
  readonly call: TestedCall
  readonly explanation: AccessExplanation
  /** The role that is edited beside it. */
  readonly role?: string
  readonly onAdd?: (authority: Authority) => void
}

/** Whether a call is allowed, by which authority of which role, and what is missing if it is not. */
export function TesterResult({ call, explanation, role, onAdd }: TesterResultProps) {
  const { t } = useTranslation('roles')
  const { allowed, reason, path, roles = [], only } = explanation
  const isOwnRole = role === undefined || roles.some(({ name }) => name === role)
  return (
    <Stack gap="sm" aria-live="polite">
      <Alert
        color={allowed ? 'teal' : 'red'}
        variant="outline"
        icon={allowed ? <IconCheck size={20} /> : <IconX size={20} />}
        title={allowed ? t('tester.allowed') : t('tester.refused')}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
        {only === undefined ? null : <Text size="sm">{t('tester.only', { names: only.join(', ') })}</Text>}
      </Alert>
      {roles.map(({ name, authorities }) => (
        <RoleResult key={name} name={name} authorities={authorities} />
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

type ExplainedAuthority = NonNullable<AccessExplanation['roles']>[number]['authorities'][number]

interface RoleResultProps {
  readonly name: string
  readonly authorities: readonly ExplainedAuthority[]
}

/** Authorities that have nothing to do with the path are counted only. */
const mostShown = 10

function RoleResult({ name, authorities }: RoleResultProps) {
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
          <List.Item key={index} icon={<Mark isGood={authority.path_matches && authority.method_matches} />}>
            <Code style={{ overflowWrap: 'anywhere' }}>{authority.regex}</Code> {authority.methods.join(', ')}
            <ConditionsLine conditions={authority} />
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

function verdictOf({ path_matches, method_matches }: ExplainedAuthority) {
  if (!path_matches) return 'tester.otherPath'
  return method_matches ? 'tester.matches' : 'tester.otherMethod'
}

function Mark({ isGood }: { readonly isGood: boolean }) {
  return (
    <ThemeIcon size={18} radius="xl" color={isGood ? 'teal.9' : 'gray.7'} aria-hidden>
      {isGood ? <IconCheck size={12} /> : <IconX size={12} />}
    </ThemeIcon>
  )
}
