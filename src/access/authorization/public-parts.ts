/**
 * What public routes open of the parts of a path (`part-rights.ts`): one for `/graphql/Port` opens the entity `Port` at
 * `/graphql`.
 */
import { includesMethod } from './method.ts'
import { partMethod } from './part-rights.ts'
import type { PublicAuthority } from './public-authority.ts'
import { literalAt, segmentsOf } from './route-path.ts'

/** The parts of a path that anyone may use. */
export interface OpenParts {
  readonly names: readonly string[]
  /** Whether some are open on some records or fields only. */
  readonly haveConditions: boolean
}

/** A route without a target, with what it opens; undefined for a protected one. */
interface PartRoute {
  readonly route: { readonly methods: readonly string[] }
  readonly pattern: readonly string[]
  readonly opens: PublicAuthority | undefined
}

const none: OpenParts = { names: [], haveConditions: false }

/** The routes that open parts, the most specific first. */
export class PublicParts {
  readonly #routes: readonly PartRoute[]
  readonly #known = new WeakMap<readonly string[], { readonly path: string; readonly open: OpenParts }>()

  constructor(routes: readonly PartRoute[]) {
    this.#routes = routes.filter(({ route }) => includesMethod(route.methods, partMethod))
  }

  /** What opens one part of a path. */
  openAt(path: string, name: string): PublicAuthority | undefined {
    const front = segmentsOf(path)
    return this.#routes.find(({ pattern }) => namesPart(pattern, front, name))?.opens
  }

  /** The open ones of some parts of a path. `names` is the same list as long as the parts do not change. */
  openOf(path: string, names: readonly string[]): OpenParts {
    if (this.#routes.length === 0) return none
    const known = this.#known.get(names)
    if (known?.path === path) return known.open
    const open = this.#find(path, names)
    this.#known.set(names, { path, open })
    return open
  }

  #find(path: string, names: readonly string[]): OpenParts {
    const front = segmentsOf(path)
    const openers = new Map<string | undefined, PublicAuthority | undefined>()
    for (const { pattern, opens } of this.#routes) {
      if (!isBelow(pattern, front)) continue
      const name = literalAt(pattern, front.length)
      if (!openers.has(name)) openers.set(name, opens)
    }
    const found = names.flatMap((name) => {
      const opens = openers.has(name) ? openers.get(name) : openers.get(undefined)
      return opens === undefined ? [] : [{ name, opens }]
    })
    if (found.length === 0) return none
    const haveConditions = found.some(({ opens: { conditions } }) => conditions !== undefined)
    return { names: found.map(({ name }) => name), haveConditions }
  }
}

/** Whether a pattern matches a part of a path that it names. */
export function namesPart(pattern: readonly string[], front: readonly string[], name: string): boolean {
  const literal = literalAt(pattern, front.length)
  return isBelow(pattern, front) && (literal === undefined || literal === name)
}

/** Whether a pattern is for paths one segment below one that it names. */
function isBelow(pattern: readonly string[], front: readonly string[]): boolean {
  return pattern.length === front.length + 1 && front.every((segment, index) => pattern[index] === segment)
}
