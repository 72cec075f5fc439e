import { expect, test } from 'vitest'
import type { Field } from '../tables.ts'
import { type GroupOrder, keyOrder } from './group-order.ts'
import { totalsDocument } from './totals-document.ts'

const field = (name: string, kind: Field['kind'], type?: string) =>
  ({ name, kind, ...(type === undefined ? {} : { entity_type: type }) }) as Field
const part = { order: keyOrder, limit: 101 }
const table = {
  name: 'book',
  fields: [
    field('id', 'integer'),
    field('title', 'string'),
    field('price', 'decimal'),
    field('sold', 'integer', 'boolean'),
    field('tags', 'string', 'array'),
    field('bought', 'dateTime'),
    field('null', 'integer'),
    field('null_', 'integer'),
  ],
}

test('each function is asked of the fields whose values it takes', () => {
  const columns = ['title', 'price', 'sold', 'tags', 'bought']
  expect(totalsDocument(table, { columns, by: [] }, undefined, part)).toEqual({
    document: `query {
  rows: book {
    aggregates {
      count
      count0: count(field: title)
      count1: count(field: price)
      count2: count(field: sold)
      count3: count(field: tags)
      count4: count(field: bought)
      countDistinct { title price sold bought }
      sum { price }
      avg { price }
      min { title price bought }
      max { title price bought }
    }
  }
}`,
    variables: {},
  })
})

test('groups are asked for with less', () => {
  const filters = [{ key: 'id', op: '>', val: 5 }]
  const by = [{ field: 'sold' }, { field: 'bought', every: 'MONTH' }] as const
  expect(totalsDocument(table, { columns: ['tags', 'price'], by }, filters, part)).toEqual({
    document: `query ($filters: GenericScalar) {
  rows: book(filters: $filters) {
    aggregates {
      count
      count0: count(field: tags)
      count1: count(field: price)
      countDistinct { price }
      sum { price }
      avg { price }
      min { price }
      max { price }
    }
    groups(by: [{ field: sold }, { field: bought, every: MONTH }], limit: 101) {
      keys { sold bought }
      count
      count0: count(field: tags)
      sum { price }
      avg { price }
      min { price }
      max { price }
    }
  }
}`,
    variables: { filters },
  })
})

test('fields that are named like values have the names that the schema gives them', () => {
  const { document } = totalsDocument(table, { columns: ['null'], by: [{ field: 'null' }] }, undefined, part)
  expect(document).toContain('count0: count(field: null__)')
  expect(document).toContain('groups(by: [{ field: null__ }], limit: 101) {\n      keys { null }')
  expect(document).toContain('sum { null }')
})

test.each<[GroupOrder, string]>([
  [{ by: { kind: 'keys' }, isDescending: true }, '[{ keys: { sold: DESC } }, { keys: { id: DESC } }]'],
  [{ by: { kind: 'rows' }, isDescending: true }, '[{ count: DESC }]'],
  [{ by: { kind: 'value', column: 'price', fn: 'sum' }, isDescending: false }, '[{ sum: { price: ASC } }]'],
])('groups are sorted by %j', (order, text) => {
  const by = [{ field: 'sold' }, { field: 'id' }]
  const { document } = totalsDocument(table, { columns: ['price'], by }, undefined, { order, limit: 5 })
  expect(document).toContain(`groups(by: [{ field: sold }, { field: id }], orderBy: ${text}, limit: 5) {`)
})
