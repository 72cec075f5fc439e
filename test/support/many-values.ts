/** A data set with values of every type that products are known to treat differently. */
import type { SqlValue } from '../../src/database/sql-value.ts'
import type { TableSpec } from '../../src/database/table-spec.ts'
import type { PlainData, PlainRow, PlainValue } from './plain-evaluator.ts'
import { plainEntity, stored } from './random-data.ts'

const sets = {
  name: 'Set',
  columns: [
    { name: 'code', type: 'string', nullable: false },
    { name: 'title', type: 'string', nullable: true },
    { name: 'parentCode', type: 'string', nullable: true },
  ],
  primaryKey: ['code'],
  uniqueKeys: [],
  foreignKeys: [{ columns: ['parentCode'], referencedTable: 'Set', referencedColumns: ['code'] }],
  indexes: [['parentCode', 'code']],
} as const satisfies TableSpec

const values = {
  name: 'Value',
  columns: [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'word', type: 'string', nullable: true },
    { name: 'words', type: 'text', nullable: true },
    { name: 'small', type: 'smallInteger', nullable: true },
    { name: 'normal', type: 'integer', nullable: false },
    { name: 'big', type: 'bigInteger', nullable: true },
    { name: 'float', type: 'float', nullable: true },
    { name: 'amount', type: 'decimal', nullable: true },
    { name: 'moment', type: 'dateTime', nullable: true },
    { name: 'day', type: 'date', nullable: true },
    { name: 'json', type: 'jsonText', nullable: true },
    { name: 'setCode', type: 'string', nullable: true },
    { name: 'otherSetCode', type: 'string', nullable: true },
  ],
  primaryKey: ['id'],
  uniqueKeys: [],
  foreignKeys: [
    { columns: ['setCode'], referencedTable: 'Set', referencedColumns: ['code'] },
    { columns: ['otherSetCode'], referencedTable: 'Set', referencedColumns: ['code'] },
  ],
  indexes: [
    ['setCode', 'id'],
    ['otherSetCode', 'id'],
  ],
} as const satisfies TableSpec

const pairs = {
  name: 'Pair',
  columns: [
    { name: 'text', type: 'string', nullable: false },
    { name: 'number', type: 'bigInteger', nullable: false },
    { name: 'upText', type: 'string', nullable: true },
    { name: 'upNumber', type: 'bigInteger', nullable: true },
  ],
  primaryKey: ['text', 'number'],
  uniqueKeys: [],
  foreignKeys: [
    { columns: ['upText', 'upNumber'], referencedTable: 'Pair', referencedColumns: ['text', 'number'] },
  ],
  indexes: [['upText', 'upNumber']],
} as const satisfies TableSpec

/** The tables, those that are referred to first. */
export const valueTables: readonly TableSpec[] = [sets, values, pairs]

const words = [
  'a',
  'A',
  'á',
  'a\u0301',
  'ä',
  'Z',
  'z',
  'ß',
  'ss',
  'a ',
  ' a',
  '',
  ' ',
  'ab',
  'aB',
  'b',
  '\ud7ff',
  '\ue000',
  '\uff5e',
  '😀',
  '𝒳',
  '\u{10ffff}',
  '\u{10ffff}a',
  '10%',
  '10',
  '9',
  'a_b',
  'a\\b',
  "it's",
  '"q"',
  'tab\t',
  'i',
  'I',
  'İ',
  'ı',
  null,
]
const smalls = [0, 1, -1, 32_767, -32_768, 10, 9, null]
const normals = [0, 1, -1, 2_147_483_647, -2_147_483_648, 10, 9]
const bigs = [
  0,
  '9223372036854775807',
  '-9223372036854775808',
  9_007_199_254_740_991,
  '9007199254740993',
  9,
  10,
  null,
]
const floats = [0, 0.1, 0.30000000000000004, -1.5, 1e21, 1e-7, 1.7976931348623157e308, 5e-324, 2, 10, null]
const amounts = [
  '0',
  '0.1',
  '-0.1',
  '1',
  '1.5',
  '10',
  '9',
  '-10',
  '99999999999999999999999999999999999.999999999999999999999999999999',
  '99999999999999999999999999999999999.999999999999999999999999999998',
  '0.000000000000000000000000000001',
  null,
]
const moments = [
  '2026-01-31T09:30:00',
  '2026-01-31T09:30:00.25',
  '2026-01-31T09:30:00.000001',
  '2026-01-31T09:30:00.999999',
  '1000-01-01T00:00:00',
  '9999-12-31T23:59:59.999999',
  '2024-02-29T12:00:00',
  null,
]
const days = ['2026-01-31', '1000-01-01', '9999-12-31', '2024-02-29', null]
const jsons = ['{}', '[1,2]', '"x"', 'null', '{"a":"é"}', null]
const codes = ['x', 'X', '', '😀', null]

const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item

const setRows: readonly PlainRow[] = [
  { code: 'x', title: 'small', parentCode: null },
  { code: 'X', title: 'capital', parentCode: 'x' },
  { code: '', title: null, parentCode: 'X' },
  { code: '😀', title: 'astral', parentCode: '' },
  { code: 'x ', title: 'without values', parentCode: 'x' },
]

const valueRows: readonly PlainRow[] = Array.from({ length: 72 }, (_, index) => ({
  id: index - 3,
  word: at(words, index),
  words: at(words, index * 7 + 3),
  small: at(smalls, index),
  normal: at(normals, index),
  big: at(bigs, index),
  float: at(floats, index),
  amount: at(amounts, index),
  moment: at(moments, index),
  day: at(days, index),
  json: at(jsons, index),
  setCode: at(codes, index),
  otherSetCode: at(codes, index * 3 + 2),
}))

const pairRows: readonly PlainRow[] = [
  { text: 'a', number: 1, upText: null, upNumber: null },
  { text: 'a', number: 2, upText: 'a', upNumber: 1 },
  { text: 'A', number: 1, upText: 'a', upNumber: 1 },
  { text: 'á', number: '-9223372036854775808', upText: 'A', upNumber: null },
  { text: '["', number: '9223372036854775807', upText: 'á', upNumber: '-9223372036854775808' },
  { text: '', number: 0, upText: '["', upNumber: '9223372036854775807' },
]

const shownRows: ReadonlyMap<string, readonly PlainRow[]> = new Map([
  ['Set', setRows],
  ['Value', valueRows],
  ['Pair', pairRows],
])

/** The entities that the tables become. */
export const valueData: PlainData = new Map(
  valueTables.map((spec) => [spec.name, plainEntity(spec, valueTables, shownRows.get(spec.name) ?? [])]),
)

/** The rows of a table in the order of its columns, as statements take them. */
export function storedRows({ name, columns }: TableSpec): readonly (readonly SqlValue[])[] {
  const rows = shownRows.get(name) ?? []
  return rows.map((row) => columns.map((column) => stored(column.type, row[column.name] ?? null)))
}

/** All values that a field has, each once, without null. */
export function valuesOf(entity: string, field: string): readonly NonNullable<PlainValue>[] {
  const all = (shownRows.get(entity) ?? []).map((row) => row[field] ?? null)
  return [...new Set(all)].filter((value) => value !== null)
}
