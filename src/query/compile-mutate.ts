import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import type { Statement } from '../database/driver.ts'
import { join, parameter, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import type { SqlValue } from '../database/sql-value.ts'
import type { Syntax } from '../database/syntax.ts'
import { KeptStatements } from './kept-statements.ts'
import type { MutatePlan, RowKey } from './mutate-plan.ts'
import { alias } from './select-parts.ts'

/** Few enough for fast parsing: the time to number the placeholders may grow with their square. */
const parameterLimit = 1000
/** Below the limit of every database; rows that may reference each other go into one statement if possible. */
const linkedParameterLimit = 30_000

/** The statements of a plan, to be run in sequence; more than one only for very many rows. */
export function compileMutate(plan: MutatePlan, { syntax }: Pick<Dialect, 'syntax'>): readonly Statement[] {
  const written = (column: Column | undefined, value: SqlValue) =>
    column === undefined || syntax.writtenForm === undefined ? value : syntax.writtenForm(column, value)
  const valuesOf = (key: RowKey) => key.map(({ column, value }) => written(column, value))
  switch (plan.kind) {
    case 'insert': {
      const { table, columns, rows } = plan
      if (columns.length === 0) return rows.map(() => ({ sql: textOfOne(plan, syntax), parameters: [] }))
      const parametersOf = (row: readonly SqlValue[]) =>
        syntax.writtenForm === undefined ? row : row.map((value, index) => written(columns[index], value))
      const [first] = rows
      if (first !== undefined && rows.length === 1)
        return [{ sql: textOfOne(plan, syntax), parameters: parametersOf(first) }]
      const limit = refersToItself(table) ? linkedParameterLimit : parameterLimit
      return chunks(rows, Math.max(1, Math.floor(limit / columns.length))).map((some) => ({
        sql: some.length === 1 ? textOfOne(plan, syntax) : textOf(plan, some.length, syntax),
        parameters: some.flatMap(parametersOf),
      }))
    }
    case 'update': {
      const changes = Array.from(plan.values, ([column, value]) => written(column, value))
      return [{ sql: textOfOne(plan, syntax), parameters: [...changes, ...valuesOf(plan.key)] }]
    }
    case 'delete':
      return [{ sql: textOfOne(plan, syntax), parameters: valuesOf(plan.key) }]
  }
}

/** Changes of one row, by table. Their texts stay the same strings, which are also found faster among prepared statements. */
const textsOfOne = new KeptStatements<Table, string>(200)

function textOfOne(plan: MutatePlan, syntax: Syntax): string {
  let identity: string = plan.kind
  // No product has names with this character.
  for (const columns of columnsOf(plan)) {
    identity += `\0${columns.length}`
    for (const { name } of columns) identity += `\0${name}`
  }
  if (plan.kind === 'insert' && plan.shown !== undefined) identity += `\0${plan.shown}`
  return textsOfOne.get(plan.table, syntax, identity, () => textOf(plan, 1, syntax))
}

/** The columns that a change names: those that it sets, those of the key, and those that are returned. */
function columnsOf(plan: MutatePlan): readonly (readonly Column[])[] {
  switch (plan.kind) {
    case 'insert':
      return [plan.columns, plan.returning ?? []]
    case 'update':
      return [[...plan.values.keys()], plan.key.map(({ column }) => column)]
    case 'delete':
      return [plan.key.map(({ column }) => column), plan.returning ?? []]
  }
}

/** The text of a statement, with a placeholder for each value in order; `rows` is the number of rows that are inserted. */
function textOf(plan: MutatePlan, rows: number, syntax: Syntax): string {
  const name = ({ name: text }: Column) => raw(syntax.quoteIdentifier(text))
  const shown = plan.kind === 'insert' ? plan.shown : undefined
  const table = raw(`${syntax.quoteTable(plan.table)}${shown === undefined ? '' : ` as ${alias}`}`)
  const refusing = raw(plan.table.resolvesConflicts === true ? (syntax.refusesConflicts ?? '') : '')
  const value = parameter(undefined)
  const where = (key: RowKey) =>
    sql<undefined>`where ${join<undefined>(
      key.map(({ column }) => sql<undefined>`${name(column)} = ${value}`),
      ' and ',
    )}`
  const returning = (columns: readonly Column[] = []): SqlFragment<never> => {
    if (shown !== undefined) return raw(` returning ${shown}`)
    const told = (syntax.insertedKeys.by === 'returning' ? columns : []).map((column) =>
      syntax.readColumn(column, name(column)),
    )
    return told.length === 0 ? raw('') : sql` returning ${join(told, ', ')}`
  }
  const finish = (fragment: SqlFragment<undefined>) => render(fragment, syntax.placeholder).sql
  switch (plan.kind) {
    case 'insert': {
      const tail = returning(plan.returning)
      if (plan.columns.length === 0)
        return finish(sql<undefined>`insert${refusing} into ${table} ${raw(syntax.emptyRow)}${tail}`)
      const row = sql<undefined>`(${join<undefined>(
        plan.columns.map(() => value),
        ', ',
      )})`
      const all = join<undefined>(Array<SqlFragment<undefined>>(rows).fill(row), ', ')
      return finish(
        sql<undefined>`insert${refusing} into ${table} (${join(plan.columns.map(name), ', ')}) values ${all}${tail}`,
      )
    }
    case 'update': {
      const changes = [...plan.values.keys()].map((column) => sql<undefined>`${name(column)} = ${value}`)
      return finish(sql<undefined>`update${refusing} ${table} set ${join(changes, ', ')} ${where(plan.key)}`)
    }
    case 'delete':
      return finish(sql<undefined>`delete from ${table} ${where(plan.key)}${returning(plan.returning)}`)
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
