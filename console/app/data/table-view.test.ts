import { expect, test } from 'vitest'
import {
  filtersOfView,
  orderOf,
  pathOfRecord,
  pathOfTable,
  queryOfView,
  sortedBy,
  type TableView,
  viewOf,
  wholeTable,
} from './table-view.ts'
import type { Field } from './tables.ts'

const viewAt = (query: string) => viewOf(new URLSearchParams(query))

test.each<TableView>([
  wholeTable,
  {
    ...wholeTable,
    filters: '[{"key":"a&b","op":"==","val":"é"}]',
    search: '100 %',
    asc: ['a'],
    desc: ['b', 'c'],
  },
  { ...wholeTable, place: { kind: 'after', cursor: 'abc==' } },
  { ...wholeTable, place: { kind: 'before', cursor: 'abc+/' } },
  { ...wholeTable, place: { kind: 'offset', offset: 50 } },
  { ...wholeTable, place: { kind: 'end' } },
])('an address keeps the view %j', (view) => {
  expect(viewAt(queryOfView(view).toString())).toEqual(view)
})

test('an address with nonsense is the first page', () => {
  expect(viewAt('offset=-5&place=middle&asc=,,')).toEqual(wholeTable)
  expect(viewAt('offset=1e99')).toEqual(wholeTable)
  expect(viewAt('asc=a,a').asc).toEqual(['a'])
})

test('addresses of tables and records are encoded', () => {
  expect(pathOfTable('Port')).toBe('/data/Port')
  expect(pathOfTable('Port', [{ key: 'id', op: '==', val: 'a/b' }])).toBe(
    '/data/Port?filters=%5B%7B%22key%22%3A%22id%22%2C%22op%22%3A%22%3D%3D%22%2C%22val%22%3A%22a%2Fb%22%7D%5D',
  )
  expect(pathOfRecord('Port', 'a,b%2C')).toBe('/data/Port/a%2Cb%252C')
})

test('a click on a head sorts by turns, and Shift keeps the others', () => {
  const first = sortedBy({ ...wholeTable, place: { kind: 'end' } }, 'a', false)
  expect(first).toEqual({ ...wholeTable, asc: ['a'] })
  const second = sortedBy(first, 'a', false)
  expect(second).toEqual({ ...wholeTable, desc: ['a'] })
  expect(sortedBy(second, 'a', false)).toEqual(wholeTable)
  const both = sortedBy(second, 'b', true)
  expect(both).toEqual({ ...wholeTable, asc: ['b'], desc: ['a'] })
  expect([orderOf(both, 'a'), orderOf(both, 'b'), orderOf(both, 'c')]).toEqual([
    { direction: 'desc', position: 1 },
    { direction: 'asc', position: 0 },
    undefined,
  ])
  expect(sortedBy(both, 'c', false)).toEqual({ ...wholeTable, asc: ['c'] })
})

test('a search looks into text fields', () => {
  const field = (name: string, kind: Field['kind']) => ({ name, kind }) as Field
  const fields = [field('id', 'integer'), field('name', 'string'), field('note', 'string')]
  const view = { ...wholeTable, filters: '[{"key":"id","op":">","val":5}]', search: 'x' }
  expect(filtersOfView(view, { fields })).toEqual([
    { key: 'id', op: '>', val: 5 },
    [
      { key: 'name', op: 'contains', val: 'x' },
      { key: 'note', op: 'contains', val: 'x' },
    ],
  ])
  expect(filtersOfView({ ...wholeTable, search: 'x' }, { fields: [] })).toBeUndefined()
})
