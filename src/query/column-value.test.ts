import { expect, test } from 'vitest'
import type { Column } from '../database/database-schema.ts'
import { toColumnValue } from './column-value.ts'

const column = (type: Column['type'], unsigned = false): Column => ({
  name: 'c',
  type,
  nativeType: '',
  nullable: true,
  hasDefault: false,
  unsigned,
})

test.each([
  ['float', '1.7976931348623157e308', 1.7976931348623157e308],
  ['float', '.5', 0.5],
  ['float', 495917316678999600000n, 495917316678999600000],
  ['integer', '-5', -5n],
  ['integer', true, 1],
  ['bigint', '-9223372036854775808', -(2n ** 63n)],
  ['decimal', 1e-7, '0.0000001'],
  ['string', 5, '5'],
] as const)('a column of type %s takes %s', (type, value, converted) => {
  expect(toColumnValue(column(type), value, 'c')).toEqual(converted)
})

test('a column without a sign takes whole numbers of 64 bits', () => {
  expect(toColumnValue(column('bigint', true), '18446744073709551615', 'c')).toBe(2n ** 64n - 1n)
})

test.each([
  ['float', 'x'],
  ['float', '1e999'],
  ['float', ''],
  ['float', '0x10'],
  ['integer', 1.5],
  ['bigint', '9223372036854775808'],
] as const)('a column of type %s refuses %s', (type, value) => {
  expect(() => toColumnValue(column(type), value, 'c')).toThrow(
    expect.objectContaining({ code: 'PARAMETER_INVALID' }),
  )
})
