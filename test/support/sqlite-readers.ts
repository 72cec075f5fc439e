import { DatabaseSync } from 'node:sqlite'
import type { DatabaseOptions } from '../../src/database/open-database.ts'

/**
 * How many statements use a SQLite file, as far as the file tells: 1 if there are any, otherwise 0. Anyone who reads keeps
 * the write-ahead log, into which something is written here, from being emptied; anyone who writes keeps others from it.
 */
export async function sqliteReaders(options: DatabaseOptions): Promise<number> {
  if (options.product !== 'sqlite') throw new Error('This is not a SQLite database.')
  const database = new DatabaseSync(options.file)
  try {
    const { user_version } = database.prepare('pragma user_version').get() ?? {}
    database.exec(`pragma user_version = ${Number(user_version) + 1}`)
    return Number(database.prepare('pragma wal_checkpoint(truncate)').get()?.busy)
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return 1
    throw error
  } finally {
    database.close()
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5
