/**
 * Nobody gives what he does not have: what a caller writes into roles and public routes, the roles he gives to
 * accounts, and the accounts he acts on must not allow more than his own roles do, or be named in their `gives`.
 */
import type { Connection } from '../../database/driver.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import type { StoredAccount } from '../../store/account-store.ts'
import type { Store } from '../../store/store.ts'
import type { Actor, Rights } from '../caller.ts'
import { HeldRights } from './held-rights.ts'
import type { Role } from './role.ts'

/** Only the first are told. */
const mistakesTold = 20

interface RightsParts {
  readonly store: Pick<Store, 'roles'>
}

/**
 * Throws RIGHTS_NOT_HELD where authorities, of a role with these targets, allow something that the actor is not allowed.
 * `pointerOf` says where each is written.
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

/** Throws RIGHTS_NOT_HELD where the actor may not give one of the roles, whose pointers say where they are named. */
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

/** Throws RIGHTS_NOT_HELD where there may be a role that the actor may not give. */
export function requireMayGiveAll({ rights }: Actor): void {
  if (givesEverything(rights)) return
  const detail = 'Only who may give every role can let another role do so. Name the roles in a list.'
  throw new AppError('RIGHTS_NOT_HELD', { detail, mistakes: [{ pointer: '/gives', detail }] })
}

/** Throws RIGHTS_NOT_HELD where a role, as it is kept, allows more than the actor may give. */
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
 * Throws RIGHTS_NOT_HELD where one of some accounts has more rights than the actor: its secrets, its metadata, its tokens
 * and its end are not his to change. Everybody has the rights of his own account.
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

/** Whether an actor may act on every account there is. */
export function mayActOnAll({ rights }: Actor): boolean {
  return givesEverything(rights)
}

/** Whether an actor may give whatever role there is. */
function givesEverything(rights: Rights): rights is 'everything' {
  return (
    rights === 'everything' ||
    new HeldRights(rights).holdsEverything() ||
    rights.some(({ gives }) => gives === '*')
  )
}

/** The roles that somebody may give: those that his own roles name, and those that allow no more than his own. */
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

  /** Why a role may not be given; undefined when it may. */
  async reasonAgainst(name: string): Promise<string | undefined> {
    if (this.#named.has(name)) return undefined
    if (!this.#reasons.has(name)) {
      // A role that may give itself is judged by the rest of it.
      this.#reasons.set(name, undefined)
      this.#reasons.set(name, await this.#judge(name))
    }
    return this.#reasons.get(name)
  }

  async #judge(name: string): Promise<string | undefined> {
    const role = await this.#find(name)
    if (role === undefined) return `There is no role "${name}" yet, and nobody knows what it will allow.`
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

/** Throws RIGHTS_NOT_HELD with the first of some mistakes, where there are any. */
export function refuseMistakes(mistakes: readonly Mistake[]): void {
  const [first] = mistakes
  if (first === undefined) return
  throw new AppError('RIGHTS_NOT_HELD', { detail: first.detail, mistakes: mistakes.slice(0, mistakesTold) })
}
