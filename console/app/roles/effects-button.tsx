import { Alert, Badge, Button, Code, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callWithJson } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'
import { Dialog } from '../components/dialog.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Loading } from '../components/loading.tsx'
import { RecordEffects } from './record-effects.tsx'
import type { RoleContent } from './role-draft.ts'

type RoleEffects = components['schemas']['RoleEffects']

interface EffectsButtonProps {
  /** Where the role would be written; it is not. */
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly content: RoleContent
}

/** Shows which calls and records a role would open and close if it were saved, and for whom. */
export function EffectsButton({ method, path, content }: EffectsButtonProps) {
  const { t } = useTranslation('roles')
  const ask = useMutation({
    mutationFn: async () => (await callWithJson(method, `${path}?dry_run=true`, content)) as RoleEffects,
  })
  return (
    <>
      <Button variant="default" onClick={() => ask.mutate()}>
        {t('effects.button')}
      </Button>
      <Dialog
        opened={!ask.isIdle}
        onClose={ask.reset}
        title={t('effects.title')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('effects.close') }}
      >
        {ask.isPending ? <Loading /> : null}
        {ask.error === null ? null : <FailureAlert error={ask.error} />}
        {ask.data === undefined ? null : <Effects effects={ask.data} />}
      </Dialog>
    </>
  )
}

function Effects({ effects }: { readonly effects: RoleEffects }) {
  const { t } = useTranslation('roles')
  const {
    accounts,
    opens,
    closes,
    truncated,
    records,
    records_truncated: isTruncated,
    warnings = [],
  } = effects
  const isNothing = opens.length + closes.length + records.length === 0
  return (
    <Stack>
      <Text size="sm">{t('effects.accounts', { accounts })}</Text>
      <Warnings warnings={warnings} />
      {isNothing ? <Text size="sm">{t('effects.nothing')}</Text> : null}
      <Calls title={t('effects.opens')} color="teal.9" calls={opens} />
      <Calls title={t('effects.closes')} color="red.9" calls={closes} />
      {truncated ? (
        <Alert color="yellow" variant="outline">
          {t('effects.truncated')}
        </Alert>
      ) : null}
      {records.length === 0 && !isTruncated ? null : (
        <RecordEffects records={records} isTruncated={isTruncated} />
      )}
    </Stack>
  )
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const { t } = useTranslation('roles')
  if (warnings.length === 0) return null
  return (
    <Alert color="yellow" variant="outline" title={t('effects.warnings')}>
      {warnings.map((text) => (
        <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      ))}
    </Alert>
  )
}

interface CallsProps {
  readonly title: string
  readonly color: string
  readonly calls: RoleEffects['opens']
}

function Calls({ title, color, calls }: CallsProps) {
  const { t } = useTranslation('roles')
  if (calls.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" listStyleType="none" spacing={2}>
        {calls.map(({ method, path, accounts }) => (
          <List.Item key={`${method} ${path}`}>
            <Badge color={color} radius="sm" component="span">
              {method}
            </Badge>{' '}
            <Code style={{ overflowWrap: 'anywhere' }}>{path}</Code> {t('effects.forAccounts', { accounts })}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
