import type { ListedSession } from './session-store.ts'

/** A session as its owner sees it in a list: nothing that could be used in its place. Times are ISO 8601, UTC. */
export interface ShownListedSession {
  readonly id: string
  /** Null, like the next one, for a session that an earlier version wrote. */
  readonly created: string | null
  /** When it was last used, approximately. */
  readonly last_used: string | null
  /** When it ends if it is not used any more. */
  readonly expires: string
}

/** One session of a list. */
export function showListedSession({ key, endsAt, summary }: ListedSession): ShownListedSession {
  return {
    id: key,
    created: summary === undefined ? null : new Date(summary.createdAt).toISOString(),
    last_used: summary === undefined ? null : new Date(summary.seenAt).toISOString(),
    expires: new Date(endsAt).toISOString(),
  }
}
