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
import { type AccountAttributes, namesAccount, withAccountValues } from './record-conditions.ts'
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

/**
 * Throws RIGHTS_NOT_HELD if the actor may not give one of the roles to an account, or to any; their pointers are their
 * locations.
 */
export async function requireMayGive(
  { store }: RightsParts,
  connection: Connection,
  actor: Actor,
  roles: readonly { readonly name: string; readonly pointer: string }[],
  receiver: AccountAttributes | 'anyone',
): Promise<void> {
  if (givesEverything(actor.rights)) return
  const given = new GivenRoles(actor.rights, actor.attributes, (name) => store.roles.find(connection, name))
  const mistakes: Mistake[] = []
  for (const { name, pointer } of roles) {
    const detail = await given.reasonAgainst(name, receiver)
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
  { rights, attributes }: Actor,
  role: Role,
): Promise<void> {
  if (givesEverything(rights)) return
  const given = new GivenRoles(rights, attributes, (name) => store.roles.find(connection, name))
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
  { account: actor, rights, attributes }: Actor,
  ...accounts: readonly Pick<StoredAccount, 'username' | 'roles' | 'metadata'>[]
): Promise<void> {
  if (givesEverything(rights)) return
  const given = new GivenRoles(rights, attributes, (name) => store.roles.find(connection, name))
  for (const account of accounts) {
    const { username, roles } = account
    if (username === actor) continue
    for (const name of roles) {
      const reason = await given.reasonAgainst(name, account)
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

/**
 * The roles that an actor may give: those in its own roles' `gives`, and those that allow no more than its own. Conditions
 * that name values of the account admit other records for another account: they are held if the values are equal.
 */
class GivenRoles {
  readonly #named: ReadonlySet<string>
  readonly #held: HeldRights
  readonly #heldWithValues: HeldRights
  readonly #find: (name: string) => Promise<Role | undefined>
  readonly #stored = new Map<string, Role | undefined>()
  readonly #reasons = new Map<string, string | undefined>()

  constructor(
    rights: Exclude<Rights, 'everything'>,
    attributes: AccountAttributes | undefined,
    find: (name: string) => Promise<Role | undefined>,
  ) {
    this.#named = new Set(rights.flatMap(({ gives }) => gives ?? []))
    this.#held = new HeldRights(rights)
    this.#heldWithValues = new HeldRights(
      rights.map((role) => ({
        ...role,
        authorities: role.authorities.map((authority) => {
          const { conditions } = authority
          if (conditions === undefined) return authority
          return { ...authority, conditions: withAccountValues(conditions, attributes ?? 'nobody') }
        }),
      })),
    )
    this.#find = find
  }

  /** Why a role may not be given to an account, or to any; undefined if it may. Without a receiver, as it is written. */
  async reasonAgainst(name: string, receiver?: AccountAttributes | 'anyone'): Promise<string | undefined> {
    if (this.#named.has(name)) return undefined
    if (!this.#stored.has(name)) this.#stored.set(name, await this.#find(name))
    const role = this.#stored.get(name)
    const values = role?.authorities.some(namesAccount) ? receiver : undefined
    const key = JSON.stringify([name, typeof values === 'object' ? values.username : [values]])
    if (!this.#reasons.has(key)) {
      // For a role that may give itself, the rest decides.
      this.#reasons.set(key, undefined)
      this.#reasons.set(key, await this.#judge(name, role, values))
    }
    return this.#reasons.get(key)
  }

  async #judge(
    name: string,
    role: Role | undefined,
    receiver: AccountAttributes | 'anyone' | undefined,
  ): Promise<string | undefined> {
    if (role === undefined) return `There is no role "${name}" yet, so its rights are unknown.`
    const held = receiver === undefined ? this.#held : this.#heldWithValues
    for (const authority of role.authorities) {
      const wanted = receiver === undefined ? authority : withAccountValues(authority, receiver)
      const reason = held.reasonAgainst(`The role "${name}"`, wanted, role.targets)
      if (reason !== undefined) return reason
    }
    if (role.gives === '*') return `The role "${name}" may give every role, and you may not.`
    for (const given of role.gives ?? []) {
      const reason = await this.reasonAgainst(given, 'anyone')
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
