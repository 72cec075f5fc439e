import { LruCache } from '../../util/lru-cache.ts'

/** A statement that is answered in less time, with fewer bytes, keeps nobody waiting who runs behind it. */
const quickMs = 4
const quickBytes = 65_536
/** One that was slow for some values is taken for slow for so long. */
const mistrustMs = 10_000
/** How many are known, and how long their texts are at most. */
const kept = 1000
const keptLength = 4096

/** Which statements are answered quickly, by what was seen of them; about the ones used last. */
export class QuickStatements {
  /** By their texts: from when on they are trusted, by `performance.now`. */
  readonly #trusted = new LruCache<string, number>(kept)

  isQuick(sql: string): boolean {
    const since = this.#trusted.get(sql)
    return since !== undefined && (since === 0 || since <= performance.now())
  }

  /** A statement that ran by itself took so long, and had so many bytes. */
  ran(sql: string, milliseconds: number, bytes: number): void {
    if (milliseconds > quickMs || bytes > quickBytes || sql.length > keptLength) return
    if (this.#trusted.get(sql) === undefined) this.#trusted.set(sql, 0)
  }

  /** A statement kept others waiting. */
  wasSlow(sql: string): void {
    this.#trusted.set(sql, performance.now() + mistrustMs)
  }
}
