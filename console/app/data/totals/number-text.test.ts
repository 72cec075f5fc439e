import { expect, test } from 'vitest'
import { averageText, numberText } from './number-text.ts'

test.each([
  [0, '0'],
  [1234567, '1,234,567'],
  ['12345678901234567890123.50', '12,345,678,901,234,567,890,123.50'],
  ['-0.10', '-0.10'],
  [101.33333333333333, '101.33333333333333'],
  [1e21, '1e+21'],
  [1.5e-9, '1.5e-9'],
  ['NaN', 'NaN'],
])('%j is shown as %s', (value, text) => {
  expect(numberText(value, 'en')).toBe(text)
})

test.each([
  [101.33333333333333, '101.3333'],
  [0.1 + 0.2, '0.3'],
  [12345678.9, '12,345,679'],
  [-2, '-2'],
  [1.5e-9, '1.5e-9'],
])('the average %j is shown as %s', (value, text) => {
  expect(averageText(value, 'en')).toBe(text)
})
