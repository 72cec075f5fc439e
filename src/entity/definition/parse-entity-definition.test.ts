import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { definition, field, reference } from '../../../test/support/temporary-entities.ts'
import { parseEntityDefinition } from './parse-entity-definition.ts'

const withField = (more: Readonly<Record<string, unknown>>) =>
  definition('Port', { local: [{ field_name: 'name', field_type: 'string', ...more }] })

describe('a definition that is right', () => {
  test('says what its absent switches mean', () => {
    const { definition: parsed, mistakes } = parseEntityDefinition(
      definition('Port', { local: [field('name', 'string')], refs: [reference('tenantId', 'Tenant')] }),
    )
    expect(mistakes).toEqual([])
    expect(parsed).toEqual({
      category: '',
      name: 'Port',
      persistence: true,
      abstract: false,
      apiGeneration: true,
      key: ['id'],
      fields: [
        {
          kind: 'identifier',
          pointer: '/attributes/identifier',
          name: 'id',
          type: 'string',
          persistence: true,
          nullable: true,
          immutable: false,
          unique: true,
        },
        {
          kind: 'local',
          pointer: '/attributes/local_fields/0',
          name: 'name',
          type: 'string',
          persistence: true,
          nullable: true,
          immutable: false,
          unique: false,
        },
        {
          kind: 'reference',
          pointer: '/attributes/ref_fields/0',
          name: 'tenantId',
          type: 'string',
          persistence: true,
          nullable: true,
          immutable: false,
          unique: false,
          reference: { entity: 'Tenant', field: 'id' },
        },
      ],
    })
  })

  test('may be one of the examples', async () => {
    const examples: unknown[] = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
    for (const example of examples) expect(parseEntityDefinition(example).mistakes).toEqual([])
  })

  test.each(['persistence', 'abstract', 'api_generation'])('keeps %s', (key) => {
    for (const value of [true, false]) {
      const { definition: parsed } = parseEntityDefinition(definition('Port', { top: { [key]: value } }))
      expect(parsed).toMatchObject({ [key === 'api_generation' ? 'apiGeneration' : key]: value })
    }
  })
})

/** What is uploaded, and the pointer and the sentence of its one mistake. */
const wrong: readonly (readonly [title: string, json: unknown, pointer: string, detail: RegExp])[] = [
  ['nothing', undefined, '', /^A JSON object is required here/],
  ['a text', 'Port', '', /^A JSON object is expected here, and a text was sent/],
  ['no attributes', { name: 'Port' }, '/attributes', /required/],
  ['no identifier', { name: 'Port', attributes: {} }, '/attributes/identifier', /required/],
  [
    'a misspelt key',
    { ...definition('Port'), persistance: true },
    '/persistance',
    /not known here; did you mean "persistence"/,
  ],
  [
    'a misspelt key of attributes',
    { name: 'Port', attributes: { identifier: { field_name: 'id', field_type: 'string' }, local_field: [] } },
    '/attributes/local_field',
    /did you mean "local_fields"/,
  ],
  [
    'a misspelt key of a field',
    withField({ field_nulable: true }),
    '/attributes/local_fields/0/field_nulable',
    /did you mean "field_nullable"/,
  ],
  [
    'a switch that is a text',
    withField({ field_unique: 'yes' }),
    '/attributes/local_fields/0/field_unique',
    /true or false is expected/,
  ],
  [
    'a type that there is not',
    withField({ field_type: 'datetime' }),
    '/attributes/local_fields/0/field_type',
    /one of "string".*did you mean "DateTime"/,
  ],
  [
    'an identifier of another type',
    definition('Port', { identifier: { field_type: 'float' } }),
    '/attributes/identifier/field_type',
    /one of "string", "integer"/,
  ],
  [
    'an identifier without a column',
    definition('Port', { identifier: { field_persistence: false } }),
    '/attributes/identifier/field_persistence',
    /needs a column/,
  ],
  [
    'a field without a name',
    definition('Port', { local: [{ field_type: 'string' }] }),
    '/attributes/local_fields/0/field_name',
    /A text is required/,
  ],
  [
    'a field twice',
    definition('Port', { local: [field('a', 'string'), field('a', 'text')] }),
    '/attributes/local_fields/1/field_name',
    /already, at \/attributes\/local_fields\/0/,
  ],
  [
    'fields that differ in case',
    definition('Port', { local: [field('ID', 'string')] }),
    '/attributes/local_fields/0/field_name',
    /only in case/,
  ],
  [
    'a unique list',
    withField({ field_type: 'array', field_unique: true }),
    '/attributes/local_fields/0/field_unique',
    /cannot be unique/,
  ],
  ['an empty enum', withField({ field_enum: [] }), '/attributes/local_fields/0/field_enum', /at least 1/],
  [
    'an enum of another type',
    withField({ field_enum: ['a', 1] }),
    '/attributes/local_fields/0/field_enum/1',
    /A text .* is expected here, and 1 was sent/,
  ],
  [
    'null in an enum',
    withField({ field_enum: ['a', null] }),
    '/attributes/local_fields/0/field_enum/1',
    /field_nullable/,
  ],
  [
    'a value twice in an enum',
    withField({ field_enum: ['a', 'a'] }),
    '/attributes/local_fields/0/field_enum/1',
    /already/,
  ],
  [
    'a default that is code',
    withField({ field_default: 'process.exit()' }),
    '/attributes/local_fields/0/field_default',
    /At character 1: "process.exit" is not known/,
  ],
  [
    'a default of another type',
    withField({ field_default: '5' }),
    '/attributes/local_fields/0/field_default',
    /does not fit type string.*5 was sent/,
  ],
  [
    'a default outside the enum',
    withField({ field_default: "'c'", field_enum: ['a', 'b'] }),
    '/attributes/local_fields/0/field_default',
    /none of the values/,
  ],
  [
    'null for what is not nullable',
    withField({ field_default: 'None', field_nullable: false }),
    '/attributes/local_fields/0/field_default',
    /not nullable/,
  ],
  [
    'now for a boolean',
    withField({ field_type: 'boolean', field_default: 'now()' }),
    '/attributes/local_fields/0/field_default',
    /true or false/,
  ],
  [
    'a default that is no text',
    withField({ field_default: false }),
    '/attributes/local_fields/0/field_default',
    /An expression in a text is expected here: write "false", not the value itself/,
  ],
]

test.each(wrong)('%s is refused', (_title, json, pointer, detail) => {
  const { mistakes } = parseEntityDefinition(json)
  expect(mistakes).toEqual([{ pointer, detail: expect.stringMatching(detail) }])
})

const badNames = [
  '',
  '1a',
  '_a',
  '__proto__',
  '__typename',
  'a b',
  'a-b',
  'a"b',
  "a'; drop table x; --",
  'a`b',
  'näme',
  '😀',
  'a\u0000',
  'a'.repeat(61),
]

describe('names', () => {
  const badEntityNames = [
    'Query',
    'Node',
    'CustomNode',
    'PageInfo',
    'DateTime',
    'GenericScalar',
    'String',
    'Int',
    'Float',
    'Boolean',
    'ID',
    'BigInt',
    'Date',
    'Time',
    'node',
    'gatehouse_role',
    'Gatehouse_x',
    'sqlite_x',
    'pg_class',
  ]
  test.each([...badNames, ...badEntityNames])('an entity cannot be called %j', (name) => {
    expect(parseEntityDefinition(definition(name)).mistakes.map(({ pointer }) => pointer)).toEqual(['/name'])
  })

  test.each([...badNames, 'instance', 'xid', 'xname', 'XNAME', 'GlobalId', 'xmin'])(
    'a field cannot be called %j',
    (name) => {
      const { mistakes } = parseEntityDefinition(definition('Port', { local: [field(name, 'string')] }))
      expect(mistakes.map(({ pointer }) => pointer)).toEqual(['/attributes/local_fields/0/field_name'])
    },
  )

  test.each(['select', 'Table', 'order', 'constructor', 'toString', 'a'.repeat(60)])(
    '%s is a name',
    (name) => {
      expect(parseEntityDefinition(definition(name, { local: [field(name, 'string')] })).mistakes).toEqual([])
    },
  )
})

test('every mistake of a definition comes at once', () => {
  const { mistakes } = parseEntityDefinition({
    name: 'Query',
    kind: 'x',
    attributes: {
      identifier: { field_name: 'id', field_type: 'uuid' },
      local_fields: [field('a', 'strng'), field('b', 'string', { field_default: 'eval(1)' }), 'c'],
      ref_fields: [{ field_name: 'tenantId', field_type: 'string', ref_class_field: 'id' }],
    },
  })
  expect(mistakes.map(({ pointer }) => pointer)).toEqual([
    '/name',
    '/kind',
    '/attributes/identifier/field_type',
    '/attributes/local_fields/0/field_type',
    '/attributes/local_fields/1/field_default',
    '/attributes/local_fields/2',
    '/attributes/ref_fields/0/ref_class',
  ])
})
