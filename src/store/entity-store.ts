import type { Connection } from '../database/driver.ts'
import { parameter, raw, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { appendEntityVersion } from './entity-version-store.ts'
import { type PageRequest, pageBy } from './page-request.ts'
import { type Statements, textOf } from './statements.ts'

/** A stored entity definition: what was uploaded, and what the gateway decided about it. */
export interface StoredEntity {
  readonly name: string
  /** The uploaded JSON, unchanged. */
  readonly definition: Readonly<Record<string, unknown>>
  /** The segment below `/apis/` where it is published, for example `ports`; set at the first upload. */
  readonly resource: string
  /** Username of the last uploader. */
  readonly changedBy: string
  /** ISO 8601, UTC. */
  readonly changedAt: string
}

/** Which entity is removed, by whom and when. */
export type EntityRemovalNote = Pick<StoredEntity, 'name' | 'changedBy' | 'changedAt'>

/** Uses the given connection, so that records and tables change in one transaction. */
export interface EntityStore {
  /** By name; all without a page. */
  list(connection: Connection, page?: PageRequest): Promise<readonly StoredEntity[]>
  find(connection: Connection, name: string): Promise<StoredEntity | undefined>
  /** Inserts or replaces, and stores the next version. */
  save(connection: Connection, entity: StoredEntity): Promise<void>
  /** Removes one and stores that as its next version; whether there was one. */
  remove(connection: Connection, removal: EntityRemovalNote): Promise<boolean>
}

const columns = raw('name, definition, resource, changed_by, changed_at')

/** The entities in the table `gatehouse_entity`. */
export function createEntityStore(statements: Statements): EntityStore {
  const { query, execute } = statements
  return {
    async list(connection, page) {
      const rows = await query(
        connection,
        sql<SqlValue>`select ${columns} from gatehouse_entity ${pageBy('name', page)}`,
      )
      return mapInSlices(rows, entityOf)
    },
    async find(connection, name) {
      const rows = await query(
        connection,
        sql`select ${columns} from gatehouse_entity where name = ${parameter(name)}`,
      )
      return rows.map(entityOf)[0]
    },
    async save(connection, { name, definition, resource, changedBy, changedAt }) {
      await appendEntityVersion(statements, connection, { name, definition, changedBy, changedAt })
      const text = JSON.stringify(definition)
      const changed = await execute(
        connection,
        sql`update gatehouse_entity set definition = ${parameter(text)}, resource = ${parameter(resource)}, changed_by = ${parameter(changedBy)}, changed_at = ${parameter(changedAt)} where name = ${parameter(name)}`,
      )
      if (changed > 0) return
      await execute(
        connection,
        sql`insert into gatehouse_entity (name, definition, resource, changed_by, changed_at) values (${parameter(name)}, ${parameter(text)}, ${parameter(resource)}, ${parameter(changedBy)}, ${parameter(changedAt)})`,
      )
    },
    async remove(connection, { name, changedBy, changedAt }) {
      const changed = await execute(
        connection,
        sql`delete from gatehouse_entity where name = ${parameter(name)}`,
      )
      if (changed === 0) return false
      await appendEntityVersion(statements, connection, { name, definition: undefined, changedBy, changedAt })
      return true
    },
  }
}

function entityOf([name, definition, resource, changedBy, changedAt]: Row): StoredEntity {
  return {
    name: textOf(name),
    definition: JSON.parse(textOf(definition)),
    resource: textOf(resource),
    changedBy: textOf(changedBy),
    changedAt: textOf(changedAt),
  }
}
