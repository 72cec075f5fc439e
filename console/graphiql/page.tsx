import { useCallback, useEffect, useState } from 'react'
import texts from '../app/graphql/messages.en.json'
import { type EditorStart, plainStart, readStart } from '../graphql-editor/first-query.ts'
import { GraphqlEditor } from '../graphql-editor/graphql-editor.tsx'
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
    <main className="graphql">
      <Editor
        key={session?.token}
        account={session?.username ?? ''}
        run={run}
        corner={
          session === undefined ? (
            <button type="button" className="link" onClick={() => setWantsLogon(true)}>
              Log on
            </button>
          ) : (
            <>
              <span title={`The token ends at ${session.expire}.`}>{session.username}</span>
              <button type="button" className="link" onClick={() => void leave(session)}>
                Log off
              </button>
            </>
          )
        }
      />
    </main>
  )
}

/** What a run gives. */
interface RunResult {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly extensions?: object }[]
}

type EditorProps = Pick<Parameters<typeof GraphqlEditor>[0], 'account' | 'run' | 'corner'>

/** The editor, once the schema has said what its first query can ask for. */
function Editor(props: EditorProps) {
  const [start, setStart] = useState<EditorStart>()
  const { run } = props
  useEffect(() => {
    const read = async (query: string, variables = {}) => {
      const { data, errors } = (await run({ query, variables })) as RunResult
      const [error] = errors ?? []
      if (error !== undefined) throw new Refusal(error.message, { ...error.extensions })
      return data
    }
    let isShown = true
    void readStart(read)
      .catch(() => plainStart)
      .then((read) => isShown && setStart(read))
    return () => {
      isShown = false
    }
  }, [run])
  return start === undefined ? null : <GraphqlEditor {...props} texts={texts} start={start} mayExplain />
}
