import { expect, test } from 'vitest'
import { evaluateDefault, parseDefaultExpression } from './default-expression.ts'
import type { FieldTypeName } from './field-types/index.ts'

const uuid = '3b1c1e5e-6a55-4f3c-9c2e-0d8b1f7a9e10'

function evaluate(text: string, type: FieldTypeName = 'string'): unknown {
  const reading = parseDefaultExpression(text)
  if ('mistake' in reading) throw new Error(reading.mistake)
  return evaluateDefault(reading.expression, type, {
    now: new Date('2026-11-21T06:00:00.123Z'),
    uuid: () => uuid,
  })
}

test.each([
  ['now()', '2026-11-21T06:00:00.123'],
  ['utcnow()', '2026-11-21T06:00:00.123'],
  ['datetime.utcnow()', '2026-11-21T06:00:00.123'],
  [' datetime.datetime.utcnow( ) ', '2026-11-21T06:00:00.123'],
  ['datetime.utcnow', '2026-11-21T06:00:00.123'],
  ['datetime.datetime.utcnow', '2026-11-21T06:00:00.123'],
  ['datetime.now(timezone.utc)', '2026-11-21T06:00:00.123'],
  ['datetime.now(tz=timezone.utc)', '2026-11-21T06:00:00.123'],
  ['datetime.now(datetime.timezone.utc)', '2026-11-21T06:00:00.123'],
  ['datetime.datetime.now(datetime.timezone.utc)', '2026-11-21T06:00:00.123'],
  ['datetime.now(UTC)', '2026-11-21T06:00:00.123'],
  ['datetime.now(datetime.UTC)', '2026-11-21T06:00:00.123'],
  ['uuid()', uuid],
  ['uuid.uuid4', uuid],
  ['uuid.uuid4()', uuid],
  ['str(uuid4())', uuid],
  ['str(uuid.uuid4())', uuid],
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['0', 0],
  ['-1.5e3', -1500],
  ['"a"', 'a'],
  ["'it\\'s'", "it's"],
  ["'a\\n\\u00e9\\\\'", 'a\né\\'],
  ['"now()"', 'now()'],
  ['[]', []],
  ['{}', {}],
  [`[1, 'a', None, [True]]`, [1, 'a', null, [true]]],
  [`{"a": {'b': []}}`, { a: { b: [] } }],
])('%s is %j', (text, value) => {
  expect(evaluate(text)).toEqual(value)
})

test('a day gets the day of the time', () => {
  expect(evaluate('now()', 'Date')).toBe('2026-11-21')
})

test.each([
  ['', 1, 'a value was expected, and nothing came'],
  ['process.exit()', 1, '"process.exit" is not known'],
  ["require('fs')", 1, '"require" is not known'],
  ["constructor.constructor('return 1')()", 1, '"constructor.constructor" is not known'],
  ['[1, foo()]', 5, '"foo" is not known'],
  ['Processing', 1, `a text is written in quotes. As a text: "field_default": "'Processing'".`],
  ['datetime.now()', 1, '"datetime.now" is not known'],
  ["'a' or 'b'", 5, 'the end was expected'],
  ["'a", 1, 'never closed'],
  ["'a\\x41'", 4, 'this escape is not known'],
  ['[1,]', 4, 'a value was expected'],
  ['{a: 1}', 2, 'a key in quotes was expected'],
  ['{"a" 1}', 6, '":" was expected'],
  ['1 + 1', 3, 'the end was expected'],
  ['12345678901234567890', 1, 'does not keep all digits'],
  ['1e400', 1, 'does not keep all digits'],
  ['now', 1, '"now" is not known'],
  ['`a`', 1, 'a value was expected'],
  ['('.repeat(9), 1, 'a value was expected'],
  ['['.repeat(100), 34, 'nested deeper'],
])('%s goes wrong at character %i', (text, position, message) => {
  const reading = parseDefaultExpression(text)
  expect(reading).toEqual({ mistake: expect.stringContaining(`At character ${position}: `) })
  expect(reading).toEqual({ mistake: expect.stringContaining(message) })
  expect(reading).toEqual({ mistake: expect.stringContaining('What works: ') })
})

test('an object of a default has no prototype to reach', () => {
  const value = evaluate('{"__proto__": {"polluted": true}}', 'object') as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})
