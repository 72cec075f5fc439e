import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import texts from '../app/apis/messages.en.json'
import { logOff, Refusal, type Session } from '../logon/gateway.ts'
import { keepSession, keptSession } from '../logon/kept-session.ts'
import { LogonForm } from '../logon/logon-form.tsx'
import type { PageFlags } from '../logon/page-flags.ts'
import { ApiPages } from '../openapi/apis.tsx'
import { ApisProvider } from '../openapi/apis-context.ts'
import { HashLink, useHashPlace } from './hash-place.tsx'
import { sourceFor } from './source.ts'

/** The APIs for who is logged on, or for anybody where `/docs` is public; otherwise the form to log on. */
export function Page({ isPublic, asksKey }: PageFlags) {
  const [session, setSession] = useState(keptSession)
  const [reason, setReason] = useState<string>()
  const [wantsLogon, setWantsLogon] = useState(!isPublic && session === undefined)

  const become = useCallback((next: Session | undefined, why?: string) => {
    keepSession(next)
    setSession(next)
    setReason(why)
    setWantsLogon(next === undefined)
  }, [])

  async function leave(ending: Session): Promise<void> {
    const why = await logOff(ending).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        return error.needsLogon ? undefined : `You are logged off here only. ${error.message}`
      },
    )
    become(undefined, why)
  }

  if (wantsLogon) {
    const onCancel = isPublic ? () => setWantsLogon(false) : undefined
    return (
      <LogonForm
        asksKey={asksKey}
        title="Published APIs"
        reason={reason}
        onLogon={become}
        onCancel={onCancel}
      />
    )
  }
  return (
    <div className="docs">
      <header>
        <h1>Published APIs</h1>
        <p>
          {session === undefined ? (
            <button type="button" className="link" onClick={() => setWantsLogon(true)}>
              Log on
            </button>
          ) : (
            <>
              <span title={`The token ends at ${session.expire}.`}>{session.username}</span>{' '}
              <button type="button" className="link" onClick={() => void leave(session)}>
                Log off
              </button>
            </>
          )}
        </p>
      </header>
      <main>
        <Content key={session?.token ?? ''} session={session} onRefused={become} />
      </main>
    </div>
  )
}

interface ContentProps {
  readonly session: Session | undefined
  /** Called where the reader may not see the page, or no longer. */
  readonly onRefused: (session: undefined, why: string) => void
}

function Content({ session, onRefused }: ContentProps) {
  const place = useHashPlace()
  const client = useMemo(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }), [])
  const parts = useMemo(
    () => ({ source: sourceFor(session, (why) => onRefused(undefined, why)), texts, Link: HashLink }),
    [session, onRefused],
  )
  return (
    <QueryClientProvider client={client}>
      <ApisProvider value={parts}>
        <ApiPages place={place} />
      </ApisProvider>
    </QueryClientProvider>
  )
}
