/**
 * Nobody gives what he does not have: what a caller writes into roles and public routes, the roles he gives to
 * accounts, and the accounts he acts on must not allow more than his own roles do, or be named in their `gives`.
 */
import type { Connection } from '../database/driver.ts'
import { AppError, type Mistake } from '../errors/app-error.ts'
import type { StoredAccount } from '../store/account-store.ts'
import type { Store } from '../store/store.ts'
import type { Authority } from './authority.ts'
import { Containment, type NotHeld } from './authority-containment.ts'
import type { Actor, Rights } from './caller.ts'
import type { Role } from './role.ts'

/** Only the first are told. */
const mistakesTold = 20

interface RightsParts {
  readonly store: Pick<Store, 'roles'>
}

/**
 * Throws RIGHTS_NOT_HELD where authorities allow something that the actor is not allowed. `pointers` say where each
 * is written.
 */
export function requireHeld(
  { rights }: Actor,
  authorities: readonly Authority[],
  pointerOf: (index: number) => string,
): void {
  if (holdsEverything(rights)) return
  const held = containmentOf(rights)
  refuseMistakes(
    authorities.flatMap((authority, index) => {
      const missing = held.notHeld(authority)
      return missing === undefined ? [] : [{ pointer: pointerOf(index), detail: sentence('This', missing) }]
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
 * Throws RIGHTS_NOT_HELD where an account has more rights than the actor: its secrets, its metadata and its end are
 * not his to change, nor are tokens for it his to have. Everybody has the rights of his own account.
 */
export async function requireMayAct(
  { store }: RightsParts,
  connection: Connection,
  { account: actor, rights }: Actor,
  { username, roles }: Pick<StoredAccount, 'username' | 'roles'>,
): Promise<void> {
  if (username === actor || givesEverything(rights)) return
  const given = new GivenRoles(rights, (name) => store.roles.find(connection, name))
  for (const name of roles) {
    const reason = await given.reasonAgainst(name)
    if (reason === undefined) continue
    const detail = `The account "${username}" has rights that you do not have. ${reason}`
    throw new AppError('RIGHTS_NOT_HELD', { detail })
  }
}

/** Then there is nothing that an actor could not give. */
function holdsEverything(rights: Rights): rights is 'everything' {
  return rights === 'everything' || containmentOf(rights).holdsEverything()
}

/** Whether an actor may give whatever role there is. */
function givesEverything(rights: Rights): rights is 'everything' {
  return holdsEverything(rights) || rights.some(({ gives }) => gives === '*')
}

function containmentOf(rights: Exclude<Rights, 'everything'>): Containment {
  return new Containment(rights.flatMap((role) => role.authorities))
}

/** The roles that somebody may give: those that his own roles name, and those that allow no more than his own. */
class GivenRoles {
  readonly #named: ReadonlySet<string>
  readonly #held: Containment
  readonly #find: (name: string) => Promise<Role | undefined>
  readonly #reasons = new Map<string, string | undefined>()

  constructor(rights: Exclude<Rights, 'everything'>, find: (name: string) => Promise<Role | undefined>) {
    this.#named = new Set(rights.flatMap(({ gives }) => gives ?? []))
    this.#held = containmentOf(rights)
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
      const missing = this.#held.notHeld(authority)
      if (missing !== undefined) return sentence(`The role "${name}"`, missing)
    }
    if (role.gives === '*') return `The role "${name}" may give every role, and you may not.`
    for (const given of role.gives ?? []) {
      const reason = await this.reasonAgainst(given)
      if (reason !== undefined) return `The role "${name}" may give the role "${given}". ${reason}`
    }
    return undefined
  }
}

function sentence(what: string, { method, path }: NotHeld): string {
  return path === undefined
    ? `${what} allows ${method} in a way that could not be compared with what you are allowed yourself. Write it as one of your own authorities is written, or narrower.`
    : `${what} allows ${method} on "${path}", and you are not allowed that yourself.`
}

function refuseMistakes(mistakes: readonly Mistake[]): void {
  const [first] = mistakes
  if (first === undefined) return
  throw new AppError('RIGHTS_NOT_HELD', { detail: first.detail, mistakes: mistakes.slice(0, mistakesTold) })
}
