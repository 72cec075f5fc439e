import type { Connection } from '../database/driver.ts'
import { parameter, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** The definition of an entity after one change. */
export interface StoredEntityVersion {
  /** Counted from 1 for each name; it continues if an entity was deleted and created again. */
  readonly version: number
  /** The uploaded JSON; undefined if the entity was deleted. */
  readonly definition: Readonly<Record<string, unknown>> | undefined
  /** Username of the actor. */
  readonly changedBy: string
  /** ISO 8601, UTC. */
  readonly changedAt: string
}

/** The versions of all definitions, including deleted entities. Versions are never changed or removed. */
export interface EntityVersionStore {
  /** Of one entity, oldest first. */
  list(connection: Connection, entity: string): Promise<readonly StoredEntityVersion[]>
  /** The number of versions of all entities, which only grows. */
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

/** Stores the next version of an entity, in the transaction of the change. */
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
