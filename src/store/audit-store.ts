import type { Connection } from '../database/driver.ts'
import { parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { optionalTextOf, type Statements, textOf } from './statements.ts'

/** What can be done with a record. */
export const auditActions = ['created', 'changed', 'deleted'] as const

/** The kinds of records whose changes are in the audit. */
export const auditedRecords = ['role', 'account', 'api_key', 'route', 'token', 'entity', 'name'] as const

/**
 * The members of a record that a change has set (`after` alone), replaced or removed (`before` alone). One without values
 * has changed, but the audit does not keep its values.
 */
export type AuditChanges = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>

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
  readonly action: (typeof auditActions)[number]
  readonly record: (typeof auditedRecords)[number]
  /** Name of the record; of an API key, that of its account. */
  readonly name: string
  /** The part of the record, in a few words; never a value. */
  readonly detail: string
  /** Absent where the audit knows no more than the rest of the entry. */
  readonly changes?: AuditChanges
}

/** Which entries to read. */
interface AuditPage {
  readonly limit: number
  /** Only entries older than the one with this id. */
  readonly before?: string | undefined
  /** Only those of this actor. */
  readonly account?: string | undefined
  readonly action?: AuditEntry['action'] | undefined
  readonly record?: AuditEntry['record'] | undefined
  /** Only those about records with this name. */
  readonly name?: string | undefined
  /** Only what happened from this time on, and before that one: ISO 8601, UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** The audit. Entries are written on the connection of the change itself, so that both are stored or neither. */
export interface AuditStore {
  /** Newest first. */
  list(connection: Connection, page: AuditPage): Promise<readonly AuditEntry[]>
  append(connection: Connection, entry: AuditEntry): Promise<void>
}

const columns = raw('id, happened_at, account, address, request_id, action, record, name, detail, changes')

/** The audit in the table `gatehouse_audit`. */
export function createAuditStore({ query, execute }: Statements): AuditStore {
  return {
    async list(connection, { limit, before, ...filters }) {
      const wanted: readonly (readonly [test: string, value: string | undefined])[] = [
        ['id <', before],
        ['account =', filters.account],
        ['action =', filters.action],
        ['record =', filters.record],
        ['name =', filters.name],
        ['happened_at >=', filters.from],
        ['happened_at <', filters.to],
      ]
      const tests = wanted.flatMap(([test, value]) =>
        value === undefined ? [] : [sql<SqlValue>`${raw(test)} ${parameter<SqlValue>(value)}`],
      )
      const where = tests.reduce<SqlFragment<SqlValue>>(
        (all, test, index) => sql<SqlValue>`${all}${raw(index === 0 ? ' where ' : ' and ')}${test}`,
        raw(''),
      )
      const rows = await query(
        connection,
        sql<SqlValue>`select ${columns} from gatehouse_audit${where} order by id desc limit ${parameter(limit)}`,
      )
      return rows.map(entryOf)
    },
    async append(connection, entry) {
      const { id, happenedAt, account, address, requestId, action, record, name, detail, changes } = entry
      const kept = changes === undefined ? null : JSON.stringify(changes)
      await execute(
        connection,
        sql`insert into gatehouse_audit (${columns}) values (${parameter(id)}, ${parameter(happenedAt)}, ${parameter(account ?? null)}, ${parameter(address)}, ${parameter(requestId)}, ${parameter(action)}, ${parameter(record)}, ${parameter(name)}, ${parameter(detail)}, ${parameter(kept)})`,
      )
    },
  }
}

function entryOf(row: Row): AuditEntry {
  const [id, happenedAt, account, address, requestId, action, record, name, detail, changes] = row
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
    ...(changes === null ? {} : { changes: JSON.parse(textOf(changes)) as AuditChanges }),
  }
}
