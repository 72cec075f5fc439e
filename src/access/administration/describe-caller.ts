import type { AccessParts } from '../access-parts.ts'
import { accountId } from '../authentication/account.ts'
import { mergedRole, publishedRole, type Role } from '../authorization/role.ts'
import type { Caller } from '../caller.ts'
import { showTimestamp } from '../show-timestamp.ts'

/** What a caller may know about itself. */
export interface CallerDescription {
  readonly username: string
  /** Changes if the account is created again; null if the account has just been deleted. */
  readonly id: string | null
  /** As in the response to the logon. */
  readonly role: Role
  readonly roles: readonly Role[]
  readonly metadata: Readonly<Record<string, unknown>>
  /** Whether the account expires, and when. */
  readonly limited: boolean
  readonly account_expire: string | null
  /** When the token ends. */
  readonly expire: string
}

/** Describes the caller to itself. */
export async function describeCaller(
  { store }: Pick<AccessParts, 'store'>,
  { username, roles: compiled, accountExpiresAt, tokenExpiresAt }: Caller,
): Promise<CallerDescription> {
  const account = await store.read((connection) => store.accounts.find(connection, username))
  const roles = compiled.map(publishedRole)
  return {
    username,
    id: account === undefined ? null : accountId(account),
    role: mergedRole(roles),
    roles,
    metadata: account?.metadata ?? {},
    limited: accountExpiresAt !== undefined,
    account_expire: accountExpiresAt === undefined ? null : showTimestamp(accountExpiresAt),
    expire: showTimestamp(tokenExpiresAt),
  }
}
