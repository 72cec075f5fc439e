import { useCallback, useEffect, useState } from 'react'
import type { LoginNeeded, Session } from '../../browser/index.ts'
import { Moment } from './moment.tsx'
import { endSession, hasPassword, listSessions, type OpenSession } from './own-account.ts'
import { PasswordForm } from './password-form.tsx'
import { useCall } from './use-call.ts'
import { YourKeys } from './your-keys.tsx'

interface YourAccountProps {
  readonly session: Session
  readonly onLoginNeeded: (error: LoginNeeded) => void
  readonly onLeave: () => void
}

/** What people may change of their own account: password, API keys, and where they are logged in. */
export function YourAccount({ session, onLoginNeeded, onLeave }: YourAccountProps) {
  const [sessions, setSessions] = useState<readonly OpenSession[]>()
  const { isBusy, refusal, run } = useCall(onLoginNeeded)

  const look = useCallback(() => run(async () => setSessions(await listSessions())), [run])
  useEffect(() => void look(), [look])

  const endAll = async (ended: readonly OpenSession[]) => {
    for (const { id } of ended) await endSession(id)
    setSessions(await listSessions())
  }
  const others = sessions?.filter(({ current }) => !current) ?? []

  return (
    <>
      {hasPassword(session) ? (
        <>
          <PasswordForm
            session={session}
            onLoginNeeded={onLoginNeeded}
            onChanged={() => void run(() => endAll(others))}
          />
          <YourKeys key={session.id} onLoginNeeded={onLoginNeeded} />
        </>
      ) : null}
      <section aria-busy={sessions === undefined && refusal === undefined}>
        <h2>Where you are logged in</h2>
        {refusal === undefined ? null : <p role="alert">{refusal}</p>}
        <ul className="records">
          {(sessions ?? []).map((one) => (
            <li key={one.id}>
              <p>
                <strong>{one.current ? 'This browser' : 'Another browser'}</strong>
                <br />
                Logged in <Moment time={one.created} otherwise="earlier" />, last used{' '}
                <Moment time={one.last_used} otherwise="earlier" />
              </p>
              {one.current ? (
                <button type="button" onClick={onLeave}>
                  Log out here
                </button>
              ) : (
                <button type="button" disabled={isBusy} onClick={() => void run(() => endAll([one]))}>
                  Log out there
                </button>
              )}
            </li>
          ))}
        </ul>
        {others.length < 2 ? null : (
          <button type="button" disabled={isBusy} onClick={() => void run(() => endAll(others))}>
            Log out everywhere else
          </button>
        )}
      </section>
    </>
  )
}
