import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import type { Row } from '../../src/database/sql-value.ts'

/** Statements of another program at a database: names between backquotes are quoted as the product wants. */
export async function runStatements(
  options: DatabaseOptions,
  statements: readonly string[],
): Promise<readonly Row[]> {
  const database = await openDatabase(options)
  const quote = database.dialect.syntax.quoteIdentifier
  try {
    let rows: readonly Row[] = []
    for (const statement of statements) {
      const sql = statement.replace(/`([^`]+)`/g, (_, name: string) => quote(name))
      const isQuestion = /^select/i.test(sql)
      rows = await database.driver.transaction(async (connection) => {
        if (isQuestion) return connection.query({ sql, parameters: [] })
        await connection.execute({ sql, parameters: [] })
        return []
      })
    }
    return rows
  } finally {
    await database.driver.close()
  }
}
