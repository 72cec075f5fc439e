import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasskeyTable } from '../account/passkey-table.tsx'
import type { Passkey } from '../account/proofs.ts'
import { useAllowed } from '../api/access.ts'
import { type Account, accountsKey } from '../api/records.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { StateBadge } from '../components/state-badge.tsx'
import { accountCallPath, listPasskeys, removePasskey, removeSecondFactor } from './account-calls.ts'

/** How the owner of an account proves who it is besides the password; what is lost can be removed. */
export function AccountProofs({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts')
  const path = accountCallPath(account.username)
  const [mayRemoveFactor = false, mayList = false, mayRemovePasskey = false] =
    useAllowed([
      { method: 'DELETE', path: `${path}/second-factor` },
      { method: 'GET', path: `${path}/passkeys` },
      { method: 'DELETE', path: `${path}/passkeys/any` },
    ]) ?? []
  return (
    <Section title={t('proofs.title')} description={t('proofs.description')}>
      <SecondFactor account={account} mayRemove={mayRemoveFactor} />
      {mayList ? (
        <AccountPasskeys username={account.username} mayRemove={mayRemovePasskey} />
      ) : (
        <Text size="sm">{t('proofs.passkeys', { count: account.passkeys ?? 0 })}</Text>
      )}
    </Section>
  )
}

interface SecondFactorProps {
  readonly account: Account
  readonly mayRemove: boolean
}

function SecondFactor({ account: { username, second_factor: isOn }, mayRemove }: SecondFactorProps) {
  const { t } = useTranslation('accounts')
  const client = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  return (
    <Group justify="space-between">
      <Group gap="sm">
        <Text size="sm" fw={600}>
          {t('factor.title')}
        </Text>
        <StateBadge state={isOn ? 'good' : 'unknown'}>{t(isOn ? 'factor.on' : 'factor.off')}</StateBadge>
      </Group>
      {isOn && mayRemove ? (
        <Button
          size="xs"
          variant="default"
          aria-label={t('factor.removeTitle', { username })}
          onClick={() => setIsAsked(true)}
        >
          {t('factor.remove')}
        </Button>
      ) : null}
      {isAsked ? (
        <ConfirmDialog
          title={t('factor.removeTitle', { username })}
          action={t('factor.remove')}
          onConfirm={async () => {
            await removeSecondFactor(username)
            notifyDone(t('factor.done', { username }))
            await client.invalidateQueries({ queryKey: accountsKey })
          }}
          onClose={() => setIsAsked(false)}
        >
          <Text>{t('factor.removeText')}</Text>
          <ShowAsButton
            call={{ method: 'DELETE', path: `${accountCallPath(username)}/second-factor` }}
            command={`gatehouse account remove-second-factor ${quoted(username)}`}
          />
        </ConfirmDialog>
      ) : null}
    </Group>
  )
}

interface AccountPasskeysProps {
  readonly username: string
  readonly mayRemove: boolean
}

function AccountPasskeys({ username, mayRemove }: AccountPasskeysProps) {
  const { t } = useTranslation('accounts')
  const client = useQueryClient()
  const queryKey = [...accountsKey, 'passkeys', username]
  const query = useQuery({ queryKey, queryFn: () => listPasskeys(username) })
  const [removed, setRemoved] = useState<Passkey>()
  return (
    <Stack gap="xs">
      <QueryContent query={query}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <Text size="sm">{t('proofs.passkeys', { count: 0 })}</Text>
          ) : (
            <PasskeyTable
              passkeys={passkeys}
              {...(mayRemove
                ? { actions: (passkey) => <RemoveButton passkey={passkey} onRemove={setRemoved} /> }
                : {})}
            />
          )
        }
      </QueryContent>
      {removed === undefined ? null : (
        <ConfirmDialog
          title={t('passkey.removeTitle', { name: removed.name })}
          action={t('passkey.remove')}
          onConfirm={async () => {
            await removePasskey(username, removed.id)
            await client.invalidateQueries({ queryKey: accountsKey })
          }}
          onClose={() => setRemoved(undefined)}
        >
          <Text>{t('passkey.removeText')}</Text>
          <ShowAsButton
            call={{ method: 'DELETE', path: `${accountCallPath(username)}/passkeys/${removed.id}` }}
          />
        </ConfirmDialog>
      )}
    </Stack>
  )
}

interface RemoveButtonProps {
  readonly passkey: Passkey
  readonly onRemove: (passkey: Passkey) => void
}

function RemoveButton({ passkey, onRemove }: RemoveButtonProps) {
  const { t } = useTranslation('accounts')
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t('passkey.removeTitle', { name: passkey.name })}
      onClick={() => onRemove(passkey)}
    >
      {t('passkey.remove')}
    </Button>
  )
}
