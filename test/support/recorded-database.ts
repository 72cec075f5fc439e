import type { Database } from '../../src/database/dialect.ts'
import type { Connection, Statement } from '../../src/database/driver.ts'
import { ListedRows } from '../../src/database/row-set.ts'
import type { Row } from '../../src/database/sql-value.ts'
import type { Syntax } from '../../src/database/syntax.ts'

/** A database without a server: it notes the statements, and answers the first one with the first list of rows, and so on. */
export function recordedDatabase(
  syntax: Syntax,
  answers: readonly (readonly Row[])[],
): { readonly database: Database; readonly statements: readonly Statement[] } {
  const statements: Statement[] = []
  const answer = (statement: Statement): readonly Row[] => {
    statements.push(statement)
    return answers[statements.length - 1] ?? []
  }
  const refuse = () => {
    throw new Error('A recorded database is only read, in one piece.')
  }
  const connection: Connection = {
    query: async (statement) => answer(statement),
    select: async (statement) => new ListedRows(answer(statement)),
    execute: refuse,
  }
  const driver = { read: <Result>(work: (c: Connection) => Promise<Result>) => work(connection) }
  return { database: { dialect: { syntax }, driver } as unknown as Database, statements }
}
