import type { AccessParts } from '../access-parts.ts'
import { accountId } from '../authentication/account.ts'
import { mergedRole, publishedRole, type Role } from '../authorization/role.ts'
import type { Caller } from '../caller.ts'
import { showTimestamp } from '../show-timestamp.ts'

/** What a caller may know about itself. */
export interface CallerDescription {
  readonly username: string
  /** Changes if the account is created again; null if there is no account: it was just deleted, or the token is of another issuer. */
  readonly id: string | null
  /** As in the response to the logon. */
  readonly role: Role
  readonly roles: readonly Role[]
  readonly metadata: Readonly<Record<string, unknown>>
  /** Whether the account expires, and when. */
  readonly limited: boolean
  readonly account_expire: string | null
  /** The name of the issuer of the token; absent if that is the gateway. */
  readonly issuer?: string
  /** When the token ends. */
  readonly expire: string
}

/** Describes the caller to itself. */
export async function describeCaller(
  { store }: Pick<AccessParts, 'store'>,
  { username, roles: compiled, accountExpiresAt, tokenExpiresAt, issuer }: Caller,
): Promise<CallerDescription> {
  const account =
    issuer === undefined
      ? await store.read((connection) => store.accounts.find(connection, username))
      : undefined
  const roles = compiled.map(publishedRole)
  return {
    username,
    id: account === undefined ? null : accountId(account),
    role: mergedRole(roles),
    roles,
    metadata: account?.metadata ?? {},
    limited: accountExpiresAt !== undefined,
    account_expire: accountExpiresAt === undefined ? null : showTimestamp(accountExpiresAt),
    ...(issuer === undefined ? {} : { issuer }),
    expire: showTimestamp(tokenExpiresAt),
  }
}
