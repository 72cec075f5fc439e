/** What people do with their own account: calls of the gateway, and of the web front for its sessions. */
import { callGateway, callWithJson } from '../api/gateway.ts'
import { send } from '../api/send.ts'

/** An API key, without its secret. */
export interface OwnKey {
  readonly name: string
  /** How it begins; null where that is not known. */
  readonly prefix: string | null
  readonly created: string
  readonly expires_at: string | null
  readonly last_used: string | null
}

/** A browser in which this account is logged in. */
export interface OwnSession {
  readonly id: string
  /** Whether it is the one of this browser. */
  readonly current: boolean
  readonly created: string | null
  readonly last_used: string | null
}

const keysPath = '/whoami/api-keys'

/** Changes the password. All other tokens of the account end. */
export async function changePassword(password: string, next: string): Promise<void> {
  await callWithJson('PATCH', '/whoami/password', { password, new_password: next })
}

/** The keys of the account. */
export async function listOwnKeys(): Promise<readonly OwnKey[]> {
  return (await callGateway(keysPath)).json() as Promise<readonly OwnKey[]>
}

/** Makes a key and gives its secret, which is not shown again. */
export async function createOwnKey(password: string, name: string): Promise<string> {
  const made = (await callWithJson('POST', keysPath, { password, name })) as { readonly api_key: string }
  return made.api_key
}

/** Ends a key. */
export async function removeOwnKey(password: string, name: string): Promise<void> {
  await callWithJson('DELETE', keysPath, { password, name })
}

/** The browsers in which the account is logged in: this one first, then the one used last. */
export async function listOwnSessions(): Promise<readonly OwnSession[]> {
  const all = (await (await send('/session/all')).json()) as readonly OwnSession[]
  return all.toSorted(
    (one, other) =>
      Number(other.current) - Number(one.current) ||
      (other.last_used ?? '').localeCompare(one.last_used ?? ''),
  )
}

/** Ends a session, in its browser too. */
export async function endOwnSession(id: string): Promise<void> {
  await send(`/session/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
