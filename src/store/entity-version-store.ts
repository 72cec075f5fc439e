import type { Connection, Row, SqlValue } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** What the definition of an entity was after one change. */
export interface StoredEntityVersion {
  /** Counted from 1 for each name; it goes on where an entity was deleted and came again. */
  readonly version: number
  /** The uploaded JSON; undefined where the entity was deleted. */
  readonly definition: Readonly<Record<string, unknown>> | undefined
  /** Username of who changed it. */
  readonly changedBy: string
  /** ISO 8601, UTC. */
  readonly changedAt: string
}

/** The versions of all definitions, those of deleted entities too. Kept for ever: there is no way to change or remove one. */
export interface EntityVersionStore {
  /** Of one entity, oldest first. */
  list(connection: Connection, entity: string): Promise<readonly StoredEntityVersion[]>
  /** How many there are of all entities: a number that only grows. */
  count(connection: Connection): Promise<number>
}

/** The versions in the table `gatehouse_entity_version`. */
export function createEntityVersionStore({ query }: Statements): EntityVersionStore {
  return {
    async list(connection, entity) {
      const rows = await query(
        connection,
        sql`select version, definition, changed_by, changed_at from gatehouse_entity_version where entity_name = ${parameter(entity)} order by version`,
      )
      return rows.map(versionOf)
    },
    async count(connection) {
      const [row] = await query(connection, sql`select count(*) from gatehouse_entity_version`)
      return Number(row?.[0])
    },
  }
}

/** Keeps the next version of an entity, in the transaction of the change. */
export async function appendEntityVersion(
  { execute }: Statements,
  connection: Connection,
  {
    name,
    definition,
    changedBy,
    changedAt,
  }: Omit<StoredEntityVersion, 'version'> & { readonly name: string },
): Promise<void> {
  const text = definition === undefined ? null : JSON.stringify(definition)
  await execute(
    connection,
    sql<SqlValue>`insert into gatehouse_entity_version (entity_name, version, definition, changed_by, changed_at) select ${parameter(name)}, coalesce(max(version), 0) + 1, ${parameter(text)}, ${parameter(changedBy)}, ${parameter(changedAt)} from gatehouse_entity_version where entity_name = ${parameter(name)}`,
  )
}

function versionOf([version, definition, changedBy, changedAt]: Row): StoredEntityVersion {
  const text = optionalTextOf(definition)
  return {
    version: Number(version),
    definition: text === undefined ? undefined : JSON.parse(text),
    changedBy: textOf(changedBy),
    changedAt: textOf(changedAt),
  }
}
