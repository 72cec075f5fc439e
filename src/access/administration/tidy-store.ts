import { DatabaseError } from '../../database/database-error.ts'
import type { AccessParts } from '../access-parts.ts'

const intervalMs = 60_000

/**
 * Removes expired tokens, old failed logons and answered challenges, at most once a minute on each node: to be called before more of them are
 * created.
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
      await store.passkeys.removeEndedChallenges(connection, timestamp.toISOString())
    })
  } catch (error) {
    // Another node was removing the same, or the store is full; the rest is removed next time.
    if (!(error instanceof DatabaseError && (error.kind === 'deadlock' || error.kind === 'full'))) throw error
  }
}
