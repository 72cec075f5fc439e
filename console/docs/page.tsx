import { useCallback, useEffect, useState } from 'react'
import { call, logOff, Refusal, type Session, withToken } from '../logon/gateway.ts'
import { keepSession, keptSession } from '../logon/kept-session.ts'
import { LogonForm } from '../logon/logon-form.tsx'
import type { PageFlags } from '../logon/page-flags.ts'
import { type Document, operationsIn } from './openapi.ts'
import { OperationSection } from './operation-section.tsx'

/** The published APIs for who is logged on, or for anybody where `/docs` is public; otherwise the form to log on. */
export function Page({ isPublic, asksKey }: PageFlags) {
  const [session, setSession] = useState(keptSession)
  const [document, setDocument] = useState<Document>()
  const [reason, setReason] = useState<string>()
  const [wantsLogon, setWantsLogon] = useState(!isPublic && session === undefined)

  const become = useCallback((next: Session | undefined, why?: string) => {
    keepSession(next)
    setDocument(undefined)
    setSession(next)
    setReason(why)
    setWantsLogon(next === undefined)
  }, [])

  useEffect(() => {
    if (wantsLogon) return
    let isCurrent = true
    readDocument(session)
      .then((read) => isCurrent && setDocument(read))
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        if (isCurrent) become(undefined, error.message)
      })
    return () => {
      isCurrent = false
    }
  }, [session, wantsLogon, become])

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
        <h1>{document?.info.title ?? 'Published APIs'}</h1>
        <p className="account">
          {session === undefined ? (
            <button type="button" className="link" onClick={() => setWantsLogon(true)}>
              Log on
            </button>
          ) : (
            <>
              <span title={`The token ends at ${session.expire}.`}>{session.username}</span>{' '}
              <button type="button" className="link" onClick={() => leave(session)}>
                Log off
              </button>
            </>
          )}
        </p>
      </header>
      {document === undefined ? null : <Entities document={document} session={session} />}
    </div>
  )
}

function Entities({
  document,
  session,
}: {
  readonly document: Document
  readonly session: Session | undefined
}) {
  const operations = operationsIn(document)
  return (
    <>
      <p>{document.info.description}</p>
      <p>
        As OpenAPI 3.1: <code>GET /openapi.json</code>, version <code>{document.info.version}</code>
      </p>
      {operations.length === 0 ? <p>There is no published API that this account may call.</p> : null}
      <nav aria-label="Entities">
        {document.tags.map(({ name }) => (
          <a key={name} href={`#entity-${name}`}>
            {name}
          </a>
        ))}
      </nav>
      <main>
        {document.tags.map(({ name }) => (
          <section key={name} id={`entity-${name}`}>
            <h2>{name}</h2>
            {operations
              .filter(({ tag }) => tag === name)
              .map((operation) => (
                <OperationSection
                  key={operation.id}
                  document={document}
                  operation={operation}
                  session={session}
                />
              ))}
          </section>
        ))}
      </main>
    </>
  )
}

/** Asks for the page itself, too: who may not see it is shown nothing of it. */
async function readDocument(session: Session | undefined): Promise<Document> {
  const headers = () => (session === undefined ? new Headers() : withToken(session.token))
  await call('GET', 'docs', headers())
  return (await call('GET', 'openapi.json', headers())) as Document
}
