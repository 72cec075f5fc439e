import { GenerationalCache } from '../../util/generational-cache.ts'
import { KnownQuick } from './known-quick.ts'

/** A statement that is answered in less time, with fewer bytes, does not delay the statements that run after it. */
const quickMs = 4
const quickBytes = 65_536
/** How many are known, and how long their texts are at most. */
const kept = 1000
const keptLength = 4096

/** Which statements are answered quickly, by what was seen of them; about the ones used last. */
export class QuickStatements {
  /** By their texts. */
  readonly #known = new KnownQuick(new GenerationalCache<string, number>(kept))

  isQuick(sql: string): boolean {
    return this.#known.has(sql)
  }

  /** A statement that ran by itself took so long, and had so many bytes. */
  ran(sql: string, milliseconds: number, bytes: number): void {
    if (milliseconds <= quickMs && bytes <= quickBytes && sql.length <= keptLength) this.#known.add(sql)
  }

  /** A statement kept others waiting. */
  wasSlow(sql: string): void {
    this.#known.remove(sql)
  }
}
