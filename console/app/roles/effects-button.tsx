import { Alert, Badge, Button, Code, List, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callWithJson } from '../api/gateway.ts'
import type { components } from '../api/gateway-api.d.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Loading } from '../components/loading.tsx'
import type { RoleContent } from './role-draft.ts'

type RoleEffects = components['schemas']['RoleEffects']

interface EffectsButtonProps {
  /** Where the role would be written; it is not. */
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly content: RoleContent
}

/** Shows which calls a role would open and close if it were saved, and for how many accounts. */
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
      <Modal
        opened={!ask.isIdle}
        onClose={ask.reset}
        title={t('effects.title')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('effects.close') }}
      >
        {ask.isPending ? <Loading /> : null}
        {ask.error === null ? null : <FailureAlert error={ask.error} />}
        {ask.data === undefined ? null : <Effects effects={ask.data} />}
      </Modal>
    </>
  )
}

function Effects({ effects: { accounts, opens, closes, truncated } }: { readonly effects: RoleEffects }) {
  const { t } = useTranslation('roles')
  return (
    <Stack>
      <Text size="sm">{t('effects.accounts', { accounts })}</Text>
      {opens.length + closes.length === 0 ? <Text size="sm">{t('effects.nothing')}</Text> : null}
      <Calls title={t('effects.opens')} color="teal.9" calls={opens} />
      <Calls title={t('effects.closes')} color="red.9" calls={closes} />
      {truncated ? (
        <Alert color="yellow" variant="outline">
          {t('effects.truncated')}
        </Alert>
      ) : null}
    </Stack>
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
