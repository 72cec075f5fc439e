/** What the web front tells the console of this browser. */
import { basePath } from '../base-path.ts'
import { send } from './send.ts'

/** The response of `GET <console>/session`. */
export interface ConsoleSession {
  /** Where to log in with an account of the gateway; null if this web front has no such way. */
  readonly login: string | null
  /** Why no one can work here; absent if someone can. */
  readonly reason?: string
  /** Who is logged in; absent if no one is. */
  readonly account?: SignedInAccount
  /** The version of Gatehouse that serves the console. */
  readonly version: string
  /** Whether the web front has templates of files; absent if not. */
  readonly templates?: boolean
}

/** The account with which someone is logged in. */
export interface SignedInAccount {
  readonly name: string
  readonly displayName: string
  readonly roles: readonly string[]
  /** Whether it logs in with a password that the gateway keeps. */
  readonly hasPassword: boolean
}

/** Reads the session of this browser again. Throws a `Refusal`. */
export async function readSession(): Promise<ConsoleSession> {
  const response = await send(`${basePath}session`, { cache: 'no-store' })
  return (await response.json()) as ConsoleSession
}

/** Sends the browser to log in; it comes back to the current page. */
export function logIn(login: string): void {
  const here = location.pathname + location.search
  location.assign(`${login}?returnTo=${encodeURIComponent(here)}`)
}

/** Ends the session of this browser, in all its tabs. */
export async function logOut(): Promise<void> {
  await send('/logout', { method: 'POST' })
}
