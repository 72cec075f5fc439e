import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import { MemorySessionStore } from './memory-session-store.ts'
import type { SessionStore } from './session-store.ts'

/** Where sessions are to be kept. */
export type SessionStoreOptions =
  | { readonly product: 'memory' }
  | { readonly product: 'sqlite'; readonly file: string }
  | { readonly product: 'redis'; readonly url: string; readonly prefix: string }

/** A store that was opened, and what it is good for. */
export interface OpenedSessionStore {
  readonly store: SessionStore
  /** Whether an account's sessions are listed: only where those of every node are known. */
  readonly listsSessions: boolean
}

/** How many sessions of nobody are kept in memory, and log-ins that were only begun. */
const looseLimit = 10_000

/** Opens a store. One that is on the network may be away: it is used as soon as it is there. */
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
        throw new AppError('SESSIONS_UNAVAILABLE', { detail: 'The address of the session store is none.' })
      const store = new RedisSessionStore({ ...options, now, lost })
      await store.settle(2000)
      return { store, listsSessions: true }
    }
  }
}
