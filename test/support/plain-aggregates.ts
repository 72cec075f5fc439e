/** What the contract says about aggregates and groups, in the plainest way. */
import type { ColumnType } from '../../src/database/database-schema.ts'
import { compareValues, meets, type Operator } from './compare-values.ts'

type Value = string | number | null

type Row = Readonly<Record<string, Value>>

export type PlainFunction = 'countDistinct' | 'sum' | 'avg' | 'min' | 'max'

/** A value of a group; without a field the number of rows. */
export type PlainAggregate =
  | { readonly fn: 'count'; readonly field?: string | undefined }
  | { readonly fn: PlainFunction; readonly field: string }

export interface PlainGroupTerm {
  readonly field: string
  readonly every?: 'HOUR' | 'DAY' | 'MONTH' | 'YEAR' | undefined
}

/** Conditions on values of a group, which are all met. */
export type PlainHaving = readonly (PlainAggregate & { readonly op: Operator; readonly val: unknown })[]

/** What groups are sorted by before their keys: a key or a value. */
export type PlainGroupOrder = readonly {
  readonly of: { readonly key: string } | PlainAggregate
  readonly direction: 'ASC' | 'DESC'
}[]

export interface PlainGroup {
  /** By field. */
  readonly keys: Row
  readonly rows: readonly Row[]
}

type Columns = ReadonlyMap<string, ColumnType>

const numeric: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'decimal'])

/** Whether the evaluator knows the value: sums of floating-point numbers depend on their order. */
export function isKnown(fn: PlainFunction, type: ColumnType): boolean {
  return fn === 'sum' || fn === 'avg' ? numeric.has(type) : true
}

export function aggregateOf(aggregate: PlainAggregate, rows: readonly Row[], columns: Columns): Value {
  const { fn, field } = aggregate
  if (field === undefined) return rows.length
  const type = columns.get(field) ?? 'string'
  const values = rows.flatMap((row) => row[field] ?? [])
  switch (fn) {
    case 'count':
      return values.length
    case 'countDistinct':
      return new Set(values).size
    case 'sum':
      return values.length === 0 ? null : sumOf(values, type)
    case 'avg':
      return values.length === 0 ? null : Number(sumOf(values, type)) / values.length
    case 'min':
    case 'max': {
      const sorted = values.toSorted((a, b) => compareValues(type, a, b))
      return (fn === 'min' ? sorted[0] : sorted.at(-1)) ?? null
    }
  }
}

/** The groups of rows, sorted by their keys. */
export function groupsOf(
  rows: readonly Row[],
  by: readonly PlainGroupTerm[],
  columns: Columns,
): readonly PlainGroup[] {
  const keysOf = (row: Row): Row =>
    Object.fromEntries(by.map((term) => [term.field, startOf(row[term.field] ?? null, term, columns)]))
  const groups = Map.groupBy(rows, (row) => JSON.stringify(keysOf(row)))
  return [...groups]
    .map(([keys, members]) => ({ keys: JSON.parse(keys) as Row, rows: members }))
    .toSorted((a, b) => {
      for (const { field } of by) {
        const type = columns.get(field) ?? 'string'
        const difference = compareValues(type, a.keys[field] ?? null, b.keys[field] ?? null)
        if (difference !== 0) return difference
      }
      return 0
    })
}

/** Groups that are sorted by their keys, in another order. */
export function groupsInOrder(
  groups: readonly PlainGroup[],
  order: PlainGroupOrder,
  columns: Columns,
): readonly PlainGroup[] {
  const valueIn = ({ keys, rows }: PlainGroup, { of }: PlainGroupOrder[number]) =>
    'key' in of ? (keys[of.key] ?? null) : aggregateOf(of, rows, columns)
  return groups.toSorted((a, b) => {
    for (const term of order) {
      const type =
        'key' in term.of ? (columns.get(term.of.key) ?? 'string') : typeOfAggregate(term.of, columns)
      const difference = compareValues(type, valueIn(a, term), valueIn(b, term))
      if (difference !== 0) return term.direction === 'ASC' ? difference : -difference
    }
    return 0
  })
}

export function meetsHaving({ rows }: PlainGroup, having: PlainHaving, columns: Columns): boolean {
  return having.every(({ op, val, ...aggregate }) =>
    meets(typeOfAggregate(aggregate, columns), aggregateOf(aggregate, rows, columns), op, val),
  )
}

export function typeOfAggregate({ fn, field }: PlainAggregate, columns: Columns): ColumnType {
  if (fn === 'count' || fn === 'countDistinct') return 'integer'
  if (fn === 'avg') return 'float'
  const type = columns.get(field) ?? 'string'
  return fn === 'sum' ? 'decimal' : type
}

function sumOf(values: readonly (string | number)[], type: ColumnType): Value {
  const places = 60
  let total = 0n
  for (const value of values) {
    const [whole = '', fraction = ''] = String(value).split('.')
    total += BigInt(`${whole}${fraction.padEnd(places, '0')}`)
  }
  const text = exactText(total, places)
  return type !== 'decimal' && Number.isSafeInteger(Number(text)) ? Number(text) : text
}

function exactText(total: bigint, places: number): string {
  const digits = (total < 0n ? -total : total).toString().padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  const text = `${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`
  return total < 0n ? `-${text}` : text
}

function startOf(value: Value, { field, every }: PlainGroupTerm, columns: Columns): Value {
  if (value === null || every === undefined) return value
  const text = String(value)
  // Where MySQL and MariaDB keep the date that stands for none.
  if (text.startsWith('0000-00-00')) return `${text.slice(0, 10)}${text.length > 10 ? 'T00:00:00' : ''}`
  const kept = {
    HOUR: text.slice(0, 13),
    DAY: text.slice(0, 10),
    MONTH: text.slice(0, 7),
    YEAR: text.slice(0, 4),
  }
  const rest = { HOUR: ':00:00', DAY: 'T00:00:00', MONTH: '-01T00:00:00', YEAR: '-01-01T00:00:00' }
  const start = `${kept[every]}${rest[every]}`
  return columns.get(field) === 'date' ? start.slice(0, 10) : start
}
