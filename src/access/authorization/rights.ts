/**
 * Prevents privilege escalation: what a caller writes into roles and public routes, the roles that it gives to accounts,
 * and the accounts that it acts on must not allow more than its own roles do, or must be listed in their `gives`.
 */
import type { Connection } from '../../database/driver.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { Store } from '../../store/store.ts'
import type { Actor, Rights } from '../caller.ts'
import { HeldRights } from './held-rights.ts'
import type { Role } from './role.ts'

/** Only the first are reported. */
const mistakesTold = 20

interface RightsParts {
  readonly store: Pick<Store, 'roles'>
}

/**
 * Throws RIGHTS_NOT_HELD if authorities, of a role with these targets, allow something that the actor may not do.
 * `pointerOf` returns their locations.
 */
export function requireHeld(
  { rights }: Actor,
  { authorities, targets }: Pick<Role, 'authorities' | 'targets'>,
  pointerOf: (index: number) => string,
): void {
  if (rights === 'everything') return
  const held = new HeldRights(rights)
  if (held.holdsEverything()) return
  refuseMistakes(
    authorities.flatMap((authority, index) => {
      const detail = held.reasonAgainst('This', authority, targets)
      return detail === undefined ? [] : [{ pointer: pointerOf(index), detail }]
    }),
  )
}

/** Throws RIGHTS_NOT_HELD if the actor may not give one of the roles; their pointers are their locations. */
export async function requireMayGive(
  { store }: RightsParts,
  connection: Connection,
  { rights }: Actor,
  roles: readonly { readonly name: string; readonly pointer: string }[],
): Promise<void> {
  if (givesEverything(rights)) return
  const given = new GivenRoles(rights, (name) => store.roles.find(connection, name))
  const mistakes: Mistake[] = []
  for (const { name, pointer } of roles) {
    const detail = await given.reasonAgainst(name)
    if (detail !== undefined) mistakes.push({ pointer, detail })
  }
  refuseMistakes(mistakes)
}

/** Throws RIGHTS_NOT_HELD if there may be a role that the actor may not give. */
export function requireMayGiveAll({ rights }: Actor): void {
  if (givesEverything(rights)) return
  const detail =
    'Only an account that may give every role can grant that to another role. Name the roles in a list.'
  throw new AppError('RIGHTS_NOT_HELD', { detail, mistakes: [{ pointer: '/gives', detail }] })
}

/** Throws RIGHTS_NOT_HELD if a stored role allows more than the actor may give. */
export async function requireMayGiveRole(
  { store }: RightsParts,
  connection: Connection,
  { rights }: Actor,
  role: Role,
): Promise<void> {
  if (givesEverything(rights)) return
  const given = new GivenRoles(rights, (name) => store.roles.find(connection, name))
  const detail = await given.reasonAgainst(role.name)
  if (detail !== undefined) throw new AppError('RIGHTS_NOT_HELD', { detail })
}

/**
 * Throws RIGHTS_NOT_HELD if one of some accounts has more rights than the actor, who then must not change its secrets,
 * metadata, tokens or expiry. An actor may always act on its own account.
 */
export async function requireMayAct(
  { store }: RightsParts,
  connection: Connection,
  { account: actor, rights }: Actor,
  ...accounts: readonly Pick<StoredAccount, 'username' | 'roles'>[]
): Promise<void> {
  if (givesEverything(rights)) return
  const given = new GivenRoles(rights, (name) => store.roles.find(connection, name))
  for (const { username, roles } of accounts) {
    if (username === actor) continue
    for (const name of roles) {
      const reason = await given.reasonAgainst(name)
      if (reason === undefined) continue
      const detail = `The account "${username}" has rights that you do not have. ${reason}`
      throw new AppError('RIGHTS_NOT_HELD', { detail })
    }
  }
}

/** Whether an actor may act on every account. */
export function mayActOnAll({ rights }: Actor): boolean {
  return givesEverything(rights)
}

/** Whether an actor may give every role. */
function givesEverything(rights: Rights): rights is 'everything' {
  return (
    rights === 'everything' ||
    new HeldRights(rights).holdsEverything() ||
    rights.some(({ gives }) => gives === '*')
  )
}

/** The roles that an actor may give: those in its own roles' `gives`, and those that allow no more than its own. */
class GivenRoles {
  readonly #named: ReadonlySet<string>
  readonly #held: HeldRights
  readonly #find: (name: string) => Promise<Role | undefined>
  readonly #reasons = new Map<string, string | undefined>()

  constructor(rights: Exclude<Rights, 'everything'>, find: (name: string) => Promise<Role | undefined>) {
    this.#named = new Set(rights.flatMap(({ gives }) => gives ?? []))
    this.#held = new HeldRights(rights)
    this.#find = find
  }

  /** Why a role may not be given; undefined if it may. */
  async reasonAgainst(name: string): Promise<string | undefined> {
    if (this.#named.has(name)) return undefined
    if (!this.#reasons.has(name)) {
      // For a role that may give itself, the rest decides.
      this.#reasons.set(name, undefined)
      this.#reasons.set(name, await this.#judge(name))
    }
    return this.#reasons.get(name)
  }

  async #judge(name: string): Promise<string | undefined> {
    const role = await this.#find(name)
    if (role === undefined) return `There is no role "${name}" yet, so its rights are unknown.`
    for (const authority of role.authorities) {
      const reason = this.#held.reasonAgainst(`The role "${name}"`, authority, role.targets)
      if (reason !== undefined) return reason
    }
    if (role.gives === '*') return `The role "${name}" may give every role, and you may not.`
    for (const given of role.gives ?? []) {
      const reason = await this.reasonAgainst(given)
      if (reason !== undefined) return `The role "${name}" may give the role "${given}". ${reason}`
    }
    return undefined
  }
}

/** Throws RIGHTS_NOT_HELD with the first of some mistakes, if there are any. */
export function refuseMistakes(mistakes: readonly Mistake[]): void {
  const [first] = mistakes
  if (first === undefined) return
  throw new AppError('RIGHTS_NOT_HELD', { detail: first.detail, mistakes: mistakes.slice(0, mistakesTold) })
}
