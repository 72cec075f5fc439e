import { expect, test } from 'vitest'
import { type ColumnChoice, columnsOf, shownColumns, withMoved } from './columns.ts'
import type { Field, Relation } from './tables.ts'

const field = (name: string, kind: Field['kind'] = 'string') => ({ name, kind }) as Field
const relation = (name: string, ...own: readonly string[]) =>
  ({ name, fields: own.map((one) => ({ own: one, other: one })) }) as unknown as Relation

const table = {
  fields: [field('id', 'integer'), field('tenantId'), field('a'), field('b')],
  references: [relation('both', 'tenantId', 'a'), relation('tenant', 'tenantId')],
  collections: [relation('portCollection', 'id')],
}
const choice: ColumnChoice = { order: [], shown: {}, widths: {}, size: 50 }
const names = (chosen: ColumnChoice) => shownColumns(table, chosen).map(({ name }) => name)

test('columns are those of the table, in its order; collections are shown if they are chosen', () => {
  expect(names(choice)).toEqual(['id', 'tenantId', 'a', 'b'])
  expect(names({ ...choice, shown: { portCollection: true, a: false } })).toEqual([
    'id',
    'tenantId',
    'b',
    'portCollection',
  ])
  const wide = { ...table, fields: Array.from({ length: 200 }, (_, index) => field(`f${index}`)) }
  expect(shownColumns(wide, choice)).toHaveLength(30)
})

test('columns that only the gateway writes are shown if they are chosen', () => {
  const own = { name: 'xid', api_name: 'xid', kind: 'string', read_only: true } as Field
  const made = { ...own, name: 'total', api_name: 'total', entity_type: 'integer' } as Field
  const withOwn = { ...table, fields: [own, made, ...table.fields] }
  const shown = (chosen: ColumnChoice) => shownColumns(withOwn, chosen).map(({ name }) => name)
  expect(shown(choice)).toEqual(['total', 'id', 'tenantId', 'a', 'b'])
  expect(shown({ ...choice, shown: { xid: true, b: false } })).toEqual([
    'xid',
    'total',
    'id',
    'tenantId',
    'a',
  ])
})

test('a column knows where its values lead: by a foreign key of its own, otherwise by one with others', () => {
  const leadsBy = columnsOf(table, choice).map(
    ({ column }) => column.kind === 'field' && column.reference?.name,
  )
  expect(leadsBy).toEqual([undefined, 'tenant', 'both', undefined, false])
})

test('order and widths are as chosen; what a choice does not name follows', () => {
  const all = columnsOf(table, choice).map(({ column }) => column.name)
  const moved = withMoved(choice, all, 'b', 0)
  expect(names(moved)).toEqual(['b', 'id', 'tenantId', 'a'])
  expect(names({ ...choice, order: ['a', 'gone'] })).toEqual(['a', 'id', 'tenantId', 'b'])
  const [first] = shownColumns(table, { ...choice, widths: { id: 5, a: Number.NaN } })
  expect(first?.width).toBe(60)
})

test('a column has room for its own name beside the name in GraphQL', () => {
  const named = { ...field('n___2'), column: '名前' } as Field
  const [column, other] = shownColumns({ ...table, fields: [named, field('n___2')] }, choice)
  expect([column?.width, other?.width]).toEqual([200, 200])
  const long = { ...field('n___3', 'integer'), column: '価格の合計' } as Field
  expect(shownColumns({ ...table, fields: [long] }, choice).map(({ width }) => width)).toEqual([174])
})
