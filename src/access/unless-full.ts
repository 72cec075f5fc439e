import { DatabaseError } from '../database/database-error.ts'
import type { Connection } from '../database/driver.ts'
import type { Store } from '../store/store.ts'

/**
 * Runs work in a transaction. If the store has no space left and no other process uses it, the work starts again and may
 * only read (`canWrite`): what it would have written stays in the memory of this process.
 */
export async function unlessFull<Result>(
  { store }: { readonly store: Pick<Store, 'transaction' | 'read' | 'isEmbedded'> },
  work: (connection: Connection, canWrite: boolean) => Promise<Result>,
): Promise<Result> {
  try {
    return await store.transaction((connection) => work(connection, true))
  } catch (error) {
    const isFull = error instanceof DatabaseError && error.kind === 'full'
    if (!isFull || !store.isEmbedded) throw error
    return store.read((connection) => work(connection, false))
  }
}
