import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { notifyDone } from '../components/notify.ts'
import { PageHeader } from '../components/page-header.tsx'
import { SearchField } from '../components/search-field.tsx'
import { endSessions, sessionsKey, sessionsPath } from './session-calls.ts'
import { SessionTable } from './session-table.tsx'

/** The browsers in which people are logged in at this web front. */
export function Sessions() {
  const { t } = useTranslation('sessions')
  const client = useQueryClient()
  const [account, setAccount] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const mayEnd = useIsAllowed('DELETE', sessionsPath)
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayEnd && account !== '' ? (
            <Button variant="default" onClick={() => setIsAsked(true)}>
              {t('endAllOf', { account })}
            </Button>
          ) : null
        }
      />
      <Stack>
        <SearchField label={t('filter')} onSearch={setAccount} />
        <SessionTable {...(account === '' ? {} : { account })} />
      </Stack>
      {isAsked ? (
        <ConfirmDialog
          title={t('endAllOf', { account })}
          action={t('end')}
          onConfirm={async () => {
            await endSessions({ account })
            notifyDone(t('ended'))
            await client.invalidateQueries({ queryKey: sessionsKey })
          }}
          onClose={() => setIsAsked(false)}
        >
          <Text>{t('endText')}</Text>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
