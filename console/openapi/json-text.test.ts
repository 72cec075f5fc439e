import { expect, test } from 'vitest'
import { compactJson, indentedJson } from './json-text.ts'

test('has the lines of JSON.stringify', () => {
  const values = [
    null,
    'a "{[,:]}" \\ b',
    [],
    {},
    [[], {}],
    { a: [1, -2.5, { b: null }], 'c d': true, e: { f: {} }, '': '' },
  ]
  for (const value of values) {
    const [compact, indented] = [JSON.stringify(value), JSON.stringify(value, null, 2)]
    expect([indentedJson(compact), indentedJson(indented)]).toEqual([indented, indented])
    expect([compactJson(compact), compactJson(indented)]).toEqual([compact, compact])
  }
})

test('keeps each digit', () => {
  expect(indentedJson('{"a":12345678901234567890,"b":1.50,"c":-0,"d":1E400}')).toBe(
    '{\n  "a": 12345678901234567890,\n  "b": 1.50,\n  "c": -0,\n  "d": 1E400\n}',
  )
})

test('anything else is no JSON', () => {
  expect([indentedJson('<p>'), indentedJson(''), compactJson('{')]).toEqual([undefined, undefined, undefined])
})
