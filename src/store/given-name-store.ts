import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import type { SqlValue } from '../database/sql-value.ts'
import type { FormerNames, GivenNames } from './given-names.ts'
import { type Statements, textOf } from './statements.ts'

/** Stored names, with their version. */
export interface KeptNames {
  /** Grows with every change. */
  readonly revision: number
  readonly names: GivenNames
}

/** The names that were given to tables and to the fields of foreign keys. */
export interface GivenNameStore {
  /** Undefined if none were stored. */
  read(connection: Connection): Promise<KeptNames | undefined>
  /**
   * Stores `names` in place of the result of `read`. Returns false, without a change, if others have been stored since.
   * Fails with a unique violation if nothing was stored and another node is first.
   */
  replace(connection: Connection, before: KeptNames | undefined, names: GivenNames): Promise<boolean>
  /** What a version stored that did not store the names of tables; undefined if there is nothing. */
  readFormer(connection: Connection, naming: string): Promise<FormerNames | undefined>
}

/** The names in the table `gatehouse_given_names`. */
export function createGivenNameStore({ query, execute }: Statements): GivenNameStore {
  return {
    async read(connection) {
      const [row] = await query(
        connection,
        sql`select revision, names from gatehouse_given_names where id = 1`,
      )
      return row && { revision: Number(row[0]), names: JSON.parse(textOf(row[1])) }
    },
    async replace(connection, before, names) {
      const text = parameter(JSON.stringify(names))
      const changed = await execute(
        connection,
        before === undefined
          ? sql`insert into gatehouse_given_names (id, revision, names) values (1, 1, ${text})`
          : sql<SqlValue>`update gatehouse_given_names set revision = ${parameter(before.revision + 1)}, names = ${text} where id = 1 and revision = ${parameter(before.revision)}`,
      )
      return changed > 0
    },
    async readFormer(connection, naming) {
      const rows = await query(connection, sql`select naming, names from gatehouse_relation_name`)
      const found = rows.find((row) => row[0] === naming)
      if (rows.length === 0) return undefined
      return found === undefined ? {} : { relations: JSON.parse(textOf(found[1])) }
    },
  }
}
