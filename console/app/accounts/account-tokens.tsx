import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { Section } from '../components/section.tsx'
import { EndTokensDialog } from '../tokens/end-tokens-dialog.tsx'
import type { EndedTokens } from '../tokens/token-calls.ts'
import { TokenTable } from '../tokens/token-table.tsx'

/** The tokens of an account. */
export function AccountTokens({ username }: { readonly username: string }) {
  const { t } = useTranslation('accounts')
  const mayEnd = useIsAllowed('DELETE', '/manage/tokens')
  const [ending, setEnding] = useState<EndedTokens>()
  return (
    <Section
      title={t('tokens.title')}
      description={t('tokens.description')}
      actions={
        mayEnd ? (
          <Button variant="default" onClick={() => setEnding({ account: username })}>
            {t('tokens.end')}
          </Button>
        ) : null
      }
    >
      <TokenTable
        account={username}
        {...(mayEnd ? { onEnd: ({ hash }) => setEnding({ account: username, hash }) } : {})}
      />
      {ending === undefined ? null : <EndTokensDialog {...ending} onClose={() => setEnding(undefined)} />}
    </Section>
  )
}
