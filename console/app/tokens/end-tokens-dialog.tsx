import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { quoted } from '../components/show-as.ts'
import { ShowAsButton } from '../components/show-as-button.tsx'
import { endTokens, tokensKey } from './token-calls.ts'

interface EndTokensDialogProps {
  /** Whose tokens; those of everyone without. */
  readonly account?: string | undefined
  readonly onClose: () => void
}

/** Asks before all tokens of an account end, or those of everyone. */
export function EndTokensDialog({ account, onClose }: EndTokensDialogProps) {
  const { t } = useTranslation('tokens')
  const client = useQueryClient()
  const query = account === undefined ? '' : `?${new URLSearchParams({ account })}`
  const of = account === undefined ? '--all' : `--account ${quoted(account)}`
  return (
    <ConfirmDialog
      title={account === undefined ? t('endAll') : t('endOf', { account })}
      action={t('end')}
      {...(account === undefined ? { mustType: t('endWord') } : {})}
      onConfirm={async () => {
        const ended = await endTokens(account)
        notifyDone(t('ended', { ended }))
        await client.invalidateQueries({ queryKey: tokensKey })
      }}
      onClose={onClose}
    >
      <Text>{account === undefined ? t('endAllText') : t('endText')}</Text>
      <ShowAsButton
        call={{ method: 'DELETE', path: `/manage/tokens${query}` }}
        command={`gatehouse token delete ${of}`}
      />
    </ConfirmDialog>
  )
}
