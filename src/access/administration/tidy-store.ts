import { DatabaseError } from '../../database/database-error.ts'
import type { AccessParts } from '../access-parts.ts'

/** When this node removes again what has ended. */
export interface Tidying {
  /** Milliseconds since 1970. */
  dueAt: number
}

const intervalMs = 60_000

/**
 * Removes ended tokens and old failures of logons, once a minute at most on each node: to be called before more of them
 * are made.
 */
export async function tidyStore({
  store,
  logonLimits,
  tidying,
  now,
}: Pick<AccessParts, 'store' | 'logonLimits' | 'tidying' | 'now'>): Promise<void> {
  const timestamp = now()
  if (timestamp.getTime() < tidying.dueAt) return
  tidying.dueAt = timestamp.getTime() + intervalMs
  try {
    await store.transaction(async (connection) => {
      await logonLimits.removeOld(connection)
      await store.tokens.removeEnded(connection, timestamp.toISOString())
    })
  } catch (error) {
    // Another node was removing the same, or the store is full; what is left goes next time.
    if (!(error instanceof DatabaseError && (error.kind === 'deadlock' || error.kind === 'full'))) throw error
  }
}
