import type { ServerDriverSettings } from '../../driver.ts'
import { apart } from './apart.ts'
import { connectionOptions } from './connection-options.ts'
import { databaseErrorOf } from './error.ts'
import { quoteIdentifier } from './quote.ts'

const timeoutMs = 60_000

/** Number of the error for a database that another program has created meanwhile. */
const alreadyThere = 1007

/** Creates the database. Returns false if it exists already. Throws `DatabaseError`. */
export async function createMysqlDatabase(options: ServerDriverSettings): Promise<boolean> {
  const { database: _, ...server } = connectionOptions(options)
  const sql = `create database ${quoteIdentifier(options.name)} character set utf8mb4`
  try {
    await apart(server, (connection) => connection.query(sql), timeoutMs)
    return true
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === alreadyThere) return false
    throw databaseErrorOf(error)
  }
}
