/**
 * Administrators are enabled accounts without an expiry that may change every role and every account, and have an API key
 * without an expiry. The last one is protected, so that no one can lock everyone out.
 */
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { StoredRole } from '../../store/role-store.ts'
import type { AccessDirectory } from '../access-directory.ts'
import type { AccessParts } from '../access-parts.ts'
import { type Authority, compileAuthority, type PatternSource } from '../authorization/authority.ts'
import { Containment } from '../authorization/authority-containment.ts'
import { conditionsOf } from '../authorization/record-conditions.ts'

interface AdministratorParts extends Pick<AccessParts, 'store'> {
  readonly directory: Pick<AccessDirectory, 'patternOf'>
}

/** The rights that make an administrator. */
const needed: readonly Authority[] = [
  { regex: '/manage/(accounts|roles)', methods: ['POST'] },
  { regex: '/manage/accounts/[^/]+', methods: ['PATCH', 'DELETE'] },
  { regex: '/manage/roles/[^/]+', methods: ['PUT', 'DELETE'] },
]
const common = '/manage/'

/** Whether an account currently is an administrator. */
export async function isAdministrator(
  { store, directory }: AdministratorParts,
  connection: Connection,
  account: StoredAccount,
): Promise<boolean> {
  if (!lasts(account)) return false
  const keys = await store.apiKeys.listOf(connection, account.username)
  if (keys.every(({ expiresAt }) => expiresAt !== undefined)) return false
  const roles: StoredRole[] = []
  for (const name of account.roles) {
    const role = await store.roles.find(connection, name)
    if (role !== undefined) roles.push(role)
  }
  return mayAdminister(roles, directory.patternOf)
}

/** Whether a role could make accounts administrators; if not, they need not be checked. */
export function concernsAdministrators(
  { directory }: Pick<AdministratorParts, 'directory'>,
  { authorities }: StoredRole,
): boolean {
  return authorities.some((authority) => {
    if (conditionsOf(authority) !== undefined) return false
    const { start } = directory.patternOf(authority.regex)
    return start !== undefined && (start.startsWith(common) || common.startsWith(start))
  })
}

/** Whether there is an administrator. Reads every account: to be called only if the answer may have changed. */
export async function hasAdministrator(
  { store, directory }: AdministratorParts,
  connection: Connection,
): Promise<boolean> {
  const roles = new Map(
    (await store.roles.list(connection))
      .filter((role) => concernsAdministrators({ directory }, role))
      .map((role) => [role.name, role]),
  )
  const judged = new Map<string, boolean>()
  const keyOwners = await store.apiKeys.ownersOfLasting(connection)
  return (await store.accounts.list(connection)).filter(lasts).some((account) => {
    if (!keyOwners.has(account.username)) return false
    const own = account.roles.map((name) => roles.get(name)).filter((role) => role !== undefined)
    const key = JSON.stringify(own.map(({ name }) => name))
    const known = judged.get(key) ?? mayAdminister(own, directory.patternOf)
    judged.set(key, known)
    return known
  })
}

/**
 * To be called in the transaction of a change that took something from an administrator, after the change. Throws
 * LAST_ADMINISTRATOR if none is left.
 */
export async function requireAdministratorLeft(
  parts: AdministratorParts,
  connection: Connection,
): Promise<void> {
  if (await hasAdministrator(parts, connection)) return
  throw new AppError('LAST_ADMINISTRATOR', {
    detail:
      'No administrator would be left who may change roles and accounts. Create another one first: an enabled account that does not expire, with an API key that does not expire.',
  })
}

/** An account that may expire, or that no one can log on with, does not count. */
function lasts({ expiresAt, disabled }: StoredAccount): boolean {
  return expiresAt === undefined && !disabled
}

function mayAdminister(roles: readonly StoredRole[], patterns: PatternSource): boolean {
  if (roles.length === 0) return false
  const authorities = roles.flatMap((role) => role.authorities)
  const held = new Containment(authorities.map((authority) => compileAuthority(authority, patterns)))
  return needed.every((authority) => held.notHeld(authority) === undefined)
}
