/** What a caller's rights say of rows, in the transaction that writes them. */
import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row } from '../database/sql-value.ts'
import { AppError } from '../errors/app-error.ts'
import { bind } from '../query/binding.ts'
import { storedColumn } from '../query/compile-filter.ts'
import { compileRowTests } from '../query/compile-row-tests.ts'
import type { TableRights } from '../query/filter.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { keyColumnsOf } from '../query/read-order.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { layoutOf, readableLayoutOf } from './record-layout.ts'
import { anyOf, type WriteGrant } from './record-rights.ts'
import { type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { filterOfKeys, parted, type Reader, selectRowsOfKeys } from './select-rows.ts'
import { identityOf } from './value-text.ts'

/** ROW_NOT_ALLOWED with a sentence. */
export function rowNotAllowed(detail: string): AppError {
  return new AppError('ROW_NOT_ALLOWED', { detail })
}

/**
 * Throws ROW_NOT_ALLOWED where rights depend on what a record is after the write, and the table cannot undo one that they
 * do not admit.
 */
export function requireUndoable({ table, rights }: PublishedEntity): void {
  const write = rights?.write
  const admitsAll = write === undefined || (write.length > 0 && write.every(({ rows }) => rows === undefined))
  if (admitsAll || !table.isPermanent) return
  throw rowNotAllowed(
    `The engine of ${table.id} has no transactions, so that a write which the rights of the caller do not admit could not be undone. It takes rights without conditions on rows.`,
  )
}

/** Finds the rows that a write may name: those that the caller may read or write. */
export function writerOf({ rights }: PublishedEntity): Reader | undefined {
  if (rights?.write === undefined || rights.read === undefined) return undefined
  const rows = anyOf([rights.read.table.rows, ...rights.write.map((grant) => grant.rows)])
  return rows && { rights: { rows, masks: new Map() }, variables: rights.variables() }
}

/** A key, and the reader of its row as its caller may read it: the row is found by the key also where that is hidden. */
export function readUnder(
  key: RowKey,
  { table, rights }: PublishedEntity,
): { readonly key: RowKey; readonly reader: Reader | undefined } {
  if (rights?.read === undefined) return { key, reader: undefined }
  const reader = { rights: rights.read.table, variables: rights.variables() }
  return { key: storedKey(key, reader.rights, table), reader }
}

/** The names of those columns that the GlobalId of a row does not tell. */
export function untoldNames(columns: readonly Column[], table: Table): readonly string[] {
  const told = new Set(keyColumnsOf(table).map(({ name }) => name))
  return columns.map(({ name }) => name).filter((name) => !told.has(name))
}

/** The same key, by the columns as they are stored. */
function storedKey(key: RowKey, rights: TableRights, table: Table): RowKey {
  return key.map(({ column, value }) => ({ column: storedColumn(table, column, rights), value }))
}

/** For each row, by its key, its JSON text as the caller may read it: without a member if not at all. */
export async function readableTexts(
  keys: readonly RowKey[],
  rows: readonly Row[],
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly string[]> {
  const { table, rights } = entity
  if (rights?.read === undefined) return mapInSlices(rows, layoutOf(entity).write)
  const { columns, write } = readableLayoutOf(entity)
  const reader = { rights: rights.read.table, variables: rights.variables() }
  const key = rowKeyOf(entity).map((column) => storedColumn(table, column, reader.rights))
  const selection = { table, columns: [...columns, ...key], reader, lock: 'held' } as const
  const texts = new Map<string, string>()
  const stored = keys.map((own) => storedKey(own, reader.rights, table))
  const found = await selectRowsOfKeys(selection, stored, connection, dialect)
  await mapInSlices(found, (row) => texts.set(identityOf(row.slice(columns.length)), write(row)))
  return keys.map((own) => texts.get(identityOf(own.map(({ value }) => value))) ?? '{}')
}

/** For each row, by its key, which of the caller's rights to write admit it; undefined if it may write everything. */
export async function admittingGrants(
  keys: readonly RowKey[],
  { table, rules, rights }: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly (readonly WriteGrant[] | undefined)[]> {
  if (rights?.write === undefined) return keys.map(() => undefined)
  const { write } = rights
  const variables = rights.variables()
  const key = rowKeyOf({ table, rules })
  const tests = write.map(({ rows }) => rows)
  const admitting = new Map<string, readonly WriteGrant[]>()
  for (const some of tests.length === 0 ? [] : parted(keys)) {
    const plan = { table, columns: key, tests, filter: filterOfKeys(some), lock: 'held' } as const
    const template = compileRowTests(plan, dialect)
    const parameters = bind(template.bindings, { variables, syntax: dialect.syntax })
    for (const row of await connection.query({ sql: template.sql, parameters })) {
      const results = row.slice(key.length)
      const grants = write.filter((_, index) => Number(results[index]) === 1)
      admitting.set(identityOf(row.slice(0, key.length)), grants)
    }
  }
  return keys.map((own) => admitting.get(identityOf(own.map(({ value }) => value))) ?? [])
}
