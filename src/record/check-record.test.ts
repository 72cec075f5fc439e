import { expect, test } from 'vitest'
import type { Column } from '../database/database-schema.ts'
import { AppError } from '../errors/app-error.ts'
import { type CurrentRecord, checkRecord, defaultOrNull } from './check-record.ts'
import { RecordMistakes } from './record-mistakes.ts'
import { type FieldRule, systemColumns, type ValueCodec, type WriteRules } from './record-rules.ts'

const text: ValueCodec = {
  written: { type: 'string' },
  encode: (json) => (typeof json === 'string' ? { value: json } : { refused: 'A text is expected here.' }),
  writeJson: (value) => JSON.stringify(value),
}
const list: ValueCodec = {
  written: { type: 'array' },
  encode: (json) => ({ value: JSON.stringify(json) }),
  writeJson: (value) => String(value),
}

function rule(name: string, more: Partial<FieldRule> = {}): FieldRule {
  const column: Column = { name, type: 'string', nativeType: 'TEXT', nullable: true, hasDefault: false }
  return {
    ...{ name, type: 'string', column, codec: text, nullable: true, isReadOnly: false, isFilled: false },
    ...{ immutable: false, unique: false, default: undefined, defaultOf: undefined },
    ...{ allowed: undefined, reference: undefined },
    ...more,
  }
}

const required = { nullable: false }
const fields = [
  rule('id', { ...required, immutable: true, defaultOf: ({ uuid }) => uuid() }),
  rule('name', required),
  rule('note'),
  rule('kind', {
    defaultOf: () => 'access',
    allowed: { shown: ['access', 'trunk'], encoded: new Set(['access', 'trunk']) },
  }),
  rule('ranges', { codec: list }),
  rule('total', { isReadOnly: true }),
  rule('number', { ...required, isFilled: true }),
  rule('passing', { column: undefined }),
]
const rules: WriteRules = {
  key: ['id'],
  systemColumns,
  fields: new Map(fields.map((f) => [f.name, f])),
  references: [],
}

const context = { now: new Date('2026-11-21T06:00:00Z'), uuid: () => 'u-1' }

const current: CurrentRecord = {
  json: { instance: 'i-1', id: 'p1', name: 'uplink', note: null, ranges: [{ a: 1, b: 2 }], total: '7' },
  values: new Map([
    ['id', 'p1'],
    ['name', 'uplink'],
    ['note', null],
    ['ranges', '[{"a": 1, "b": 2}]'],
    ['total', '7'],
  ]),
}

/** The values that are written, or what is wrong. */
function checked(json: unknown, record?: CurrentRecord): unknown {
  const mistakes = new RecordMistakes()
  const absent = record === undefined ? (of: FieldRule) => defaultOrNull(of, context) : () => 'kept' as const
  const values = checkRecord(json, [], { rules, current: record, absent, mistakes })
  try {
    mistakes.throwIfAny()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.mistakes.map(({ pointer, detail }) => `${pointer} ${detail}`)
  }
  return Object.fromEntries(values)
}

test.each([
  [
    'what was not sent is its default, null, or left to the database',
    { name: 'uplink' },
    { id: 'u-1', name: 'uplink', note: null, kind: 'access', ranges: null },
  ],
  ['what must be there is', {}, ['/name This field is required: it is not nullable and has no default.']],
  ['null is no value where it may not be', { name: null }, ['/name This field must not be null.']],
  ['a value has the type of its field', { name: 5 }, ['/name A text is expected here.']],
  [
    'a value is one of those that are listed',
    { name: 'a', kind: 'trunc' },
    ['/kind This must be one of "access", "trunk"; did you mean "trunk".'],
  ],
  [
    'an identifier goes into a path',
    { name: 'a', id: 'a/b' },
    [
      '/id The identifier is the last part of the path of the record: it must not be empty, a dot or two, or hold a slash, backslash or control character.',
    ],
  ],
  [
    'what only the database writes is refused',
    { name: 'a', total: '8' },
    ['/total Only the database writes this field. Leave it out.'],
  ],
  [
    'what only the gateway writes is refused',
    { name: 'a', xid: 'b' },
    ['/xid The gateway writes "xid" itself. Leave it out.'],
  ],
  [
    'what is not kept is refused',
    { name: 'a', passing: 'b' },
    ['/passing This field is not stored: its field_persistence is false. Leave it out.'],
  ],
  ['a list is no record', [], [' A record is a JSON object.']],
  [
    'all mistakes are told at once',
    { name: 5, kind: null, total: 1 },
    ['/name A text is expected here.', '/total Only the database writes this field. Leave it out.'],
  ],
])('of a new record: %s', (_what, sent, expected) => {
  expect(checked(sent)).toEqual(expected)
})

test.each([
  ['what was not sent stays', { note: 'b' }, { note: 'b' }],
  ['what is sent as it was read is not written, also what no one may write', current.json, {}],
  ['nor is the same value in another form', { ranges: [{ b: 2, a: 1 }] }, {}],
  [
    'what cannot change does not',
    { id: 'p2' },
    ['/id This field cannot be changed after the record is created; it is "p1".'],
  ],
  [
    'what only the database writes may be sent back alone',
    { total: '8' },
    ['/total Only the database writes this field. Leave it out, or send it as it was read.'],
  ],
])('of a record that is there: %s', (_what, sent, expected) => {
  expect(checked(sent, current)).toEqual(expected)
})

test('a misspelled field is reported with the one that was meant', () => {
  expect(checked({ name: 'a', noet: 'b' })).toEqual([
    '/noet There is no field "noet"; did you mean "note". Fields are id, name, note, kind, ranges, total, number.',
  ])
})
