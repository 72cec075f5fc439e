import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import { optionalTextOf, type Statements } from './statements.ts'

/** The names that were given to the fields of foreign keys, as one text for each way of naming. */
export interface RelationNameStore {
  /** Nothing where none were kept. */
  read(connection: Connection, naming: string): Promise<string | undefined>
  /**
   * Keeps `names` instead of `before`, what `read` gave. Whether it did: where another text has been kept since,
   * nothing changes. Fails with a unique violation where `before` is nothing and another node is first.
   */
  replace(connection: Connection, naming: string, before: string | undefined, names: string): Promise<boolean>
}

/** The names in the table `gatehouse_relation_name`. */
export function createRelationNameStore({ query, execute }: Statements): RelationNameStore {
  return {
    async read(connection, naming) {
      const [row] = await query(
        connection,
        sql`select names from gatehouse_relation_name where naming = ${parameter(naming)}`,
      )
      return optionalTextOf(row?.[0])
    },
    async replace(connection, naming, before, names) {
      const changed = await execute(
        connection,
        before === undefined
          ? sql`insert into gatehouse_relation_name (naming, names) values (${parameter(naming)}, ${parameter(names)})`
          : sql`update gatehouse_relation_name set names = ${parameter(names)} where naming = ${parameter(naming)} and names = ${parameter(before)}`,
      )
      return changed > 0
    },
  }
}
