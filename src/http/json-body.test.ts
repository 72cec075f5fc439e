import { describe, expect, test } from 'vitest'
import { fc } from '../../test/support/fast-check.ts'
import { countMembers, findDuplicateKey } from '../documents/json-text.ts'
import { readLongJson } from '../documents/read-long-json.ts'
import { AppError } from '../errors/app-error.ts'
import { parseJsonBody, readJsonBody } from './json-body.ts'

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
      'The number 9007199254740993 has more digits than a JSON number can hold. Send it as a text.',
    ],
    ['{"a": [12345678901234567.89]}', 'The number 12345678901234567.89 has more digits'],
    [`1.${'1'.repeat(80)}`, 'has more digits'],
    ['{"a": 100000000000000e400}', 'A number is too large'],
    ['{"a": [1e999]}', 'A number is too large'],
    ['{"__proto__": {"isAdmin": true}}', 'The key "__proto__" is not allowed.'],
    ['{"a": {"__proto__": 1}}', 'The key "__proto__" is not allowed.'],
    ['{"a": 1, "a": 1}', 'The key "a" occurs twice in the body. Remove one of them.'],
    ['{"a": 1, "\\u0061": 2}', 'The key "a" occurs twice in the body.'],
    ['{"": 1, "" \n :2}', 'The key "" occurs twice in the body.'],
    ['[0, {"b/c": [{"x": "{"}, {"a": {}, "b": [], "a": 3}]}]', 'The key "a" occurs twice in /1/b~1c/1.'],
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

describe('R1 R2: a long text', () => {
  const read = (text: string) => readJsonBody(Buffer.from(text))
  const filler = `"${'x'.repeat(70_000)}"`

  test('is read as a short one is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json({ depthSize: 'medium' }),
        fc.constantFrom('', ' ', '\n\t '),
        async (json, blank) => {
          const text = `${blank}${json}${blank}`
          expect(await readLongJson(text)).toEqual(parse(text))
        },
      ),
      { numRuns: 500 },
    )
    expect(await read(`[${filler}, "\\u00e9\\"", -1.5e3, true, false, null, {"a": [[]]}]`)).toEqual([
      'x'.repeat(70_000),
      'é"',
      -1500,
      true,
      false,
      null,
      { a: [[]] },
    ])
  })

  test.each([
    [`[${filler}`, 'The body is not valid JSON: it ends too early at position 70003.'],
    [`[${filler}}`, 'The body is not valid JSON: "}" is not expected at position 70003.'],
    [`[${filler}] 1`, 'The body is not valid JSON: "1" is not expected at position 70005.'],
    [`[${filler},]`, 'The body is not valid JSON: "]" is not expected at position 70004.'],
    [`{"a": ${filler},}`, 'The body is not valid JSON: "}" is not expected at position 70009.'],
    [`{"a" ${filler}}`, 'The body is not valid JSON: "\\"" is not expected at position 5.'],
    [`[${filler}, 01]`, 'The body is not valid JSON: "1" is not expected at position 70006.'],
    [`[${filler}, "\\x"]`, 'The body is not valid JSON: the string at position 70005 is invalid.'],
    [`[${filler}, "a]`, 'The body is not valid JSON: a string in it is not terminated.'],
    [`{"a": ${filler}, "\\u0061": 1}`, 'The key "a" occurs twice in the body. Remove one of them.'],
    [`[${filler}, {"b/c": [{"a": 1, "a": 1}]}]`, 'The key "a" occurs twice in /1/b~1c/0.'],
    [`{"a": ${filler}, "__proto__": {}}`, 'The key "__proto__" is not allowed.'],
    [`[${filler}, 9007199254740993]`, 'The number 9007199254740993 has more digits'],
    [`[${filler}, 1e999]`, 'A number is too large for JSON.'],
    ['['.repeat(70_000), 'The JSON is nested deeper than 64 levels.'],
    [`[${'0,'.repeat(1_000_000)}0]`, 'The JSON holds more than 1000000 values. Send less at a time.'],
    [
      `{${Array.from({ length: 20_001 }, (_, index) => `"k${index}":0`).join(',')}}`,
      'An object has at most 20000 keys here.',
    ],
    [`1${'0'.repeat(70_000)}1`, 'has more digits than a JSON number can hold'],
  ])('is refused as a short one is: %#', async (text, detail) => {
    const refusal = await read(text).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(AppError)
    expect(String(refusal)).toContain(detail)
  })
})

test('keys are counted and compared, whatever stands around them', () => {
  interface Written {
    readonly text: string
    /** How many members its objects have. */
    readonly members: number
    readonly hasTwin: boolean
  }
  const together = (parts: readonly Written[], text: string, own: Partial<Written> = {}): Written => ({
    text,
    members: parts.reduce((sum, { members }) => sum + members, own.members ?? 0),
    hasTwin: own.hasTwin === true || parts.some(({ hasTwin }) => hasTwin),
  })
  // Keys that are often alike.
  const key = fc.oneof(fc.constantFrom('a', 'b', '"', '\\', ':', '\\"', '__', '0', ''), fc.string())
  const blank = fc.constantFrom('', ' ', '\n\t ')
  const written = fc.letrec<{ value: Written; object: Written; list: Written }>((tie) => ({
    object: fc.array(fc.tuple(key, blank, blank, tie('value')), { maxLength: 4 }).map((members) => {
      const texts = members.map(
        ([name, before, after, { text }]) => `${JSON.stringify(name)}${before}:${after}${text}`,
      )
      return together(
        members.map(([, , , value]) => value),
        `{${texts.join(',')}}`,
        { members: members.length, hasTwin: new Set(members.map(([name]) => name)).size < members.length },
      )
    }),
    list: fc
      .array(tie('value'), { maxLength: 3 })
      .map((values) => together(values, `[${values.map(({ text }) => text).join(' , ')}]`)),
    value: fc.oneof(
      { maxDepth: 4 },
      key.map((one) => together([], JSON.stringify(one))),
      tie('object'),
      tie('list'),
    ),
  })).value
  fc.assert(
    fc.property(written, ({ text, members, hasTwin }) => {
      expect([countMembers(text), findDuplicateKey(text) !== undefined]).toEqual([members, hasTwin])
    }),
    { numRuns: 500 },
  )
})
