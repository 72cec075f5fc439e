import { expect, test } from 'vitest'
import { longNumberIn, parseExactly, parseWithTexts } from './exact-json.ts'

test.each([
  ['[12345678901234567890]', '12345678901234567890'],
  ['{"a":[{"b":12345678901234567.89}]}', '12345678901234567.89'],
  ['[1,0.1000000000000000055]', '0.1000000000000000055'],
  ['1e999', '1e999'],
  ['[-1E+400]', '-1E+400'],
  ['1e-999', '1e-999'],
  [`[0.${'1'.repeat(2000)}]`, `0.${'1'.repeat(2000)}`],
  ['["12345678901234567890",0.1,1e300,-0,0e999]', undefined],
  ['[100000000000000000000000,1.50000000000000000000,9007199254740992]', undefined],
  ['[1e-300,5e-324,0.30000000000000004,1.7976931348623157e308]', undefined],
])('the first number that cannot be held in %s', (text, expected) => {
  expect(longNumberIn(parseExactly(text))?.source).toBe(expected)
})

test('numbers that cannot be held are written as they were', () => {
  const text = '{"a":[12345678901234567890,1e999,{"b":12345678901234567.89}],"c":1}'
  expect(JSON.stringify(parseExactly(text))).toBe(text)
})

test('or as texts', () => {
  const text = '[12345678901234567890,{"b":0.1000000000000000055},1.50,9007199254740992]'
  expect(parseWithTexts(text)).toEqual([
    '12345678901234567890',
    { b: '0.1000000000000000055' },
    1.5,
    9007199254740992,
  ])
})
