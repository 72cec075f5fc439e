import { Box, Button, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { PageHeader } from '../components/page-header.tsx'
import { UsernameInput } from '../components/username-input.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { EndTokensDialog } from './end-tokens-dialog.tsx'
import type { EndedTokens } from './token-calls.ts'
import { TokenTable } from './token-table.tsx'

/** The tokens with which accounts call the gateway. */
export function Tokens() {
  const { t } = useTranslation('tokens')
  const [typed, setTyped] = useState('')
  const [account] = useDebouncedValue(typed.trim(), 250)
  const mayCreate = useIsAllowed('POST', '/manage/tokens')
  const mayEnd = useIsAllowed('DELETE', '/manage/tokens')
  const [isCreating, setIsCreating] = useState(false)
  const [ending, setEnding] = useState<EndedTokens>()
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            {mayEnd ? (
              <Button variant="default" onClick={() => setEnding(account === '' ? {} : { account })}>
                {account === '' ? t('endAll') : t('endOf', { account })}
              </Button>
            ) : null}
            {mayCreate ? (
              <Button leftSection={<IconPlus size={16} />} onClick={() => setIsCreating(true)}>
                {t('create')}
              </Button>
            ) : null}
          </>
        }
      />
      <Stack>
        <Box maw="24rem">
          <UsernameInput label={t('filter')} value={typed} onChange={setTyped} />
        </Box>
        <TokenTable
          {...(account === '' ? {} : { account })}
          {...(mayEnd ? { onEnd: ({ username, hash }) => setEnding({ account: username, hash }) } : {})}
        />
      </Stack>
      {isCreating ? <CreateTokenDialog onClose={() => setIsCreating(false)} /> : null}
      {ending === undefined ? null : <EndTokensDialog {...ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}
