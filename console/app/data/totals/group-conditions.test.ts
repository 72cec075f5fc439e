import { expect, test } from 'vitest'
import { conditionsOfGroup } from './group-conditions.ts'

test('the rows of a group have its values', () => {
  const by = [{ field: 'authorId' }, { field: 'sold' }]
  expect(conditionsOfGroup(by, { authorId: 5, sold: null })).toEqual([
    { key: 'authorId', op: '==', val: 5 },
    { key: 'sold', op: '==', val: null },
  ])
})

test.each([
  ['HOUR', '2024-02-28T23:00:00', '2024-02-29T00:00:00'],
  ['DAY', '2024-02-29T00:00:00', '2024-03-01T00:00:00'],
  ['DAY', '2023-12-31', '2024-01-01'],
  ['MONTH', '2023-12-01', '2024-01-01'],
  ['MONTH', '2024-01-01T00:00:00', '2024-02-01T00:00:00'],
  ['YEAR', '0099-01-01', '0100-01-01'],
] as const)('those of a unit of time, %s from %s, are from then to the next', (every, from, to) => {
  expect(conditionsOfGroup([{ field: 'at', every }], { at: from })).toEqual([
    { key: 'at', op: '>=', val: from },
    { key: 'at', op: '<', val: to },
  ])
})

test('nothing comes after the last year', () => {
  expect(conditionsOfGroup([{ field: 'at', every: 'YEAR' }], { at: '9999-01-01' })).toEqual([
    { key: 'at', op: '>=', val: '9999-01-01' },
  ])
})

test.each([null, 'infinity', '-0044-01-01'])('rows of no known unit are not found by it: %s', (at) => {
  expect(conditionsOfGroup([{ field: 'at', every: 'DAY' }], { at })).toBeUndefined()
})
