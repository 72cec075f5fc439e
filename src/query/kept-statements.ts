import type { Syntax } from '../database/syntax.ts'
import { GenerationalCache } from '../util/generational-cache.ts'

/** Keeps what is compiled for a part of the schema, such as a table, as long as that part lives: a changed schema has new ones. */
export class KeptStatements<Part extends object, Value> {
  readonly #limit: number
  readonly #kept = new WeakMap<
    Part,
    { readonly syntax: Syntax; readonly values: GenerationalCache<string, Value> }
  >()

  /** `limit` is the largest number for each part. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** `identity` tells apart what is compiled for the same part. */
  get(part: Part, syntax: Syntax, identity: string, compile: () => Value): Value {
    let known = this.#kept.get(part)
    if (known?.syntax !== syntax) {
      known = { syntax, values: new GenerationalCache(this.#limit) }
      this.#kept.set(part, known)
    }
    const kept = known.values.get(identity)
    if (kept !== undefined) return kept
    const value = compile()
    known.values.set(identity, value)
    return value
  }
}
