import type { StoredToken } from '../../store/token-store.ts'
import { LruCache } from '../../util/lru-cache.ts'

/** A token that was found in the store, ready to be compared with the clock. */
export interface KnownToken {
  readonly tokenHash: string
  readonly username: string
  readonly expiresAt: Date
}

const limit = 10_000

/**
 * Tokens that were used before, so that a request asks no database. Only tokens that exist are kept.
 * What was forgotten while it was being looked up is not kept either.
 */
export class TokenCache {
  readonly #tokens = new LruCache<string, KnownToken>(limit)
  readonly #lookUp: (tokenHash: string) => Promise<StoredToken | undefined>
  #forgotten = 0

  constructor(lookUp: (tokenHash: string) => Promise<StoredToken | undefined>) {
    this.#lookUp = lookUp
  }

  async find(tokenHash: string): Promise<KnownToken | undefined> {
    const known = this.#tokens.get(tokenHash)
    if (known !== undefined) return known
    const forgottenBefore = this.#forgotten
    const stored = await this.#lookUp(tokenHash)
    if (stored === undefined) return undefined
    const token = { tokenHash, username: stored.username, expiresAt: new Date(stored.expiresAt) }
    if (this.#forgotten === forgottenBefore) this.#tokens.set(tokenHash, token)
    return token
  }

  /** The token where it was used before, without asking. */
  held(tokenHash: string): KnownToken | undefined {
    return this.#tokens.get(tokenHash)
  }

  /** Keeps a token that cannot be looked up, as long as it is used and nothing is forgotten. */
  hold(token: KnownToken): void {
    this.#tokens.set(token.tokenHash, token)
  }

  forget(tokenHash: string): void {
    this.#forgotten += 1
    this.#tokens.delete(tokenHash)
  }

  forgetAll(): void {
    this.#forgotten += 1
    this.#tokens.clear()
  }
}
