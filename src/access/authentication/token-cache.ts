import type { StoredToken } from '../../store/token-store.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'

/** A token that was looked up, with its expiry parsed. */
export interface KnownToken {
  readonly tokenHash: string
  readonly username: string
  readonly expiresAt: Date
}

const limit = 10_000

/**
 * A cache of used tokens, so that a request needs no database. Only existing tokens are cached. A token that was removed
 * from the cache during its look-up is not cached either.
 */
export class TokenCache {
  readonly #tokens = new GenerationalCache<string, KnownToken>(limit)
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

  /** The cached token, without a look-up. */
  held(tokenHash: string): KnownToken | undefined {
    return this.#tokens.get(tokenHash)
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
