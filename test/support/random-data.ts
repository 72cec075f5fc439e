/** Small random schemas with rows, the same for every product. */
import fc, { type GeneratorValue } from 'fast-check'
import type { ColumnType } from '../../src/database/database-schema.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'
import type { SpecType, TableSpec } from '../../src/database/table-spec.ts'
import type { PlainData, PlainEntity, PlainRelation, PlainRow, PlainValue } from './plain-evaluator.ts'

/** A view of a table's columns: something without a key. */
export interface ViewSpec {
  readonly name: string
  readonly of: string
  readonly columns: readonly string[]
  /** The columns that tell its rows apart all the same. */
  readonly totalBy: readonly string[]
}

export interface RandomData {
  readonly tables: readonly TableSpec[]
  readonly view: ViewSpec | undefined
  /** The rows of each table, in the order of its columns. */
  readonly rows: ReadonlyMap<string, readonly (readonly SqlValue[])[]>
  readonly data: PlainData
}

/** How a column of each type is shown. */
const columnTypes: Readonly<Record<SpecType, ColumnType>> = {
  string: 'string',
  text: 'string',
  smallInteger: 'integer',
  integer: 'integer',
  bigInteger: 'bigint',
  float: 'float',
  decimal: 'decimal',
  dateTime: 'dateTime',
  date: 'date',
  jsonText: 'string',
}

const characters = Array.from('aAbzáÁä\u0301ßsSıİi Ω日~!%_\\\'"`?$:{}[]09-\t\n\uff5e\ue000😀𝒳\u{10ffff}')

const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 5 })

const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 10n ** 30n)),
    fc.constantFrom('', '5', '25', '05', '000000000000000000000000000001', '999999999999999999999999999999'),
  )
  .map(([sign, whole, fraction]) => {
    const digits = fraction === '' ? `${whole}` : `${whole}.${fraction}`
    return digits === '0' ? '0' : `${sign}${digits}`
  })

const day = fc
  .oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -354_000, max: 2_900_000 }))
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  .filter((shown) => /^[1-9]\d{3}-/.test(shown))

const moment = fc
  .tuple(
    day,
    fc.constantFrom('00:00:00', '12:30:45', '23:59:59'),
    fc.constantFrom('', '.5', '.000001', '.999999'),
  )
  .map(([date, time, fraction]) => `${date}T${time}${fraction}`)

/** JSON whose values are often alike, and of different kinds. */
const single = fc.constantFrom('a', 'B', '1', 'ß', '', 0, 1, -2.5, 1e20, true, false, null)
const json = fc
  .oneof(
    fc.array(single, { maxLength: 3 }),
    fc.record({ a: single, 'b c': fc.oneof(single, fc.record({ d: single }), fc.array(single)) }),
  )
  .map((value) => JSON.stringify(value))

const safe = BigInt(Number.MAX_SAFE_INTEGER)

const shownValues: Readonly<Record<SpecType, fc.Arbitrary<PlainValue>>> = {
  string: text,
  text,
  smallInteger: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.integer({ min: -32_768, max: 32_767 })),
  integer: fc.oneof(fc.integer({ min: -2, max: 3 }), fc.integer()),
  bigInteger: fc
    .oneof(fc.bigInt(-2n, 3n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))
    .map((value) => (value >= -safe && value <= safe ? Number(value) : value.toString())),
  float: fc
    .oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((value) => value + 0),
  decimal,
  dateTime: moment,
  date: day,
  jsonText: fc.oneof(fc.json({ maxDepth: 1 }), json),
}

/** A value of a type as it is shown. */
export const valuesOfSpec = (type: SpecType) => shownValues[type]
const poolOf = (type: SpecType) => fc.array(shownValues[type], { minLength: 1, maxLength: 5 })

/** A value in the form that a statement takes, from the form in which it is shown. */
export function stored(type: SpecType, value: PlainValue): SqlValue {
  if (value === null) return null
  if (type === 'bigInteger') return BigInt(value)
  return type === 'dateTime' ? String(value).replace('T', ' ') : value
}

const keyTypes: readonly SpecType[] = ['string', 'integer', 'bigInteger', 'dateTime', 'date', 'decimal']
const allTypes = Object.keys(columnTypes) as readonly SpecType[]
const tableNames = ['Item', 'order', 'Note_2']

type Draw = GeneratorValue

interface Draft {
  readonly spec: TableSpec
  readonly rows: PlainRow[]
}

/** Schemas of one to three tables, and sometimes a view. */
export const randomData: fc.Arbitrary<RandomData> = fc.gen().map((draw) => {
  const drafts: Draft[] = []
  const count = draw(fc.integer, { min: 1, max: 3 })
  for (const name of tableNames.slice(0, count)) drafts.push(draftTable(name, drafts, draw))
  const view = draw(fc.boolean) ? viewOf(drafts[0]) : undefined
  const tables = drafts.map(({ spec }) => spec)
  return {
    tables,
    view,
    rows: new Map(drafts.map(({ spec, rows }) => [spec.name, rows.map((row) => storedRow(spec, row))])),
    data: plainData(drafts, view),
  }
})

function storedRow({ columns }: TableSpec, row: PlainRow): readonly SqlValue[] {
  return columns.map(({ name, type }) => stored(type, row[name] ?? null))
}

function draftTable(name: string, earlier: readonly Draft[], draw: Draw): Draft {
  const key = Array.from({ length: draw(fc.constantFrom, 1, 1, 2, 3) }, (_, index) => ({
    name: `key${index}`,
    type: draw(fc.constantFrom, ...keyTypes),
    nullable: false,
  }))
  const others = Array.from({ length: draw(fc.integer, { min: 1, max: 5 }) }, (_, index) => ({
    name: `c${index}`,
    type: draw(fc.constantFrom, ...allTypes),
    nullable: draw(fc.boolean),
  }))
  const code = { name: 'code', type: 'string', nullable: true } as const
  const own = {
    name,
    columns: [...key, code, ...others],
    primaryKey: key.map((column) => column.name),
    uniqueKeys: [['code']],
    foreignKeys: [],
    indexes: [],
  }
  const self: Draft = { spec: own, rows: [] }
  const links = [...earlier, self].flatMap((target) => draftLinks(target, draw))
  const spec: TableSpec = {
    ...own,
    columns: [...own.columns, ...links.flatMap(({ columns }) => columns)],
    foreignKeys: links.map(({ foreignKey }) => foreignKey),
    indexes: links.map(({ foreignKey }) => foreignKey.columns),
  }
  const draft: Draft = { spec, rows: self.rows }
  fillRows(draft, own.columns, links, draw)
  return draft
}

type ColumnSpec = TableSpec['columns'][number]

interface DraftLink {
  readonly target: Draft
  readonly columns: readonly ColumnSpec[]
  readonly foreignKey: TableSpec['foreignKeys'][number]
}

/** References to the primary key or to the unique column of a table, none to two. */
function draftLinks(target: Draft, draw: Draw): readonly DraftLink[] {
  return Array.from({ length: draw(fc.constantFrom, 0, 1, 1, 2) }, (_, index) => {
    const referenced = draw(fc.boolean) ? target.spec.primaryKey : ['code']
    const stem = `${target.spec.name}${9 - index}`
    const columns = referenced.map((name, part): ColumnSpec => {
      const type = target.spec.columns.find((column) => column.name === name)?.type ?? 'string'
      return { name: referenced.length === 1 ? `${stem}_id` : `${stem}_part${part}`, type, nullable: true }
    })
    return {
      target,
      columns,
      foreignKey: {
        columns: columns.map(({ name }) => name),
        referencedTable: target.spec.name,
        referencedColumns: referenced,
      },
    }
  })
}

function fillRows(
  draft: Draft,
  columns: readonly ColumnSpec[],
  links: readonly DraftLink[],
  draw: Draw,
): void {
  const pools = new Map(
    columns.map(({ name, type }) => {
      const values = draw(poolOf, type)
      return [name, values] as const
    }),
  )
  const keys = new Set<string>()
  const codes = new Set<PlainValue>()
  const size = draw(fc.constantFrom, 0, 1, 3, 8, 14, 50)
  for (let index = 0; index < size; index += 1) {
    const row: Record<string, PlainValue> = {}
    for (const { name, nullable, type } of columns) {
      const pool = pools.get(name) ?? []
      const fresh = draft.spec.primaryKey.includes(name) || name === 'code'
      if (nullable && draw(fc.integer, { min: 0, max: 3 }) === 0) row[name] = null
      else if (fresh && draw(fc.boolean)) row[name] = draw(valuesOfSpec, type)
      else row[name] = draw(fc.constantFrom, ...pool)
    }
    const key = JSON.stringify(draft.spec.primaryKey.map((name) => row[name]))
    if (keys.has(key)) continue
    keys.add(key)
    if (codes.has(row.code ?? null)) row.code = null
    else if (row.code !== null) codes.add(row.code ?? null)
    draft.rows.push(row)
    for (const link of links) Object.assign(row, linkValues(link, draw))
  }
}

/** A row of the target, none, or a composite key with a part missing. */
function linkValues({ target, columns, foreignKey }: DraftLink, draw: Draw): Record<string, PlainValue> {
  const referenced = target.rows[draw(fc.nat, { max: target.rows.length })]
  const values = columns.map(({ name }, index) => {
    const value = referenced?.[foreignKey.referencedColumns[index] ?? ''] ?? null
    return [name, value] as const
  })
  const missing = columns.length > 1 && draw(fc.integer, { min: 0, max: 5 }) === 0
  return Object.fromEntries(
    values.map(([name, value], index) => [name, missing && index === 0 ? null : value]),
  )
}

function viewOf(draft: Draft | undefined): ViewSpec | undefined {
  if (draft === undefined) return undefined
  const { spec } = draft
  return {
    name: 'Seen',
    of: spec.name,
    columns: spec.columns.map(({ name }) => name),
    totalBy: spec.primaryKey,
  }
}

/** The statement that makes a view. */
export function createView({ name, of, columns }: ViewSpec, quote: (name: string) => string): string {
  return `create view ${quote(name)} as select ${columns.map(quote).join(', ')} from ${quote(of)}`
}

function plainData(drafts: readonly Draft[], view: ViewSpec | undefined): PlainData {
  const specs = drafts.map(({ spec }) => spec)
  const data = new Map<string, PlainEntity>()
  for (const { spec, rows } of drafts) data.set(spec.name, plainEntity(spec, specs, rows))
  const seen = view && data.get(view.of)
  if (seen) data.set('Seen', { ...seen, name: 'Seen', key: [], relations: new Map() })
  return data
}

/** An entity as the contract makes it of a table; `specs` are all tables, sorted by name. */
export function plainEntity(
  spec: TableSpec,
  specs: readonly TableSpec[],
  rows: readonly PlainRow[],
): PlainEntity {
  const columns = new Map(spec.columns.map(({ name, type }) => [name, columnTypes[type]]))
  const taken = new Set(['GlobalId', ...columns.keys()])
  const relations = new Map<string, PlainRelation>()
  const add = (names: readonly string[], relation: PlainRelation) => {
    const name = names.find((candidate) => !taken.has(candidate))
    if (name === undefined) throw new Error(`${spec.name}: no name is free of ${names.join(', ')}`)
    taken.add(name)
    relations.set(name, relation)
  }
  for (const { columns: own, referencedTable, referencedColumns } of spec.foreignKeys) {
    const alike = spec.foreignKeys.filter((key) => key.referencedTable === referencedTable)
    const telling = own.filter((column) => alike.some((key) => !key.columns.includes(column)))
    const column = (telling.at(-1) ?? own.at(-1) ?? '').replace(/(?:_id|Id|id)$/, '')
    const name = alike.length > 1 ? column : lowerFirst(referencedTable)
    add([name, `${name}Ref`, `${name}Ref_2`, `${name}Ref_3`], {
      kind: 'reference',
      target: referencedTable,
      own,
      other: referencedColumns,
    })
  }
  for (const referencing of specs.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    for (const key of referencing.foreignKeys.filter(
      ({ referencedTable }) => referencedTable === spec.name,
    )) {
      const collection = `${lowerFirst(referencing.name)}Collection`
      add([collection, `${collection}By${key.columns.map(upperFirst).join('')}`], {
        kind: 'collection',
        target: referencing.name,
        own: key.referencedColumns,
        other: key.columns,
      })
    }
  }
  return { name: spec.name, columns, key: spec.primaryKey, relations, rows }
}

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)
const upperFirst = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Any value that a column of a type may be compared with, as it is shown. */
export const valueOfType: Readonly<Record<ColumnType, fc.Arbitrary<PlainValue>>> = {
  string: text,
  integer: shownValues.integer,
  bigint: shownValues.bigInteger,
  float: shownValues.float,
  decimal: shownValues.decimal,
  dateTime: shownValues.dateTime,
  date: shownValues.date,
  boolean: fc.constant(null),
  json: text,
  time: fc.constant(null),
  uuid: fc.constant(null),
  binary: fc.constant(null),
  other: text,
}
