import type { Connection } from '../../database/driver.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { AccessParts } from '../access-parts.ts'
import { mergedRole, publishedRole, type Role } from '../authorization/role.ts'
import { showTimestamp } from '../show-timestamp.ts'
import { hashOfAuthToken, newAuthToken } from './auth-token.ts'

/** The response to a logon, with the member names of the API. */
export interface LogonResponse {
  readonly 'x-xaas-auth-token': string
  readonly expire: string
  /** Whether the account expires. */
  readonly limited: boolean
  readonly role: Role
  readonly roles: readonly Role[]
}

/** A new token for an account that has not expired; if nothing can be written, only this process keeps it. */
export async function startToken(
  { store, directory, now, randomBytes, tokenTtlSeconds }: AccessParts,
  connection: Connection,
  { username, roles: roleNames, expiresAt: accountEnd }: StoredAccount,
  canWrite: boolean,
): Promise<LogonResponse> {
  const token = newAuthToken(randomBytes)
  const timestamp = now()
  const ttlEnd = new Date(timestamp.getTime() + tokenTtlSeconds * 1000).toISOString()
  const expiresAt = accountEnd !== undefined && accountEnd < ttlEnd ? accountEnd : ttlEnd
  const tokenHash = hashOfAuthToken(token) ?? ''
  const stored = { tokenHash, username, createdAt: timestamp.toISOString(), expiresAt }
  if (canWrite) await store.tokens.insert(connection, stored)
  else await directory.holdToken(connection, stored)
  const roles: Role[] = []
  for (const name of roleNames) {
    const role = await store.roles.find(connection, name)
    if (role !== undefined) roles.push(publishedRole(role))
  }
  return {
    'x-xaas-auth-token': token,
    expire: showTimestamp(new Date(expiresAt)),
    limited: accountEnd !== undefined,
    role: mergedRole(roles),
    roles,
  }
}
