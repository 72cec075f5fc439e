/** What somebody holds by his roles, compared with what others are to get. */

import { routesPath } from '../administration/route-writers.ts'
import { type Authority, type CompiledAuthority, compileAuthority, patternOf } from './authority.ts'
import { Containment, type ContainmentWork, type NotHeld } from './authority-containment.ts'
import { knownMethods } from './method.ts'
import type { CompiledRole, Role } from './role.ts'
import { coversPattern } from './target-pattern.ts'

/** The authorities of some roles together, each with the targets of its role. */
export class HeldRights {
  readonly #roles: readonly CompiledRole[]
  readonly #work: ContainmentWork = { done: 0 }
  readonly #all: Containment
  /** Of those roles, by their places, that may lead routes to a target; beside what is about no routes. */
  readonly #leading = new Map<string, Containment>()

  constructor(roles: readonly CompiledRole[]) {
    this.#roles = roles
    this.#all = new Containment(
      roles.flatMap(({ authorities }) => authorities),
      this.#work,
    )
  }

  /** Whether every method is held on every path, for routes to any target, by single authorities that say so plainly. */
  holdsEverything(): boolean {
    const unlimited = this.#roles.filter(({ targets }) => targets === undefined)
    return new Containment(unlimited.flatMap(({ authorities }) => authorities)).holdsEverything()
  }

  /** Why an authority of a role with these targets is not held, in a sentence about `what`; undefined where it is. */
  reasonAgainst(what: string, authority: Authority, targets: Role['targets']): string | undefined {
    const missing = this.#all.notHeld(authority)
    if (missing !== undefined) return sentence(what, missing, '')
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

/** Every request that writes no route. */
const aboutNoRoutes: readonly CompiledAuthority[] = [
  { regex: allBut(routesPath, '.+'), methods: ['POST'] },
  { regex: allBut(`${routesPath}/`, '(?:|[^/]*/.*)'), methods: ['PUT'] },
  { regex: '.*', methods: knownMethods.filter((method) => method !== 'POST' && method !== 'PUT') },
].map((authority) => compileAuthority(authority, patternOf))

/** Whatever does not begin with `front`, and what does where `rest` matches all behind it. */
function allBut(front: string, rest: string): string {
  return [...front].reduceRight((inner, character) => `(?:|[^${character}].*|${character}${inner})`, rest)
}

function sentence(what: string, { method, path }: NotHeld, forWhat: string): string {
  return path === undefined
    ? `${what} allows ${method}${forWhat} in a way that could not be compared with what you are allowed yourself. Write it as one of your own authorities is written, or narrower.`
    : `${what} allows ${method} on "${path}"${forWhat}, and you are not allowed that yourself.`
}
