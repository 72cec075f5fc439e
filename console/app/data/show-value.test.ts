import { expect, test } from 'vitest'
import { showValue } from './show-value.ts'
import type { Field } from './tables.ts'

type Shape = Pick<Field, 'kind' | 'entity_type'>

test.each<readonly [unknown, Shape, object]>([
  [null, { kind: 'string' }, { kind: 'null' }],
  ['', { kind: 'string' }, { kind: 'empty' }],
  ['<b>', { kind: 'string' }, { kind: 'text', text: '<b>' }],
  ['a\n b', { kind: 'string' }, { kind: 'text', text: 'a ⏎ b', full: 'a\n b' }],
  [1, { kind: 'integer', entity_type: 'boolean' }, { kind: 'boolean', value: true }],
  [false, { kind: 'boolean' }, { kind: 'boolean', value: false }],
  [7, { kind: 'integer', entity_type: 'boolean' }, { kind: 'text', text: '7' }],
  ['9223372036854775807', { kind: 'bigint' }, { kind: 'number', text: '9223372036854775807' }],
  ['1.10', { kind: 'decimal' }, { kind: 'number', text: '1.10' }],
  ['AP8Q', { kind: 'binary' }, { kind: 'bytes', size: 3, full: 'AP8Q' }],
  ['AP8=', { kind: 'binary' }, { kind: 'bytes', size: 2, full: 'AP8=' }],
  ['[]', { kind: 'string', entity_type: 'array' }, { kind: 'json', text: '[]' }],
  [{ a: 1 }, { kind: 'json' }, { kind: 'json', text: '{"a":1}', full: '{\n  "a": 1\n}' }],
  ['{broken', { kind: 'json' }, { kind: 'text', text: '{broken' }],
  [
    '2026-01-31T09:30:00.5',
    { kind: 'dateTime' },
    { kind: 'time', text: '2026-01-31 09:30:00.5', date: new Date('2026-01-31T09:30:00.500Z') },
  ],
  [
    '0000-00-00T00:00:00',
    { kind: 'dateTime' },
    { kind: 'time', text: '0000-00-00 00:00:00', date: undefined },
  ],
])('%j of %j', (value, field, shown) => {
  expect(showValue(value, field)).toEqual(shown)
})

test('a long text is cut between characters', () => {
  const text = `${'x'.repeat(159)}😀${'y'.repeat(10_000)}`
  expect(showValue(text, { kind: 'string' })).toEqual({
    kind: 'text',
    text: `${'x'.repeat(159)}…`,
    full: text,
  })
})
