import type { Column, Table } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { RowLock } from '../database/syntax.ts'
import type { Binding } from './binding.ts'
import type { Filter, TableRights } from './filter.ts'
import type { ValueSource } from './value-source.ts'

/** The condition of a filter; `alias` is the table's alias in the statement. */
export function compileFilter(filter: Filter, alias: string, dialect: Dialect): SqlFragment<Binding> {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return compileGroup(filter.kind, filter.filters, alias, dialect)
    case 'not':
      return dialect.syntax.isNotTrue(compileFilter(filter.filter, alias, dialect))
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
      return among
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

/** Whether related rows match, as many as the quantifier says. */
function compileRelated(
  { quantifier, filter, ...relation }: Extract<Filter, { kind: 'related' }>,
  alias: string,
  dialect: Dialect,
): SqlFragment<Binding> {
  const inner = `${alias}r`
  const { from, conditions } = compileRelation(relation, alias, inner, dialect)
  const { rowNumbered: _, ...named } = relation.table
  const isTable = !isNarrowed(relation)
  // Before what excludes rows, so that these are counted, too.
  const cancellationCheck = dialect.syntax.cancellationCheck(isTable ? relation.table : named, inner)
  if (cancellationCheck !== undefined) conditions.splice(relation.own.length, 0, cancellationCheck)
  const condition = compileFilter(filter, inner, dialect)
  // What is neither true nor false, as a comparison with null, does not match.
  conditions.push(quantifier === 'every' ? sql`case when ${condition} then 0 else 1 end = 1` : condition)
  const exists = sql`exists (select 1 from ${from} where ${join<Binding>(conditions, ' and ')})`
  return quantifier === 'some' ? exists : sql`not ${exists}`
}

type Relation = Pick<Extract<Filter, { kind: 'related' }>, 'table' | 'own' | 'other' | 'rights'>

/** A left join with the related rows, with a blank before it. */
export function compileLeftJoin(
  relation: Relation,
  alias: string,
  inner: string,
  dialect: Dialect,
): SqlFragment<Binding> {
  const { from, conditions } = compileRelation(relation, alias, inner, dialect)
  return sql` left join ${from} on ${join<Binding>(conditions, ' and ')}`
}

/** The related rows that the caller reaches, and what relates them: the database's own comparison of the columns. */
function compileRelation(
  { table, own, other, rights }: Relation,
  alias: string,
  inner: string,
  dialect: Dialect,
): { readonly from: SqlFragment<Binding>; readonly conditions: SqlFragment<Binding>[] } {
  const conditions: SqlFragment<Binding>[] = own.flatMap((column, index) => {
    const related = other[index] && storedColumn(table, other[index], rights)
    return related === undefined
      ? []
      : [sql`${columnOf(related, inner, dialect)} = ${columnOf(column, alias, dialect)}`]
  })
  if (rights !== undefined && isNarrowed({ rights })) {
    conditions.push(...areGiven(other, rights, inner, dialect))
    const rows = compileNarrowed(table, rights, `${inner}n`, dialect)
    return { from: sql`${rows} ${raw(inner)}`, conditions }
  }
  if (rights?.rows !== undefined) conditions.push(compileFilter(rights.rows, inner, dialect))
  return { from: raw(`${readTable(table, dialect)} ${inner}`), conditions }
}

function isNarrowed({ rights }: Pick<Relation, 'rights'>): boolean {
  return rights !== undefined && rights.masks.size > 0
}

/**
 * The column that a narrowed table is found by, if the caller may read a column of it on some rows only: the stored one, since a null
 * in its place has no type, no collation and no index. Who compares it requires `areGiven`, too.
 */
export function storedColumn(table: Table, column: Column, rights: TableRights | undefined): Column {
  if (rights?.masks.has(column.name) !== true) return column
  const index = [...table.columns.keys()].indexOf(column.name)
  return { ...column, name: `gatehouse_stored_${index}` }
}

/** Conditions that the caller may read these columns of a row. */
export function areGiven(
  columns: readonly Column[],
  { masks }: TableRights,
  alias: string,
  dialect: Dialect,
): readonly SqlFragment<never>[] {
  const masked = columns.filter(({ name }) => masks.has(name))
  return masked.map((column) => sql`${columnOf(column, alias, dialect)} is not null`)
}

/**
 * A select, in parentheses, of what the caller may read of a table: whatever is asked of it sees no other row, and null
 * where a field is not given. The stored values of such fields are there to be compared with keys. With a lock on the rows, if the plan
 * has one that does not reach them.
 */
export function compileNarrowed(
  table: Table,
  rights: TableRights,
  alias: string,
  dialect: Dialect,
  lock?: RowLock,
): SqlFragment<Binding> {
  const { rows, masks } = rights
  const nameOf = ({ name }: Column) => raw(readName(name, dialect))
  const columns = [...table.columns.values(), ...(table.rowNumber ? [table.rowNumber] : [])]
  const selected = columns.flatMap((column) => {
    const own = columnOf(column, alias, dialect)
    const mask = masks.get(column.name)
    if (mask === undefined) return [sql<Binding>`${own} as ${nameOf(column)}`]
    const given = sql<Binding>`case when ${compileFilter(mask, alias, dialect)} then ${own} end`
    return [
      sql<Binding>`${given} as ${nameOf(column)}`,
      sql<Binding>`${own} as ${nameOf(storedColumn(table, column, rights))}`,
    ]
  })
  const where = rows === undefined ? raw('') : sql<Binding>` where ${compileFilter(rows, alias, dialect)}`
  const isByOthers = [...masks.values(), ...(rows === undefined ? [] : [rows])].some(asksRelated)
  const end = raw(lock !== undefined && dialect.syntax.locksWithinFrom ? dialect.syntax.rowLock[lock] : '')
  const comment = raw(isByOthers ? (dialect.syntax.relatedRightsComment ?? '') : '')
  return sql<Binding>`(select ${comment}${join(selected, ', ')} from ${raw(`${readTable(table, dialect)} ${alias}`)}${where}${end})`
}

/** Whether a filter asks for related rows. */
function asksRelated(filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some(asksRelated)
    case 'not':
      return asksRelated(filter.filter)
    default:
      return filter.kind === 'related'
  }
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
    case 'iequals':
    case 'istarts':
    case 'iends':
    case 'icontains':
      return syntax.caseless<Binding>(comparison, column, expression, wanted)
    default:
      return sql`${syntax.comparedKey<Binding>(column, expression)} ${raw(orderOperators[comparison])} ${syntax.comparedKey(column, wanted)}`
  }
}

/** Whether the column is null, or shown as null. */
function nullTest(column: Column, alias: string, negated: boolean, dialect: Dialect): SqlFragment<never> {
  return dialect.syntax.isNull(column, columnOf(column, alias, dialect), negated)
}

/** A column of the table with the alias `alias`, or values inside one. */
export function columnOf(column: Column, alias: string, dialect: Dialect): SqlFragment<never> {
  const { syntax } = dialect
  const { inside } = column
  if (inside !== undefined) return syntax.jsonPart(inside, columnOf(inside.of, alias, dialect))
  return raw(`${alias}.${readName(column.name, dialect)}`)
}

/** The table as selects read it, quoted; `readName` names its columns. */
export function readTable(table: Table, { syntax }: Dialect): string {
  return syntax.renamed?.table(table) ?? syntax.quoteTable(table)
}

/** The name of a column in a table as selects read it, or in a select that stands for one. */
export function readName(column: string, { syntax }: Dialect): string {
  return syntax.renamed?.column(column) ?? syntax.quoteIdentifier(column)
}

/** A placeholder for a value to compare with `column`. */
function valueParameter(column: Column, source: ValueSource): SqlFragment<Binding> {
  return parameter<Binding>({ kind: 'value', column, source })
}
