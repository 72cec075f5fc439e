import { GraphiQL } from 'graphiql'
import { useCallback, useState } from 'react'
import { logOff, Refusal, type Session } from '../logon/gateway.ts'
import { keepSession, keptSession } from '../logon/kept-session.ts'
import { LogonForm } from '../logon/logon-form.tsx'
import type { PageFlags } from '../logon/page-flags.ts'
import { runOperation } from './run-operation.ts'

/** What GraphiQL hands over for one run. */
interface RunOptions {
  readonly headers?: Readonly<Record<string, string>>
}

/** GraphiQL for who is logged on, or for anybody where `/graphql` is public; otherwise the form to log on. */
export function Page({ isPublic, asksKey }: PageFlags) {
  const [session, setSession] = useState(keptSession)
  const [reason, setReason] = useState<string>()
  const [wantsLogon, setWantsLogon] = useState(false)

  const become = useCallback((next: Session | undefined, why?: string) => {
    keepSession(next)
    setSession(next)
    setReason(why)
    setWantsLogon(why !== undefined)
  }, [])

  const run = useCallback(
    async (operation: unknown, { headers }: RunOptions = {}): Promise<unknown> => {
      try {
        return await runOperation(operation, session, headers)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.needsLogon) become(undefined, error.message)
        return { errors: [{ message: error.message }] }
      }
    },
    [session, become],
  )

  async function leave(ending: Session): Promise<void> {
    try {
      await logOff(ending)
      become(undefined)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      become(undefined, error.needsLogon ? undefined : `You are logged off here only. ${error.message}`)
    }
  }

  if (wantsLogon || (session === undefined && !isPublic)) {
    const onCancel = isPublic ? () => setWantsLogon(false) : undefined
    return (
      <LogonForm asksKey={asksKey} title="GraphQL" reason={reason} onLogon={become} onCancel={onCancel} />
    )
  }
  return (
    <GraphiQL key={session?.token} fetcher={run as GraphiqlFetcher} showPersistHeadersSettings={false}>
      <GraphiQL.Logo>
        {session === undefined ? (
          <button type="button" className="link" onClick={() => setWantsLogon(true)}>
            Log on
          </button>
        ) : (
          <>
            <span title={`The token ends at ${session.expire}.`}>{session.username}</span>
            <button type="button" className="link" onClick={() => leave(session)}>
              Log off
            </button>
          </>
        )}
      </GraphiQL.Logo>
    </GraphiQL>
  )
}

type GraphiqlFetcher = Parameters<typeof GraphiQL>[0]['fetcher']
