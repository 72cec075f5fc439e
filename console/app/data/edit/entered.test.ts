import { expect, test } from 'vitest'
import type { Field } from '../tables.ts'
import { emptied, enteredOf, inputKindOf, readEntered } from './entered.ts'

const field = (kind: Field['kind'], more: Partial<Field> = {}) =>
  ({ name: 'f', column: 'f', native_type: '', kind, nullable: true, ...more }) as Field

test('the type of a field says how it is entered', () => {
  const kinds = [
    field('string', { entity_type: 'string', native_type: 'varchar(255)' }),
    field('string', { entity_type: 'text', native_type: 'text' }),
    field('string', { enum: ['up', 'down'] }),
    field('string', { entity_type: 'array' }),
    field('json'),
    field('integer', { entity_type: 'boolean' }),
    field('boolean'),
    field('bigint'),
    field('decimal'),
    field('dateTime'),
    field('date'),
    field('time'),
    field('binary', { entity_type: 'text' }),
    field('uuid'),
  ].map(inputKindOf)
  expect(kinds).toEqual([
    'text',
    'longText',
    'choice',
    'json',
    'json',
    'choice',
    'choice',
    'number',
    'number',
    'moment',
    'date',
    'text',
    'bytes',
    'text',
  ])
})

test('no digit is lost between a record and its form', () => {
  const values = [
    [9007199254740993n.toString(), field('bigint')],
    [42, field('bigint')],
    ['12345678901234567890.0100', field('decimal')],
    [1.5e-300, field('float')],
    [{ a: [1, null] }, field('json')],
    [true, field('integer', { entity_type: 'boolean' })],
    [2, field('integer', { enum: [1, 2] })],
    ['', field('string')],
    [null, field('string')],
    ['2026-01-31T09:30:00.123456', field('dateTime')],
  ] as const
  for (const [value, of] of values) {
    const entered = enteredOf(value, of)
    expect(entered === undefined || readEntered(entered, of)).toEqual({ value })
  }
})

test('what is no value of the type goes to the gateway as it was typed', () => {
  expect(readEntered('12x', field('integer'))).toEqual({ value: '12x' })
  expect(readEntered('1e400', field('float'))).toEqual({ value: '1e400' })
  expect(readEntered('9007199254740993', field('integer'))).toEqual({ value: '9007199254740993' })
  expect(readEntered('maybe', field('boolean'))).toEqual({ value: 'maybe' })
  expect(readEntered('{', field('json'))).toEqual({ mistake: expect.stringContaining('JSON') })
})

test('an emptied input is an empty text, null, or nothing', () => {
  expect(emptied(field('string'), true)).toBe('')
  expect(emptied(field('integer'), true)).toBeUndefined()
  expect(emptied(field('integer'), false)).toBeNull()
  expect(emptied(field('integer', { nullable: false }), false)).toBe('')
})

test('JSON with a number that would change is a mistake', () => {
  expect(readEntered('{"a":[12345678901234567]}', field('json'))).toEqual({
    mistake: 'The number 12345678901234567 has more digits than a JSON number can hold.',
  })
  expect(readEntered('{"a":["12345678901234567",0.1]}', field('json'))).toEqual({
    value: { a: ['12345678901234567', 0.1] },
  })
})
