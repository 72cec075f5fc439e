import type { Connection } from '../../database/driver.ts'
import type { ChangeVersions } from '../../store/change-store.ts'
import type { Store } from '../../store/store.ts'
import type { StoredToken } from '../../store/token-store.ts'
import { GenerationalCache } from '../../util/generational-cache.ts'

const mostTokens = 10_000

/** A token, and what its account was read from. */
interface UnwrittenToken {
  readonly token: StoredToken
  readonly versions: ChangeVersions
}

/**
 * Tokens that cannot be stored because the store is full: only this process knows them. Any change of accounts, roles or
 * tokens ends them all, since it may have been meant to end one of them.
 */
export class UnwrittenTokens {
  readonly #store: Pick<Store, 'changes'>
  readonly #byHash = new GenerationalCache<string, UnwrittenToken>(mostTokens)

  constructor(store: Pick<Store, 'changes'>) {
    this.#store = store
  }

  /** Keeps a token for an account that was read from the same connection. */
  async hold(connection: Connection, token: StoredToken): Promise<void> {
    const versions = await this.#store.changes.versions(connection)
    this.#byHash.set(token.tokenHash, { token, versions })
  }

  /** The token, if nothing that could end it has changed. */
  async find(connection: Connection, tokenHash: string): Promise<StoredToken | undefined> {
    const held = this.#byHash.get(tokenHash)
    if (held === undefined) return undefined
    const { records, tokens } = await this.#store.changes.versions(connection)
    if (records === held.versions.records && tokens === held.versions.tokens) return held.token
    this.#byHash.delete(tokenHash)
    return undefined
  }

  /** Returns whether it was one of them. */
  forget(tokenHash: string): boolean {
    const isHeld = this.#byHash.get(tokenHash) !== undefined
    this.#byHash.delete(tokenHash)
    return isHeld
  }
}
