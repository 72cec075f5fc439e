/** Compares the rights of an account's roles with those that it grants. */

import { routesPath } from '../administration/route-writers.ts'
import { type Authority, type CompiledAuthority, compileAuthority, patternOf } from './authority.ts'
import { Containment, type ContainmentWork, type NotHeld } from './authority-containment.ts'
import { knownMethods } from './method.ts'
import { allBut } from './path-complement.ts'
import { conditionsOf } from './record-conditions.ts'
import type { CompiledRole, Role } from './role.ts'
import { coversPattern } from './target-pattern.ts'

/** The authorities of some roles together, each with the targets of its role. */
export class HeldRights {
  readonly #roles: readonly CompiledRole[]
  readonly #work: ContainmentWork = { done: 0 }
  readonly #all: Containment
  /** By the indexes of the roles that allow a target: what they allow, with what does not write routes. */
  readonly #leading = new Map<string, Containment>()

  constructor(roles: readonly CompiledRole[]) {
    this.#roles = roles
    this.#all = new Containment(
      roles.flatMap(({ authorities }) => authorities),
      this.#work,
    )
  }

  /** Whether single authorities obviously allow every method on every path, for routes to any target. */
  holdsEverything(): boolean {
    const unlimited = this.#roles.filter(({ targets }) => targets === undefined)
    return new Containment(unlimited.flatMap(({ authorities }) => authorities)).holdsEverything()
  }

  /** Why an authority of a role with these targets is not held, in a sentence about `what`; undefined if it is. */
  reasonAgainst(what: string, authority: Authority, targets: Role['targets']): string | undefined {
    const missing = this.#all.notHeld(authority)
    if (missing !== undefined) return sentence(what, missing, '', conditionsOf(authority) !== undefined)
    // On records, no route is written.
    if (conditionsOf(authority) !== undefined) return undefined
    if (this.#roles.every((role) => role.targets === undefined)) return undefined
    for (const target of targets ?? [undefined]) {
      const missingFor = this.#leadingTo(target).notHeld(authority)
      if (missingFor !== undefined)
        return sentence(what, missingFor, ` for routes to ${target === undefined ? 'any target' : target}`)
    }
    return undefined
  }

  /** `target` is an entry of `targets`; undefined is any. */
  #leadingTo(target: string | undefined): Containment {
    const places = this.#roles.flatMap(({ targets }, place) => {
      const isLimited = targets !== undefined
      return !isLimited || (target !== undefined && coversPattern(targets, target)) ? [place] : []
    })
    const key = places.join()
    const known = this.#leading.get(key)
    if (known !== undefined) return known
    const own = places.flatMap((place) => this.#roles[place]?.authorities ?? [])
    const made = new Containment([...own, ...aboutNoRoutes], this.#work)
    this.#leading.set(key, made)
    return made
  }
}

/** All requests that write no route. */
const aboutNoRoutes: readonly CompiledAuthority[] = [
  { regex: allBut(routesPath, '.+'), methods: ['POST'] },
  { regex: allBut(`${routesPath}/`, '(?:|[^/]*/.*)'), methods: ['PUT'] },
  { regex: '.*', methods: knownMethods.filter((method) => method !== 'POST' && method !== 'PUT') },
].map((authority) => compileAuthority(authority, patternOf))

function sentence(what: string, { method, path }: NotHeld, forWhat: string, hasConditions = false): string {
  if (hasConditions && path !== undefined)
    return `${what} allows ${method} on "${path}" with conditions, which you may not do yourself without any, nor with ones that admit the same.`
  return path === undefined
    ? `${what} allows ${method}${forWhat} in a way that could not be compared with your own rights. Write it like one of your own authorities, or narrower.`
    : `${what} allows ${method} on "${path}"${forWhat}, which you may not do yourself.`
}
