import { expect, test } from 'vitest'
import { chosenChanges, differencesOf, firstSide, isConflict } from './conflict.ts'
import type { WritableField } from './stored-record.ts'

const fields = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, api_name: name })) as WritableField[]
const base = { a: 1, b: 1, c: 1, d: { x: 1, y: 2 }, e: 1 }

test('each field in which two versions differ can be chosen; what only I changed is mine at first', () => {
  const changes = { a: 2, b: 2, e: 3 }
  const theirs = { a: 1, b: 3, c: 3, d: { y: 2, x: 1 }, e: 3 }
  const differences = differencesOf(fields, { base, changes, theirs })
  expect(
    differences.map(({ field, mine, theirs: other, changedBy }) => [field.name, mine, other, changedBy]),
  ).toEqual([
    ['a', 2, 1, 'mine'],
    ['b', 2, 3, 'both'],
    ['c', 1, 3, 'theirs'],
  ])
  expect(chosenChanges(differences, firstSide)).toEqual({ a: 2, b: 2 })
  expect(chosenChanges(differences, () => 'theirs')).toEqual({})
  expect(chosenChanges(differences, () => 'mine')).toEqual({ a: 2, b: 2, c: 1 })
  expect(isConflict(differences)).toBe(true)
})

test('a change that others made to nothing of interest is no conflict', () => {
  expect(isConflict(differencesOf(fields, { base, changes: { a: 2 }, theirs: base }))).toBe(false)
})
