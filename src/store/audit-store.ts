import type { Connection } from '../database/driver.ts'
import { parameter, raw, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** An audit entry: who changed what, when and from where. Entries are never changed or removed. */
export interface AuditEntry {
  /** Sorts by time. */
  readonly id: string
  /** ISO 8601, UTC. */
  readonly happenedAt: string
  /** Username of the actor; undefined if the program did it by itself. */
  readonly account: string | undefined
  /** Network address of the actor; '' if there is none. */
  readonly address: string
  readonly requestId: string
  readonly action: 'created' | 'changed' | 'deleted'
  readonly record: 'role' | 'account' | 'api_key' | 'route' | 'token' | 'entity' | 'name'
  /** Name of the record; of an API key, that of its account. */
  readonly name: string
  /** The part of the record, in a few words; never a value. */
  readonly detail: string
}

/** Which entries to read. */
interface AuditPage {
  readonly limit: number
  /** Only entries older than the one with this id. */
  readonly before: string | undefined
}

/** The audit. Entries are written on the connection of the change itself, so that both are stored or neither. */
export interface AuditStore {
  /** Newest first. */
  list(connection: Connection, page: AuditPage): Promise<readonly AuditEntry[]>
  append(connection: Connection, entry: AuditEntry): Promise<void>
}

const columns = raw('id, happened_at, account, address, request_id, action, record, name, detail')

/** The audit in the table `gatehouse_audit`. */
export function createAuditStore({ query, execute }: Statements): AuditStore {
  return {
    async list(connection, { limit, before }) {
      const older = before === undefined ? raw('') : sql` where id < ${parameter(before)}`
      const rows = await query(
        connection,
        sql<SqlValue>`select ${columns} from gatehouse_audit${older} order by id desc limit ${parameter(limit)}`,
      )
      return rows.map(entryOf)
    },
    async append(connection, entry) {
      const { id, happenedAt, account, address, requestId, action, record, name, detail } = entry
      await execute(
        connection,
        sql`insert into gatehouse_audit (${columns}) values (${parameter(id)}, ${parameter(happenedAt)}, ${parameter(account ?? null)}, ${parameter(address)}, ${parameter(requestId)}, ${parameter(action)}, ${parameter(record)}, ${parameter(name)}, ${parameter(detail)})`,
      )
    },
  }
}

function entryOf(row: Row): AuditEntry {
  const [id, happenedAt, account, address, requestId, action, record, name, detail] = row
  return {
    id: textOf(id),
    happenedAt: textOf(happenedAt),
    account: optionalTextOf(account),
    address: textOf(address),
    requestId: textOf(requestId),
    action: textOf(action) as AuditEntry['action'],
    record: textOf(record) as AuditEntry['record'],
    name: textOf(name),
    detail: textOf(detail),
  }
}
