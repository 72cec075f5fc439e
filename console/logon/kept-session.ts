/** Where the session is kept: in this tab of the browser, until it is closed or one logs off. */
import type { Session } from './gateway.ts'

const key = 'gatehouse-session'

/** The session that this tab had before the page was loaded again. */
export function keptSession(): Session | undefined {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as Session)
}

/** Keeps a session, or forgets the one that is kept. */
export function keepSession(session: Session | undefined): void {
  if (session === undefined) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(session))
}
