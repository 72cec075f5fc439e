import { apart } from './apart.ts'
import { connectionOptions, type MysqlDriverOptions } from './connection-options.ts'
import { databaseErrorOf } from './error.ts'
import { quoteIdentifier } from './quote.ts'

const timeoutMs = 60_000

/** Creates the database, if it does not exist. Throws `DatabaseError`. */
export async function createMysqlDatabase(options: MysqlDriverOptions): Promise<void> {
  const { database: _, ...server } = connectionOptions(options)
  const sql = `create database if not exists ${quoteIdentifier(options.name)} character set utf8mb4`
  try {
    await apart(server, (connection) => connection.query(sql), timeoutMs)
  } catch (error) {
    throw databaseErrorOf(error)
  }
}
