import type { Dialect } from '../database/dialect.ts'
import { GenerationalCache } from '../util/generational-cache.ts'

type Syntaxes = Pick<Dialect, 'syntax'>

/** What is compiled again and again for a table or a part of it, kept as long as that. */
export class KeptStatements<Owner extends object, Value> {
  readonly #limit: number
  readonly #kept = new WeakMap<Owner, Syntaxes & { readonly values: GenerationalCache<string, Value> }>()

  /** `limit` is the largest number for each owner. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** `identity` tells apart what is compiled for the same owner. */
  get(owner: Owner, { syntax }: Syntaxes, identity: string, compile: () => Value): Value {
    let known = this.#kept.get(owner)
    if (known?.syntax !== syntax) {
      known = { syntax, values: new GenerationalCache(this.#limit) }
      this.#kept.set(owner, known)
    }
    const kept = known.values.get(identity)
    if (kept !== undefined) return kept
    const value = compile()
    known.values.set(identity, value)
    return value
  }
}
