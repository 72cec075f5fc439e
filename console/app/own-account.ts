/** What people do with their own account: calls of the gateway, and of the web front for its sessions. */
import type { Session } from '../../browser/index.ts'
import { call, callGateway } from './web-front.ts'

/** An API key, without its secret. */
export interface ApiKey {
  readonly name: string
  /** How it begins; null where that is not known. */
  readonly prefix: string | null
  readonly created: string
  readonly expires_at: string | null
  readonly last_used: string | null
}

/** A browser in which somebody is logged in with this account. */
export interface OpenSession {
  readonly id: string
  readonly current: boolean
  readonly created: string | null
  readonly last_used: string | null
}

const keysPath = '/whoami/api-keys'

/** Whether somebody is logged in with a username and password of the gateway. */
export function hasPassword({ auth }: Session): boolean {
  return auth?.strategy === 'gateway'
}

/** Changes the password. All other tokens of the account end. */
export async function changePassword(password: string, next: string): Promise<void> {
  await callGateway('PATCH', '/whoami/password', { password, new_password: next })
}

/** The API keys, by name. */
export async function listKeys(): Promise<readonly ApiKey[]> {
  return (await callGateway('GET', keysPath)) as readonly ApiKey[]
}

/** Makes a key; its secret is in no other answer. */
export async function createKey(password: string, name: string): Promise<string> {
  const made = await callGateway('POST', keysPath, { password, name })
  return (made as { readonly api_key: string }).api_key
}

/** Ends a key. */
export async function removeKey(password: string, name: string): Promise<void> {
  await callGateway('DELETE', keysPath, { password, name })
}

/** The browsers in which the account is logged in; this one first, then the one used last. */
export async function listSessions(): Promise<readonly OpenSession[]> {
  const all = (await call('GET', '/session/all')) as readonly OpenSession[]
  return all.toSorted(
    (one, other) =>
      Number(other.current) - Number(one.current) ||
      (other.last_used ?? '').localeCompare(one.last_used ?? ''),
  )
}

/** Ends a session, in its browser too. */
export async function endSession(id: string): Promise<void> {
  await call('DELETE', `/session/${encodeURIComponent(id)}`)
}
