import { describe, expect, test } from 'vitest'
import { parseDecimal } from './decimal-text.ts'

describe('a decimal has one text', () => {
  test.each([
    ['1', '1'],
    ['+01.500', '1.5'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e3', '1000'],
    ['1.25e-3', '0.00125'],
    ['-12.5E+1', '-125'],
    ['9007199254740993.000000000000000001', '9007199254740993.000000000000000001'],
  ])('%s', (text, canonical) => {
    expect(parseDecimal(text)).toBe(canonical)
  })

  test.each(['', '.', '-', 'x', '1,5', 'NaN', 'Infinity', '0x10', '1e', '1e99999', '1'.repeat(66)])(
    '%s is not one',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined()
    },
  )
})
