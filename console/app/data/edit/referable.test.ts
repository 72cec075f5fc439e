import { expect, test } from 'vitest'
import type { Field } from '../tables.ts'
import { referenceFilters, sharedReferenceOf, tellingField } from './referable.ts'

const field = (name: string, kind: Field['kind'] = 'string') => ({ name, kind }) as Field

test('a name tells people which record it is, otherwise another text', () => {
  const telling = (...names: readonly string[]) =>
    tellingField({ fields: names.map((name) => field(name)) }, ['id'])?.name
  expect(telling('id', 'city', 'lastName', 'name')).toBe('name')
  expect(telling('id', 'city', 'lastName')).toBe('lastName')
  expect(telling('id', 'city')).toBe('city')
  expect(telling('id')).toBeUndefined()
})

test('a text finds records by the beginning of their keys, and by a part of their names', () => {
  const name = field('name')
  expect(referenceFilters([field('id')], name, '')).toEqual([])
  expect(referenceFilters([field('id')], name, 'a')).toEqual([
    [
      { key: 'id', op: 'starts', val: 'a' },
      { key: 'name', op: 'contains', val: 'a' },
    ],
  ])
  expect(referenceFilters([field('id', 'bigint')], name, '12')).toEqual([
    [
      { key: 'id', op: '==', val: '12' },
      { key: 'name', op: 'contains', val: '12' },
    ],
  ])
  expect(referenceFilters([field('id', 'integer')], undefined, 'a')).toEqual([
    { key: 'id', op: '==', val: null },
  ])
})

test('a key of several fields is looked for in each of them', () => {
  expect(referenceFilters([field('shop'), field('line', 'integer')], field('name'), '7')).toEqual([
    [
      { key: 'shop', op: 'starts', val: '7' },
      { key: 'line', op: '==', val: '7' },
      { key: 'name', op: 'contains', val: '7' },
    ],
  ])
})

test('fields refer together only if a form has all of them', () => {
  const fields = [
    { own: 'shop', other: 'shop' },
    { own: 'item', other: 'code' },
  ]
  const item = { name: 'item', table: 'Item', other_name: 'lines', has_global_id: true, fields }
  const table = { references: [item] }
  expect(sharedReferenceOf(table, 'item', new Set(['shop', 'item', 'count']))).toBe(item)
  expect(sharedReferenceOf(table, 'item', new Set(['item', 'count']))).toBeUndefined()
  expect(sharedReferenceOf(table, 'count', new Set(['shop', 'item', 'count']))).toBeUndefined()
})
