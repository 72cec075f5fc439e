import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Statement } from '../database/driver.ts'
import { join, parameter, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import type { SqlValue } from '../database/sql-value.ts'
import type { MutatePlan, RowKey } from './mutate-plan.ts'

/** Few enough for fast parsing: the time to number the placeholders may grow with their square. */
const parameterLimit = 1000
/** Below the limit of every database; rows that may reference each other go into one statement if possible. */
const linkedParameterLimit = 30_000

/** The statements of a plan, to be run in sequence; more than one only for very many rows. */
export function compileMutate(plan: MutatePlan, { syntax }: Pick<Dialect, 'syntax'>): readonly Statement[] {
  const name = (text: string) => raw(syntax.quoteIdentifier(text))
  const table = raw(syntax.quoteTable(plan.table))
  const equal = ({ column, value }: RowKey[number]) =>
    sql<SqlValue>`${name(column.name)} = ${parameter(value)}`
  const write = (column: Column | undefined, value: SqlValue) =>
    parameter(
      column?.items !== undefined && typeof value === 'string'
        ? (syntax.listText?.(column, value) ?? value)
        : value,
    )
  const rowOf = (columns: readonly Column[], values: readonly SqlValue[]) =>
    sql<SqlValue>`(${join(
      values.map((value, index) => write(columns[index], value)),
      ', ',
    )})`
  const where = (key: RowKey) => sql<SqlValue>`where ${join(key.map(equal), ' and ')}`
  const returning = (columns: readonly Column[] = []) => {
    const told = (syntax.insertedKeys.by === 'returning' ? columns : []).map((column) =>
      syntax.readColumn(column, name(column.name)),
    )
    return told.length === 0 ? raw('') : sql` returning ${join(told, ', ')}`
  }
  const finish = (fragment: SqlFragment<SqlValue>): Statement => render(fragment, syntax.placeholder)
  switch (plan.kind) {
    case 'insert': {
      const columns = join(
        plan.columns.map((column) => name(column.name)),
        ', ',
      )
      const tail = returning(plan.returning)
      if (plan.columns.length === 0) {
        return plan.rows.map(() => finish(sql<SqlValue>`insert into ${table} ${raw(syntax.emptyRow)}${tail}`))
      }
      const insert = (rows: readonly (readonly SqlValue[])[]) =>
        finish(
          sql<SqlValue>`insert into ${table} (${columns}) values ${join(
            rows.map((row) => rowOf(plan.columns, row)),
            ', ',
          )}${tail}`,
        )
      const limit = refersToItself(plan.table) ? linkedParameterLimit : parameterLimit
      return chunks(plan.rows, Math.max(1, Math.floor(limit / plan.columns.length))).map(insert)
    }
    case 'update': {
      const changes = [...plan.values].map(
        ([column, value]) => sql<SqlValue>`${name(column.name)} = ${write(column, value)}`,
      )
      return [finish(sql<SqlValue>`update ${table} set ${join(changes, ', ')} ${where(plan.key)}`)]
    }
    case 'delete':
      return [finish(sql<SqlValue>`delete from ${table} ${where(plan.key)}${returning(plan.returning)}`)]
  }
}

function refersToItself({ id, foreignKeys }: Table): boolean {
  return foreignKeys.some(({ referencedTable }) => referencedTable === id)
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const result: (readonly Item[])[] = []
  for (let start = 0; start < items.length; start += size) result.push(items.slice(start, start + size))
  return result
}
