import { GenerationalCache } from '../../util/generational-cache.ts'
import { KnownQuick } from './known-quick.ts'

/** What is answered in less time, with fewer bytes, counts as quick. */
export interface QuickLimits {
  readonly milliseconds: number
  readonly bytes: number
}

/** How many are known, and how long their texts are at most. */
const kept = 1000
const keptLength = 5000

/** Which statements are answered quickly, by what was seen of them; about the ones used last. */
export class QuickStatements {
  /** By their texts. */
  readonly #known = new KnownQuick(new GenerationalCache<string, number>(kept))
  readonly #limits: QuickLimits

  constructor(limits: QuickLimits) {
    this.#limits = limits
  }

  isQuick(sql: string): boolean {
    return this.#known.has(sql)
  }

  /** A statement took so long, and had so many bytes. */
  ran(sql: string, milliseconds: number, bytes: number): void {
    const isQuick = milliseconds <= this.#limits.milliseconds && bytes <= this.#limits.bytes
    if (isQuick && sql.length <= keptLength) this.#known.add(sql)
  }

  /** A statement kept others waiting. */
  wasSlow(sql: string): void {
    this.#known.remove(sql)
  }
}
