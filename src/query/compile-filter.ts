import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { Binding } from './binding.ts'
import type { Filter } from './filter.ts'
import type { ValueSource } from './value-source.ts'

/** The condition of a filter; `alias` is the table's alias in the statement. */
export function compileFilter(filter: Filter, alias: string, dialect: Dialect): SqlFragment<Binding> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return compileGroup(filter.kind, filter.filters, alias, dialect)
    case 'isKey':
      return compileKey(filter, alias, dialect)
    case 'isNull':
      return nullTest(filter.column, alias, filter.negated, dialect)
    case 'oneOf': {
      const expression = columnOf(filter.column, alias, dialect)
      const among = compileList(filter, expression, dialect)
      if (filter.negated) {
        // `not in` excludes nulls; not every product does so for a list that is a subquery.
        return filter.column.nullable
          ? sql`(not ${among} and ${nullTest(filter.column, alias, true, dialect)})`
          : sql`not ${among}`
      }
      return filter.withNull ? sql`(${among} or ${nullTest(filter.column, alias, false, dialect)})` : among
    }
    case 'compare':
      return compileComparison(filter, alias, dialect)
    case 'related':
      return compileRelated(filter, alias, dialect)
  }
}

function compileList(
  { column, values, placeholders, odd }: Extract<Filter, { kind: 'oneOf' }>,
  expression: SqlFragment<never>,
  { syntax }: Dialect,
): SqlFragment<Binding> {
  if (!syntax.spellsOutLists || placeholders === 0)
    return syntax.inList(
      column,
      expression,
      parameter<Binding>({ kind: 'list', column, source: values }),
      odd,
    )
  const same = Array.from({ length: placeholders }, (_, index) =>
    syntax.equals<Binding>(
      column,
      expression,
      parameter<Binding>({ kind: 'listItem', column, source: values, index }),
    ),
  )
  return sql`(${join(same, ' or ')})`
}

function compileGroup(
  kind: 'and' | 'or',
  filters: readonly Filter[],
  alias: string,
  dialect: Dialect,
): SqlFragment<Binding> {
  if (filters.length === 0) return raw(kind === 'and' ? '1 = 1' : '1 = 0')
  const conditions = filters.map((filter) => compileFilter(filter, alias, dialect))
  return filters.length === 1 ? join(conditions, '') : sql`(${join(conditions, ` ${kind} `)})`
}

/** Stored values are compared by the database's own comparison, so that an index can be used. */
function compileKey(
  { column, value, isStored }: Extract<Filter, { kind: 'isKey' }>,
  alias: string,
  dialect: Dialect,
): SqlFragment<Binding> {
  const { syntax } = dialect
  const own = columnOf(column, alias, dialect)
  const wanted = parameter<Binding>({ kind: isStored ? 'stored' : 'keyText', column, source: value })
  if (!column.storedApart && !isStored) return syntax.equals<Binding>(column, own, wanted)
  const { portableOrder: _, ...native } = column
  return sql`${syntax.sortKey<Binding>(native, own)} = ${syntax.sortKey(native, wanted)}`
}

/** Two rows are related as the database sees it: by its own comparison of the two columns. */
function compileRelated(
  { table, own, other, filter }: Extract<Filter, { kind: 'related' }>,
  alias: string,
  dialect: Dialect,
): SqlFragment<Binding> {
  const inner = `${alias}r`
  const pairs = own.flatMap((column, index) => {
    const related = other[index]
    return related === undefined
      ? []
      : [sql`${columnOf(related, inner, dialect)} = ${columnOf(column, alias, dialect)}`]
  })
  const from = raw(`${dialect.syntax.quoteTable(table)} ${inner}`)
  return sql`exists (select 1 from ${from} where ${join<Binding>([...pairs, compileFilter(filter, inner, dialect)], ' and ')})`
}

const orderOperators = { '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const

function compileComparison(
  { column, comparison, value }: Extract<Filter, { kind: 'compare' }>,
  alias: string,
  dialect: Dialect,
): SqlFragment<Binding> {
  const { syntax } = dialect
  const expression = columnOf(column, alias, dialect)
  const wanted = valueParameter(column, value)
  switch (comparison) {
    case '==':
      return syntax.equals<Binding>(column, expression, wanted)
    case '!=':
      return sql`not ${syntax.equals<Binding>(column, expression, wanted)}`
    case 'starts':
      return syntax.startsWith<Binding>(
        column,
        expression,
        wanted,
        parameter<Binding>({ kind: 'prefixEnd', column, source: value }),
      )
    case 'ends':
      return syntax.endsWith<Binding>(column, expression, wanted)
    case 'contains':
      return syntax.contains<Binding>(column, expression, wanted)
    default:
      return sql`${syntax.comparedKey<Binding>(column, expression)} ${raw(orderOperators[comparison])} ${syntax.comparedKey(column, wanted)}`
  }
}

/** Whether the column is null, or shown as null. */
function nullTest(column: Column, alias: string, negated: boolean, dialect: Dialect): SqlFragment<never> {
  return dialect.syntax.isNull(column, columnOf(column, alias, dialect), negated)
}

/** A column of the table with the alias `alias`. */
export function columnOf(column: Column, alias: string, { syntax }: Dialect): SqlFragment<never> {
  return raw(`${alias}.${syntax.quoteIdentifier(column.name)}`)
}

/** A placeholder for a value to compare with `column`. */
function valueParameter(column: Column, source: ValueSource): SqlFragment<Binding> {
  return parameter<Binding>({ kind: 'value', column, source })
}
