import { expect, test } from 'vitest'
import { type FilterTable, keyInside, pathOf } from './filter-path.ts'
import type { Field, Relation } from './tables.ts'

const field = (name: string) => ({ name, kind: 'string' }) as Field
const relation = (name: string, table: string) => ({ name, table }) as Relation

const sale: FilterTable = {
  fields: [field('id'), field('odd.name')],
  references: [relation('shop', 'Shop')],
  collections: [relation('itemCollection', 'Item')],
}
const shop: FilterTable = {
  fields: [field('name'), field('meta')],
  references: [relation('city', 'City')],
  collections: [relation('saleCollection', 'Sale')],
}
const city: FilterTable = { fields: [field('name')], references: [], collections: [] }
const read = new Map([
  ['Shop', shop],
  ['City', city],
])
const path = (key: string) => pathOf(sale, key, (name) => read.get(name))

test('a field of the table is one step', () => {
  expect(path('id')).toEqual({ steps: [{ table: sale, before: '', name: 'id' }], field: field('id') })
  expect(path('odd.name')).toEqual({
    steps: [{ table: sale, before: '', name: 'odd.name' }],
    field: field('odd.name'),
  })
})

test('each reference leads one step further', () => {
  expect(path('shop.city.name')).toEqual({
    steps: [
      { table: sale, before: '', name: 'shop' },
      { table: shop, before: 'shop.', name: 'city', of: 'shop' },
      { table: city, before: 'shop.city.', name: 'name', of: 'city' },
    ],
    field: field('name'),
  })
  expect(path('shop.')).toEqual({
    steps: [
      { table: sale, before: '', name: 'shop' },
      { table: shop, before: 'shop.', name: '', of: 'shop' },
    ],
  })
})

test('a path leads into the JSON of the field at the end', () => {
  expect(path('shop.meta->a.b')).toEqual({
    steps: [
      { table: sale, before: '', name: 'shop' },
      { table: shop, before: 'shop.', name: 'meta', of: 'shop' },
    ],
    inside: 'a.b',
    field: field('meta'),
  })
  expect([keyInside('shop.meta->a', 'a.0'), keyInside('shop.meta', 'a'), keyInside('meta->a', '')]).toEqual([
    'shop.meta->a.0',
    'shop.meta->a',
    'meta',
  ])
})

test('the rows of a relation are the end of a path', () => {
  expect(path('shop.saleCollection')).toEqual({
    steps: [
      { table: sale, before: '', name: 'shop' },
      { table: shop, before: 'shop.', name: 'saleCollection', of: 'shop' },
    ],
    relation: relation('saleCollection', 'Sale'),
  })
  expect(path('shop').relation).toEqual(relation('shop', 'Shop'))
})

test('a table that is not read yet is waited for', () => {
  const open = { ...sale, references: [relation('owner', 'Person')] }
  expect(pathOf(open, 'owner.city.name', () => undefined)).toEqual({
    steps: [{ table: open, before: '', name: 'owner' }],
    awaited: { table: 'Person', rest: 'city.name' },
  })
})

test('what is not known stays as it was written', () => {
  expect(path('none.name')).toEqual({ steps: [{ table: sale, before: '', name: 'none.name' }] })
  expect(path('itemCollection.id')).toEqual({
    steps: [{ table: sale, before: '', name: 'itemCollection.id' }],
  })
})
