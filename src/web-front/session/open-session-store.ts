import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { MemorySessionStore } from './memory-session-store.ts'
import type { SessionStore } from './session-store.ts'

/** Where sessions are to be kept. */
export type SessionStoreOptions =
  | { readonly product: 'memory' }
  | { readonly product: 'sqlite'; readonly file: string }
  | { readonly product: 'redis'; readonly url: string; readonly prefix: string }

/** An opened store, and what it supports. */
export interface OpenedSessionStore {
  readonly store: SessionStore
  /** Whether an account's sessions are listed: only if those of all nodes are known. */
  readonly listsSessions: boolean
}

/** How many anonymous sessions and unfinished logins are kept in memory. */
const looseLimit = 10_000

/** Opens a store. One on the network may be unavailable: it is used as soon as it responds. */
export async function openSessionStore(
  options: SessionStoreOptions,
  now: Clock,
  lost: (error: unknown) => void,
): Promise<OpenedSessionStore> {
  switch (options.product) {
    case 'memory':
      return { store: new MemorySessionStore({ now, looseLimit }), listsSessions: false }
    case 'sqlite': {
      const { SqliteSessionStore } = await import('./sqlite-session-store.ts')
      return { store: new SqliteSessionStore(options.file, now), listsSessions: false }
    }
    case 'redis': {
      const { RedisSessionStore } = await import('./redis-session-store.ts')
      if (!URL.canParse(options.url))
        throw new AppError('SESSIONS_UNAVAILABLE', {
          detail: 'The address of the session store is not valid.',
        })
      const store = new RedisSessionStore({ ...options, now, lost })
      await store.settle(2000)
      return { store, listsSessions: true }
    }
  }
}
