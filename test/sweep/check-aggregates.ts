import type { Column, ColumnType } from '../../src/database/database-schema.ts'
import { fieldEnumValue } from '../../src/graphql/model/naming.ts'
import { isAggregated } from '../../src/query/aggregate-plan.ts'
import { isOrderedByDatabase } from '../support/compare-values.ts'
import {
  aggregateOf,
  groupsOf,
  isKnown,
  type PlainFunction,
  type PlainGroupTerm,
} from '../support/plain-aggregates.ts'
import type { PlainRow } from '../support/plain-evaluator.ts'
import type { SampledEntity } from './sampled-entity.ts'
import { listQuery, type ShownRow, type SweepContext, show } from './sweep-context.ts'

const functions: readonly PlainFunction[] = ['countDistinct', 'sum', 'avg', 'min', 'max']

type Groups = readonly { readonly keys: PlainRow; readonly count: number }[]

/** What an answer has for one field. */
interface Aggregated {
  readonly aggregates?: Readonly<Record<string, unknown>>
  readonly groups?: Groups
  /** In the order of a value that is the key. */
  readonly ordered?: Groups
}

/** Aggregates of every field, and groups by every field and unit of time: what comes back is what the rows say. */
export async function checkAggregates(context: SweepContext, sampled: SampledEntity): Promise<void> {
  const { entity, rows, whole, columns } = sampled
  if (!whole) return
  const types = new Map([...columns].map(([name, { type }]) => [name, type]))
  for (const [field, column] of columns) {
    await checkValues(context, sampled, field, column)
    if (!isAggregated('countDistinct', column)) continue
    for (const term of hasOrder(rows, field) ? termsOf(field, column) : []) {
      const enumValue = fieldEnumValue(field, (name) => entity.fields.has(name))
      const by = `{field: ${enumValue}${term.every === undefined ? '' : `, every: ${term.every}`}}`
      const groups = `groups(by: ${by}) { keys { ${field} } count }`
      const isOrdered = term.every === undefined && isAggregated('min', column)
      const byValue = `ordered: groups(by: ${by}, orderBy: {min: {${field}: DESC}}) { keys { ${field} } count }`
      const request = { select: isOrdered ? `${groups} ${byValue}` : groups }
      const what = `groups by ${by} (${column.nativeType})`
      const list = (await context.list(entity, what, request)) as Aggregated | undefined
      if (list === undefined) continue
      const expected = groupsOf(rows as readonly PlainRow[], [term], types).map((group) => [
        group.keys[field] ?? null,
        group.rows.length,
      ])
      const found = (list.groups ?? []).map(({ keys, count }) => [keys[field] ?? null, count])
      const ordered = isOrderedByDatabase(column.type) || column.type === 'time'
      const texts = (all: readonly unknown[]) => {
        const shown = all.map((one) => JSON.stringify(one))
        return (ordered ? shown.toSorted() : shown).join()
      }
      if (texts(found) !== texts(expected))
        context.fail(entity, what, `${show(found)}, not ${show(expected)}`, listQuery(entity, request))
      if (isOrdered && JSON.stringify(list.ordered?.toReversed()) !== JSON.stringify(list.groups))
        context.fail(
          entity,
          what,
          `another order by values: ${show(list.ordered)}`,
          listQuery(entity, request),
        )
    }
  }
}

/** Dates without a month or a day have a place in the order, but are no date of which the evaluator knows it. */
function hasOrder(rows: readonly ShownRow[], field: string): boolean {
  return rows.every((row) => !/^(?!0000-00-00)\d{4}-(?:00-|\d\d-00)/.test(String(row[field])))
}

/** Whether a sum has more digits than numbers of MySQL and MariaDB. */
function isTooLarge(
  fn: PlainFunction,
  field: string,
  rows: readonly PlainRow[],
  types: ReadonlyMap<string, ColumnType>,
): boolean {
  const sum = fn === 'sum' || fn === 'avg' ? aggregateOf({ fn: 'sum', field }, rows, types) : null
  return sum !== null && /\d{66}/.test(String(sum))
}

function termsOf(field: string, { type }: Column): readonly PlainGroupTerm[] {
  const units = ['DAY', 'MONTH', 'YEAR'] as const
  if (type === 'date') return [{ field }, ...units.map((every) => ({ field, every }))]
  if (type !== 'dateTime') return [{ field }]
  return [{ field }, { field, every: 'HOUR' }, ...units.map((every) => ({ field, every }))]
}

async function checkValues(
  context: SweepContext,
  { entity, rows, columns }: SampledEntity,
  field: string,
  column: Column,
): Promise<void> {
  const types = new Map([...columns].map(([name, { type }]) => [name, type]))
  const taken = functions.filter((fn) => isAggregated(fn, column))
  const enumValue = fieldEnumValue(field, (name) => entity.fields.has(name))
  const selected = taken.map((fn) => `${fn} { value: ${field} }`)
  const request = {
    select: `aggregates { rows: count given: count(field: ${enumValue}) ${selected.join(' ')} }`,
  }
  const what = `aggregates of "${field}" (${column.nativeType})`
  const list = (await context.list(entity, what, request)) as Aggregated | undefined
  if (list?.aggregates === undefined) return
  const own = rows as readonly PlainRow[]
  const expected: Record<string, unknown> = {
    rows: rows.length,
    given: aggregateOf({ fn: 'count', field }, own, types),
  }
  const found: Record<string, unknown> = { rows: list.aggregates.rows, given: list.aggregates.given }
  for (const fn of taken) {
    if (
      !isKnown(fn, column.type) ||
      isTooLarge(fn, field, own, types) ||
      (column.type === 'time' && fn !== 'countDistinct')
    )
      continue
    expected[fn] = aggregateOf({ fn, field }, own, types)
    found[fn] = (list.aggregates[fn] as { readonly value: unknown }).value
  }
  if (JSON.stringify(found) !== JSON.stringify(expected))
    context.fail(entity, what, `${show(found)}, not ${show(expected)}`, listQuery(entity, request))
}
