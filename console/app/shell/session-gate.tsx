import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConsoleSession, readSession, type SignedInAccount } from '../api/console-session.ts'
import { sessionKey } from '../api/query-client.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Loading } from '../components/loading.tsx'
import { LogInPage } from './log-in-page.tsx'
import { PlainPage } from './plain-page.tsx'

const SessionContext = createContext<OpenSession | undefined>(undefined)

/** The session of someone who is logged in. */
export interface OpenSession extends ConsoleSession {
  readonly account: SignedInAccount
}

/** The session of who is logged in. Only below `SessionGate`. */
export function useSession(): OpenSession {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('No one is logged in here.')
  return session
}

/** Shows its children to those who are logged in, and the way to log in to all others. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('shell')
  const {
    data: session,
    error,
    refetch,
  } = useQuery({
    queryKey: sessionKey,
    queryFn: readSession,
    // Someone may have logged out in another tab.
    refetchOnWindowFocus: 'always',
  })
  const [hadAccount, setHadAccount] = useState(false)
  const hasAccount = session?.account !== undefined
  useEffect(() => {
    if (hasAccount) setHadAccount(true)
  }, [hasAccount])
  if (session === undefined) {
    if (error === null) return <Loading />
    return (
      <PlainPage title={t('failed.title')}>
        <FailureAlert error={error} onRetry={() => void refetch()} />
      </PlainPage>
    )
  }
  const { account } = session
  if (account === undefined) return <LogInPage session={session} hasEnded={hadAccount} />
  return (
    // What one account has read is not shown to the next.
    <SessionContext.Provider key={account.name} value={{ ...session, account }}>
      {children}
    </SessionContext.Provider>
  )
}
