/** From the plan of an aggregate to its statement: the rows with what is needed of them, their groups, what is read of these. */
import type { AggregateExpression } from '../database/aggregate-syntax.ts'
import type { Column } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { join, raw, render, type SqlFragment, sql } from '../database/sql.ts'
import { type AggregatePlan, type AggregateValue, valueName } from './aggregate-plan.ts'
import type { Binding } from './binding.ts'
import { columnOf, compileFilter } from './compile-filter.ts'
import { compileGroupList } from './compile-group-list.ts'
import type { Filter } from './filter.ts'
import {
  alias,
  conditionsOf,
  isWholeTable,
  keyedTable,
  selectRowsOfKey,
  tableOf,
  whereClause,
} from './select-parts.ts'
import type { SelectPlan } from './select-plan.ts'
import type { StatementTemplate } from './statement-template.ts'

export interface CompiledAggregates {
  readonly statement: StatementTemplate
  /** Whether there may be several rows for a list. */
  readonly isGrouped: boolean
}

/** The aliases of the rows, and of the groups. */
const [ofRows, ofGroups] = ['a', 'h']

/** A statement reads at most `mostGroups` groups, and one more. */
export function compileAggregates(
  select: SelectPlan,
  plan: AggregatePlan,
  dialect: Dialect,
  mostGroups: number | undefined,
): CompiledAggregates {
  const { syntax } = dialect
  const { numberedBy: _, ...unnumbered } = select
  const rows = { ...unnumbered, orderBy: [] }
  const isKeyed = select.keyColumns !== undefined
  const { keys, values, read } = rowParts(plan, dialect)
  const names = [...(isKeyed ? ['k'] : []), ...keys.map((_key, index) => `g${index}`)]
  const grouped = [
    ...names.map((name) => raw(`${ofRows}.${name}`)),
    ...values.flatMap(({ expression, name, shownFrom }) => [
      sql`${expression} as ${raw(name)}`,
      ...(shownFrom?.parts ?? []).map((part, index) => sql`${part} as ${raw(partName(name, index))}`),
    ]),
  ]
  const groupBy = names.length === 0 ? '' : ` group by ${names.map((name) => `${ofRows}.${name}`).join(', ')}`

  const shown = [
    ...keys.map(({ column }, index) => readGroup(column, `g${index}`, dialect)),
    ...values.map((value) => readValue(value, dialect)),
  ]
  const columns = [...(isKeyed ? [syntax.keyPosition(raw(`${ofGroups}.k`))] : []), ...shown]
  const having = plan.having && compileHaving(plan.having, values, dialect)
  const isGrouped = plan.by !== undefined
  const statementOf = (inner: SqlFragment<Binding>): StatementTemplate => {
    const groups = sql<Binding>`select ${join<never>(grouped, ', ')} from (${inner}) ${raw(`${ofRows}${groupBy}`)}`
    const list = compileGroupList(
      {
        groups: sql<Binding>`(${groups}) ${raw(ofGroups)}${whereClause(having)}`,
        alias: ofGroups,
        isKeyed,
        keys: keys.map(({ column }, index) => comparedColumn({ column, name: `g${index}` })),
        values: values.map(comparedColumn),
        mostGroups: isGrouped ? mostGroups : undefined,
      },
      plan,
      dialect,
    )
    const statement = sql<Binding>`select ${join<never>(columns, ', ')} from ${list}`
    const { sql: text, parameters } = render(statement, syntax.placeholder)
    return { sql: text, bindings: parameters }
  }
  const ofKey = compileRowsOfKey(rows, read, dialect)
  const statement = {
    ...statementOf(compileRows(rows, plan, read, dialect)),
    ...(ofKey !== undefined && { ofOneKey: statementOf(ofKey) }),
  }
  return { statement, isGrouped }
}

interface NamedExpression extends AggregateExpression {
  readonly name: string
}

/** The keys of a group and its values as expressions on the rows, and what is read of these. */
function rowParts({ by = [], values }: AggregatePlan, dialect: Dialect) {
  const { aggregates } = dialect.syntax
  const own = (column: Column) => columnOf(column, alias, dialect)
  const keys = by.map(({ column, every }) =>
    every === undefined
      ? aggregates.exactValue(column, own(column))
      : aggregates.startOf(every, column, own(column)),
  )
  const columns = [...new Set(values.flatMap(({ column }) => column ?? []))]
  const exact = columns.map((column) => aggregates.exactValue(column, own(column)))
  const expressionOf = (value: AggregateValue): AggregateExpression => {
    if (value.fn === 'rows') return aggregates.countRows
    const index = columns.indexOf(value.column)
    const column = exact[index]?.column ?? value.column
    return aggregates.aggregate(value.fn, column, raw(`${ofRows}.v${index}`))
  }
  return {
    keys,
    values: values.map((value, index) => ({ ...expressionOf(value), name: valueName(value, index) })),
    read: [
      ...keys.map(({ expression }, index) => sql`${expression} as ${raw(`g${index}`)}`),
      ...exact.map(({ expression }, index) => sql`${expression} as ${raw(`v${index}`)}`),
    ],
  }
}

/** The rows that are aggregated. */
function compileRows(
  rows: SelectPlan,
  plan: AggregatePlan,
  read: readonly SqlFragment<never>[],
  dialect: Dialect,
): SqlFragment<Binding> {
  const all = conditionsOf(rows, [], [], dialect)
  if (rows.keyColumns)
    return dialect.syntax.rowsByKeys<Binding>({ ...keyedTable(rows, dialect), columns: read, where: all })
  // A whole table is counted without reading its rows, if there is nothing to check in them.
  const isCounted = plan.by === undefined && read.length === 0 && isWholeTable(rows)
  const columns = read.length === 0 ? raw('1') : join(read, ', ')
  return sql<Binding>`select ${columns} from ${tableOf(rows, dialect)}${whereClause(isCounted ? undefined : all)}`
}

/** The rows of a single key, whose number is 1. */
function compileRowsOfKey(
  rows: SelectPlan,
  columns: readonly SqlFragment<never>[],
  dialect: Dialect,
): SqlFragment<Binding> | undefined {
  const where = conditionsOf(rows, [], [], dialect)
  const found = selectRowsOfKey(rows, { columns, where, orderBy: [] }, dialect)
  return found === undefined ? undefined : sql<Binding>`select 1 as k${found}`
}

function readGroup(column: Column, name: string, { syntax }: Dialect): SqlFragment<never> {
  return syntax.readColumn({ ...column, name }, raw(`${ofGroups}.${name}`))
}

function readValue({ column, name, shownFrom }: NamedExpression, dialect: Dialect): SqlFragment<never> {
  if (shownFrom === undefined) return readGroup(column, name, dialect)
  return shownFrom.show(shownFrom.parts.map((_, index) => raw(`${ofGroups}.${partName(name, index)}`)))
}

const partName = (name: string, index: number) => `${name}_${index}`

/** The condition on groups, with the columns as the product has them. */
function compileHaving(
  having: Filter,
  values: readonly NamedExpression[],
  dialect: Dialect,
): SqlFragment<Binding> {
  const columns = new Map(values.map((value) => [value.name, comparedColumn(value)]))
  return compileFilter(withColumns(having, columns), ofGroups, dialect)
}

/** The column of the groups that a key or value is compared and sorted by. */
function comparedColumn({ column, name }: Pick<NamedExpression, 'column' | 'name'>): Column {
  const { loose: _, storedApart: __, ...plain } = column
  return { ...plain, name, nullable: true, portableOrder: true }
}

function withColumns(filter: Filter, columns: ReadonlyMap<string, Column>): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((inner) => withColumns(inner, columns)) }
    case 'not':
      return { ...filter, filter: withColumns(filter.filter, columns) }
    case 'related':
      return filter
    default:
      return { ...filter, column: columnIn(filter.column, columns) }
  }
}

function columnIn(column: Column, columns: ReadonlyMap<string, Column>): Column {
  const { inside } = column
  if (inside === undefined) return columns.get(column.name) ?? column
  return { ...column, inside: { ...inside, of: columnIn(inside.of, columns) } }
}
