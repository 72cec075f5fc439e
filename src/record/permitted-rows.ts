/** What a caller's rights say of rows, in the transaction that writes them. */
import type { Dialect } from '../database/dialect.ts'
import type { Connection } from '../database/driver.ts'
import type { Row, SqlValue } from '../database/sql-value.ts'
import { AppError } from '../errors/app-error.ts'
import { bind } from '../query/binding.ts'
import { compileRowTests } from '../query/compile-row-tests.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { mapInSlices } from '../util/time-slices.ts'
import { layoutOf, readableLayoutOf } from './record-layout.ts'
import { anyOf, type WriteGrant } from './record-rights.ts'
import { type PublishedEntity, rowKeyOf } from './record-rules.ts'
import { filterOfKeys, parted, type Reader, selectRowsOfKeys } from './select-rows.ts'
import { valueText } from './value-text.ts'

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

/** The rows of an entity as its caller may read them. */
export function readerOf({ rights }: PublishedEntity): Reader | undefined {
  return rights?.read && { rights: rights.read.table, variables: rights.variables() }
}

/** For each row, by its key, its JSON text as the caller may read it: without a member if not at all. */
export async function readableTexts(
  keys: readonly RowKey[],
  rows: readonly Row[],
  entity: PublishedEntity,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly string[]> {
  if (entity.rights?.read === undefined) return mapInSlices(rows, layoutOf(entity).write)
  const { columns, write } = readableLayoutOf(entity)
  const key = rowKeyOf(entity)
  const selection = { table: entity.table, columns: [...columns, ...key], reader: readerOf(entity) }
  const texts = new Map<string, string>()
  const found = await selectRowsOfKeys(selection, keys, connection, dialect)
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
    const plan = { table, columns: key, tests, filter: filterOfKeys(some) }
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

function identityOf(values: readonly SqlValue[]): string {
  return JSON.stringify(values.map(valueText))
}
