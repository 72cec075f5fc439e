import { describe, expect, test } from 'vitest'
import { type FieldTypeName, fieldTypes } from './index.ts'

/** What is sent, what the column holds of it, and how that is shown, where it is not as it was sent. */
const taken: Readonly<
  Record<FieldTypeName, readonly (readonly [sent: unknown, held: unknown, shown?: unknown])[]>
> = {
  string: [
    ['', ''],
    ["'; drop table x; --", "'; drop table x; --"],
    ['😀'.repeat(255), '😀'.repeat(255)],
  ],
  text: [['a'.repeat(1_000_000), 'a'.repeat(1_000_000)]],
  integer: [
    [0, 0],
    [-0, 0, 0],
    [2147483647, 2147483647],
    [-2147483648, -2147483648],
  ],
  float: [
    [0.1, 0.1],
    [1e308, 1e308],
    [5, 5],
  ],
  decimal: [
    ['12.50', '12.5', '12.5'],
    ['-007', '-7', '-7'],
    [1.25, '1.25', '1.25'],
    ['1e3', '1000', '1000'],
    ['12345678901234567890.1', '12345678901234567890.1'],
  ],
  boolean: [
    [true, 1],
    [false, 0],
  ],
  DateTime: [
    ['2026-01-31T09:30:00', '2026-01-31 09:30:00'],
    ['2026-01-31T09:30:00.120000Z', '2026-01-31 09:30:00.12', '2026-01-31T09:30:00.12'],
    ['2026-01-31T01:30:00.000001+10:00', '2026-01-30 15:30:00.000001', '2026-01-30T15:30:00.000001'],
  ],
  Date: [['2024-02-29', '2024-02-29']],
  array: [
    [[], '[]'],
    [[1, { a: null }, '\u0000'], '[1,{"a":null},"\\u0000"]'],
  ],
  object: [[{ b: 1, a: [] }, '{"b":1,"a":[]}']],
}

const refused: Readonly<Record<FieldTypeName, readonly unknown[]>> = {
  string: [1, true, [], {}, 'a'.repeat(256), 'a\u0000', '\ud800'],
  text: [1, 'a'.repeat(1_000_001)],
  integer: [1.5, 2147483648, -2147483649, '1', true, [1]],
  float: ['1', Number.POSITIVE_INFINITY, Number.NaN, true],
  decimal: ['', 'a', '1,5', '0x10', true, [], 1e20, '1'.repeat(66)],
  boolean: [0, 1, 'true', []],
  DateTime: [
    '',
    'now',
    5,
    '2026-02-30T00:00:00',
    '2026-01-01T24:00:00',
    '2026-01-01T00:00:00.1234567',
    '0000-01-01T00:00:00',
    '9999-12-31T23:59:59-01:00',
  ],
  Date: ['2026-02-30', '2023-02-29', '2026-1-1', '2026-01-01T00:00:00', 5],
  array: ['[]', {}, 1],
  object: ['{}', [], 1],
}

describe.each(Object.entries(fieldTypes))('%s', (name, type) => {
  test.each(taken[name as FieldTypeName])('takes %j', (sent, held, shown = sent) => {
    const encoding = type.encode(sent)
    expect(encoding).toEqual({ value: held })
    if ('value' in encoding && encoding.value !== null) {
      expect(JSON.parse(type.writeJson(encoding.value))).toEqual(shown)
    }
  })

  test.each([...refused[name as FieldTypeName].map((sent) => [sent])])('refuses %j', (sent) => {
    expect(type.encode(sent)).toEqual({ refused: expect.stringMatching(/\.$/) })
  })
})

test('what another program wrote into a list is still JSON', () => {
  expect(fieldTypes.array.writeJson('not json')).toBe('"not json"')
})
