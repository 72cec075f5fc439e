import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyDone } from '../components/notify.ts'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { StateBadge } from '../components/state-badge.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import {
  readSecondFactor,
  renewRecoveryCodes,
  type SecondFactorState,
  secondFactorKey,
  turnOffSecondFactor,
} from './proofs.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpDialog } from './set-up-dialog.tsx'

type Asked = 'setUp' | 'renew' | 'turnOff'

/** The second factor of who is logged in: codes of an authenticator app. */
export function SecondFactor() {
  const { t } = useTranslation('account')
  const client = useQueryClient()
  const query = useQuery({ queryKey: secondFactorKey, queryFn: readSecondFactor })
  const [asked, setAsked] = useState<Asked>()
  const [codes, setCodes] = useState<readonly string[]>()
  const refresh = () => client.invalidateQueries({ queryKey: secondFactorKey })
  const close = () => setAsked(undefined)

  async function showCodes(made: readonly string[]): Promise<void> {
    setAsked(undefined)
    setCodes(made)
    await refresh()
  }

  return (
    <Section title={t('factor.title')} description={t('factor.description')}>
      <QueryContent query={query}>{(state) => <State state={state} onAsk={setAsked} />}</QueryContent>
      {asked === 'setUp' ? <SetUpDialog onClose={close} onDone={(made) => void showCodes(made)} /> : null}
      {asked === 'renew' ? (
        <ProofDialog
          title={t('factor.renew')}
          action={t('factor.renew')}
          asksCode
          onClose={close}
          onSubmit={async ({ password, code }) => showCodes(await renewRecoveryCodes({ password, code }))}
        >
          <Text>{t('factor.renewText')}</Text>
        </ProofDialog>
      ) : null}
      {asked === 'turnOff' ? (
        <ProofDialog
          title={t('factor.turnOff')}
          action={t('factor.turnOff')}
          isDangerous
          asksCode
          onClose={close}
          onSubmit={async ({ password, code }) => {
            await turnOffSecondFactor({ password, code })
            close()
            notifyDone(t('factor.turnedOff'))
            await refresh()
          }}
        >
          <Text>{t('factor.turnOffText')}</Text>
        </ProofDialog>
      ) : null}
      {codes === undefined ? null : <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  )
}

interface StateProps {
  readonly state: SecondFactorState
  readonly onAsk: (asked: Asked) => void
}

function State({ state: { active, created, recovery_codes: left }, onAsk }: StateProps) {
  const { t } = useTranslation('account')
  return (
    <>
      <Group gap="sm">
        <StateBadge state={active ? 'good' : 'unknown'}>{t(active ? 'factor.on' : 'factor.off')}</StateBadge>
        {active ? (
          <Text size="sm">
            {t('factor.since')} <Timestamp time={created} /> · {t('factor.left', { count: left })}
          </Text>
        ) : null}
      </Group>
      <Group gap="sm">
        {active ? (
          <>
            <Button variant="default" onClick={() => onAsk('renew')}>
              {t('factor.renew')}
            </Button>
            <Button variant="default" onClick={() => onAsk('turnOff')}>
              {t('factor.turnOff')}
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => onAsk('setUp')}>
            {t('factor.setUp')}
          </Button>
        )}
      </Group>
    </>
  )
}
