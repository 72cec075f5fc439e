import { expect, test } from 'vitest'
import type { Field } from '../tables.ts'
import { sortedGroups } from './sort-groups.ts'
import type { GroupTotals } from './totals.ts'

const price = { name: 'price', kind: 'decimal' } as Field
const group = (key: string | null, count: number, sum: unknown): GroupTotals => ({
  keys: { author: key },
  count,
  columns: [{ field: price, values: { sum } }],
})
const groups = [group(null, 2, null), group('Ada', 5, '9.50'), group('Emil', 5, '100.00')]
const namesOf = (sorted: readonly GroupTotals[]) => sorted.map(({ keys }) => keys.author)

test('groups are in the order of their keys, or the other way round', () => {
  expect(namesOf(sortedGroups(groups, { by: { kind: 'keys' }, isDescending: false }))).toEqual([
    null,
    'Ada',
    'Emil',
  ])
  expect(namesOf(sortedGroups(groups, { by: { kind: 'keys' }, isDescending: true }))).toEqual([
    'Emil',
    'Ada',
    null,
  ])
})

test('or by how many rows they have; equal ones keep their order', () => {
  expect(namesOf(sortedGroups(groups, { by: { kind: 'rows' }, isDescending: true }))).toEqual([
    'Ada',
    'Emil',
    null,
  ])
  expect(namesOf(sortedGroups(groups, { by: { kind: 'rows' }, isDescending: false }))).toEqual([
    null,
    'Ada',
    'Emil',
  ])
})

test('or by a value, as numbers are: nothing is least', () => {
  const bySum = { kind: 'value', column: 0, fn: 'sum' } as const
  expect(namesOf(sortedGroups(groups, { by: bySum, isDescending: true }))).toEqual(['Emil', 'Ada', null])
  expect(namesOf(sortedGroups(groups, { by: bySum, isDescending: false }))).toEqual([null, 'Ada', 'Emil'])
})
