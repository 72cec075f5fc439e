import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { parseJsonBody } from './json-body.ts'
import { countMembers, findTwin } from './json-members.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))

test.each([
  ['{"a": [1, "2", null, true]}', { a: [1, '2', null, true] }],
  ['0.1', 0.1],
  ['1.0', 1],
  ['1e3', 1000],
  ['-0.000000000000001', -1e-15],
  ['1234567890.12345', 1234567890.12345],
  ['9007199254740991', 9007199254740991],
  ['10000000000000000000000', 1e22],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['-0.00000000000000000', -0],
  ['"9007199254740993"', '9007199254740993'],
  ['{"id": "0123456789abcdef-e.5", "n": 1}', { id: '0123456789abcdef-e.5', n: 1 }],
  ['{"a": ":", "b": "\\":{", "c" : {"a": "\\\\"}}', { a: ':', b: '":{', c: { a: '\\' } }],
  ['[{"a": 1}, {"a": 2}, "a", ["a", "a"]]', [{ a: 1 }, { a: 2 }, 'a', ['a', 'a']]],
  [`${'['.repeat(64)}${']'.repeat(64)}`, expect.any(Array)],
])('%s is read', (text, value) => {
  expect(parse(text)).toEqual(value)
})

describe('what is refused', () => {
  test.each([
    ['', 'The body is empty; a JSON document is expected.'],
    ['  ', 'The body is empty; a JSON document is expected.'],
    ['{"a"', 'The body is not valid JSON: '],
    ['NaN', 'The body is not valid JSON: '],
    [
      '9007199254740993',
      'The number 9007199254740993 has more digits than a JSON number keeps. Send it as a text.',
    ],
    ['{"a": [12345678901234567.89]}', 'The number 12345678901234567.89 has more digits'],
    [`1.${'1'.repeat(80)}`, 'has more digits'],
    ['{"a": 100000000000000e400}', 'A number is too large'],
    ['{"a": [1e999]}', 'A number is too large'],
    ['{"__proto__": {"isAdmin": true}}', 'The key "__proto__" is not allowed.'],
    ['{"a": {"__proto__": 1}}', 'The key "__proto__" is not allowed.'],
    ['{"a": 1, "a": 1}', 'The key "a" is there twice in the body. Leave one of them out.'],
    ['{"a": 1, "\\u0061": 2}', 'The key "a" is there twice in the body.'],
    ['{"": 1, "" \n :2}', 'The key "" is there twice in the body.'],
    ['[0, {"b/c": [{"x": "{"}, {"a": {}, "b": [], "a": 3}]}]', 'The key "a" is there twice in /1/b~1c/1.'],
    [
      `${'['.repeat(100_000)}1234567890123456${']'.repeat(100_000)}`,
      'The JSON is nested deeper than 64 levels.',
    ],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'The JSON is nested deeper than 64 levels.'],
  ])('%.40s', (text, detail) => {
    expect(() => parse(text)).toThrow(AppError)
    expect(() => parse(text)).toThrow(detail)
  })

  test('bytes that are not UTF-8', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0x22]))).toThrow('The body is not valid UTF-8.')
  })
})

test('keys are counted and compared as JSON.parse reads them', () => {
  // Keys that are often alike, and all that may stand around them.
  const key = fc.oneof(fc.constantFrom('a', 'b', '"', '\\', ':', '\\"', '__', '0', ''), fc.string())
  const text = fc.letrec<{ value: string; object: string; list: string }>((tie) => {
    const blank = fc.constantFrom('', ' ', '\n\t ')
    const member = fc
      .tuple(key, blank, blank, tie('value'))
      .map(([name, before, after, value]) => `${JSON.stringify(name)}${before}:${after}${value}`)
    return {
      object: fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(',')}}`),
      list: fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(' , ')}]`),
      value: fc.oneof(
        { maxDepth: 4 },
        key.map((one) => JSON.stringify(one)),
        tie('object'),
        tie('list'),
      ),
    }
  }).value
  fc.assert(
    fc.property(text, (body) => {
      let members = 0
      JSON.parse(body, (_, value) => {
        members +=
          typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0
        return value
      })
      const hasTwin = countMembers(body) !== members
      expect(findTwin(body) !== undefined).toBe(hasTwin)
    }),
    { numRuns: 500 },
  )
})
