import { expect, test } from 'vitest'
import { columnTypeOf } from './types.ts'

test.each([
  ['integer', 'integer'],
  ['constructor', 'other'],
  ['point', 'other'],
])('values of the type %s are %s', (name, type) => {
  expect(columnTypeOf({ name, kind: 'c', category: 'C', collation: 'none' })).toBe(type)
})
