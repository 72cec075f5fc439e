import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { type EndedTokens, endTokens, tokensKey } from './token-calls.ts'
import { shortHash } from './token-hash.tsx'

interface EndTokensDialogProps extends EndedTokens {
  readonly onClose: () => void
}

/** Asks before a token ends, all of an account, or those of everyone. */
export function EndTokensDialog({ onClose, ...ended }: EndTokensDialogProps) {
  const { account, hash } = ended
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const query = account === undefined ? '' : `?${new URLSearchParams({ ...ended })}`
  const of = account === undefined ? '--all' : `--account ${quoted(account)}`
  return (
    <ConfirmDialog
      title={titleOf(ended, t)}
      action={t('end')}
      {...(account === undefined ? { mustType: t('endWord') } : {})}
      onConfirm={async () => {
        notifyDone(t('ended', { ended: await endTokens(ended) }))
        await client.invalidateQueries({ queryKey: tokensKey })
      }}
      onClose={onClose}
    >
      <Text>{t(account === undefined ? 'endAllText' : hash === undefined ? 'endText' : 'endOneText')}</Text>
      <ShowAsButton
        call={{ method: 'DELETE', path: `/manage/tokens${query}` }}
        {...(hash === undefined ? { command: `gatehouse token delete ${of}` } : {})}
      />
    </ConfirmDialog>
  )
}

function titleOf({ account, hash }: EndedTokens, t: TFunction<'tokens'>): string {
  if (account === undefined) return t('endAll')
  return hash === undefined ? t('endOf', { account }) : t('endOne', { account, token: shortHash(hash) })
}
