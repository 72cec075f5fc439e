import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  definition,
  field,
  reference,
  refusalOf,
  temporaryEntities,
  timeOfTest,
} from '../../../test/support/temporary-entities.ts'
import type { ChangePlan } from '../plan/change-plan.ts'

const examples = async (): Promise<unknown[]> =>
  JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))

/** Each step as one line of text. */
function linesOf({ entities }: ChangePlan): readonly string[] {
  return entities.flatMap(({ upload, steps }) =>
    steps.flatMap(({ kind, statements, rows }) => [
      `${upload.definition.name}: ${kind}. ${rows}`,
      ...statements.map(({ sql }) => sql),
    ]),
  )
}

describe('an upload', () => {
  test('makes the tables of its entities, in the order of their references', async () => {
    const entities = await temporaryEntities()
    const [tenant, port] = await examples()
    expect(linesOf(await entities.plan([port, tenant]))).toEqual([
      'Tenant: createTable. There are no rows yet.',
      `create table "Tenant" (
  "instance" TEXT not null,
  "xid" TEXT,
  "xname" TEXT,
  "id" TEXT,
  "createdAt" DATETIME_TEXT,
  "deletedAt" DATETIME_TEXT,
  primary key ("instance"),
  unique ("id")
)`,
      'Port: createTable. There are no rows yet.',
      `create table "Port" (
  "instance" TEXT not null,
  "xid" TEXT,
  "xname" TEXT,
  "id" TEXT,
  "name" TEXT not null,
  "isActivated" SMALLINT not null,
  "vlanRanges" TEXT not null,
  "portType" TEXT not null,
  "operationStatus" TEXT,
  "tenantId" TEXT,
  primary key ("instance"),
  unique ("id"),
  foreign key ("tenantId") references "Tenant" ("id")
)`,
      'create index "gatehouse_Port_tenantId_instance_5938aa23" on "Port" ("tenantId", "instance")',
    ])
    expect(await entities.tableNames()).toEqual([])
    const stored = await entities.upload([port, tenant])
    expect(stored).toEqual([
      { name: 'Port', resource: 'ports', definition: port, changedBy: 'admin', changedAt: timeOfTest },
      { name: 'Tenant', resource: 'tenants', definition: tenant, changedBy: 'admin', changedAt: timeOfTest },
    ])
    expect(await entities.tableNames()).toEqual(['Port', 'Tenant'])
    expect(
      await entities.query('select action, record, name, detail from gatehouse_audit order by name'),
    ).toEqual([
      ['created', 'entity', 'Port', 'createTable'],
      ['created', 'entity', 'Tenant', 'createTable'],
    ])
  })

  test('may come again, and then changes nothing', async () => {
    const entities = await temporaryEntities()
    const document = await examples()
    const stored = await entities.upload(document)
    expect(linesOf(await entities.plan(document))).toEqual([
      'Tenant: none. Rows stay as they are.',
      'Port: none. Rows stay as they are.',
    ])
    expect(await entities.upload(document)).toEqual(stored)
    expect(await entities.query('select count(*) from gatehouse_audit')).toEqual([[2]])
  })

  test('makes every type and every kind of key', async () => {
    const entities = await temporaryEntities()
    const types = [
      'string',
      'text',
      'integer',
      'float',
      'decimal',
      'boolean',
      'DateTime',
      'Date',
      'array',
      'object',
    ]
    const document = definition('All', {
      identifier: { field_type: 'integer' },
      local: [
        ...types.map((type) => field(`a${type}`, type)),
        field('serial', 'string', { field_unique: true, field_nullable: false }),
        field('memory', 'string', { field_persistence: false }),
      ],
      refs: [reference('parentSerial', 'All', 'serial', { field_unique: true, field_nullable: false })],
    })
    expect(linesOf(await entities.plan(document)).slice(1)).toEqual([
      `create table "All" (
  "instance" TEXT not null,
  "xid" TEXT,
  "xname" TEXT,
  "id" INT4,
  "astring" TEXT,
  "atext" TEXT,
  "ainteger" INT4,
  "afloat" REAL,
  "adecimal" DECIMAL_TEXT,
  "aboolean" SMALLINT,
  "aDateTime" DATETIME_TEXT,
  "aDate" DATE,
  "aarray" TEXT,
  "aobject" TEXT,
  "serial" TEXT not null,
  "parentSerial" TEXT not null,
  primary key ("instance"),
  unique ("id"),
  unique ("serial"),
  unique ("parentSerial"),
  foreign key ("parentSerial") references "All" ("serial")
)`,
      'create index "gatehouse_All_parentSerial_instance_889fe1c6" on "All" ("parentSerial", "instance")',
    ])
    await entities.upload(document)
    expect(await entities.tableNames()).toEqual(['All'])
  })

  test('may hold entities that refer to each other in a circle', async () => {
    const entities = await temporaryEntities()
    const plan = await entities.plan([
      definition('A', { refs: [reference('bId', 'B')] }),
      definition('B', { refs: [reference('aId', 'A')] }),
      definition('C'),
    ])
    expect(
      plan.entities.map(({ upload, steps }) => [
        upload.definition.name,
        steps.map(({ description, statements }) => [description, statements.length]),
      ]),
    ).toEqual([
      ['C', [['Create the table "C".', 1]]],
      ['A', [['Create the table "A".', 2]]],
      ['B', [['Create the table "B".', 2]]],
    ])
  })

  test('without persistence, or abstract, makes no table', async () => {
    const entities = await temporaryEntities()
    await entities.upload([
      definition('A', { top: { persistence: false } }),
      definition('B', { top: { abstract: true } }),
    ])
    expect(await entities.tableNames()).toEqual([])
    expect(
      (await entities.store.read((connection) => entities.store.entities.list(connection))).map(
        ({ name }) => name,
      ),
    ).toEqual(['A', 'B'])
  })

  test('leaves nothing behind when a part of it is wrong', async () => {
    const entities = await temporaryEntities()
    const refusal = await refusalOf(
      entities.upload([
        definition('A'),
        definition('B', { refs: [reference('cId', 'C')] }),
        definition('Query'),
      ]),
    )
    expect(refusal.code).toBe('ENTITY_DEFINITION_INVALID')
    expect(refusal.mistakes.map(({ pointer }) => pointer)).toEqual([
      '/2/name',
      '/1/attributes/ref_fields/0/ref_class',
    ])
    expect(await entities.tableNames()).toEqual([])
    expect(await entities.query('select * from gatehouse_entity')).toEqual([])
  })

  test('leaves nothing behind when the database fails in the middle of it', async () => {
    const entities = await temporaryEntities()
    await entities.execute('create table other (a)')
    // The name of an index is no table's, but no table can have it either.
    await entities.execute('create index "B" on other (a)')
    const refusal = await refusalOf(
      entities.upload([definition('A'), definition('B', { refs: [reference('aId', 'A')] })]),
    )
    expect(refusal).toEqual({
      code: 'TABLE_CHANGE_REFUSED',
      detail: expect.stringMatching(/The database refused a statement.*Nothing was changed/),
      mistakes: [],
    })
    expect(await entities.tableNames()).toEqual(['other'])
    expect(await entities.query('select * from gatehouse_entity')).toEqual([])
  })

  test('takes 1,000 entities at most', async () => {
    const entities = await temporaryEntities()
    const refusal = await refusalOf(
      entities.upload(Array.from({ length: 1001 }, (_, index) => definition(`E${index}`))),
    )
    expect(refusal).toEqual({
      code: 'ENTITY_DEFINITION_INVALID',
      mistakes: [{ pointer: '', detail: expect.stringMatching(/1 to 1000; this list has 1001/) }],
    })
    expect((await refusalOf(entities.upload([]))).mistakes).toHaveLength(1)
  })

  test('of 1,000 fields works', async () => {
    const entities = await temporaryEntities()
    await entities.upload(
      definition('Wide', { local: Array.from({ length: 1000 }, (_, index) => field(`f${index}`, 'string')) }),
    )
    expect(await entities.tableNames()).toEqual(['Wide'])
  })
})

describe('names that only look alike', () => {
  test.each([
    ['names of types of another entity', [definition('Port'), definition('Port_Edge')]],
    [
      'a field named like its reference',
      [
        definition('Port', { local: [field('tenant', 'string')], refs: [reference('tenantId', 'Tenant')] }),
        definition('Tenant'),
      ],
    ],
    [
      'a field named like a collection',
      [
        definition('Port', { refs: [reference('tenantId', 'Tenant')] }),
        definition('Tenant', { local: [field('portCollection', 'string')] }),
      ],
    ],
    [
      'the same words cut in other places',
      [
        definition('T'),
        definition('A', { refs: [reference('b_t', 'T')] }),
        definition('A_b', { refs: [reference('t', 'T')] }),
      ],
    ],
  ])('%s are taken, also again', async (_title, document) => {
    const entities = await temporaryEntities()
    await entities.upload(document)
    await entities.upload(document)
    expect(await entities.tableNames()).toHaveLength(document.length)
  })
})

describe('between entities', () => {
  test.each([
    [
      'an unknown entity',
      [definition('Port', { refs: [reference('tenantId', 'Tenent')] }), definition('Tenant')],
      '/0/attributes/ref_fields/0/ref_class',
      /no entity "Tenent"; did you mean "Tenant"/,
    ],
    [
      'an unknown field',
      [definition('Port', { refs: [reference('tenantId', 'Tenant', 'ids')] }), definition('Tenant')],
      '/0/attributes/ref_fields/0/ref_class_field',
      /no field "ids"; did you mean "id"/,
    ],
    [
      'a field that is not unique',
      [
        definition('Port', { refs: [reference('tenantName', 'Tenant', 'name')] }),
        definition('Tenant', { local: [field('name', 'string')] }),
      ],
      '/0/attributes/ref_fields/0/ref_class_field',
      /does not tell records apart.*such as id/,
    ],
    [
      'a field of another type',
      [
        definition('Port', { refs: [reference('tenantId', 'Tenant')] }),
        definition('Tenant', { identifier: { field_type: 'integer' } }),
      ],
      '/0/attributes/ref_fields/0/field_type',
      /Tenant.id is of type integer/,
    ],
    [
      'an entity without a table',
      [
        definition('Port', { refs: [reference('tenantId', 'Tenant')] }),
        definition('Tenant', { top: { persistence: false } }),
      ],
      '/0/attributes/ref_fields/0/ref_class',
      /has no table/,
    ],
    ['a name twice', [definition('A'), definition('A')], '/1/name', /more than once/],
    ['names that differ in case', [definition('Ab'), definition('AB')], '/1/name', /only in case/],
    [
      'a resource twice',
      [definition('Bus'), definition('Buse')],
      '/1/name',
      /published at \/apis\/buses, where "Bus" already is/,
    ],
  ])('%s is refused', async (_title, document, pointer, detail) => {
    const entities = await temporaryEntities()
    expect(await refusalOf(entities.upload(document))).toEqual({
      code: 'ENTITY_DEFINITION_INVALID',
      mistakes: [{ pointer, detail: expect.stringMatching(detail) }],
    })
    expect(await entities.tableNames()).toEqual([])
  })

  test('a stored entity counts as well as one of the upload', async () => {
    const entities = await temporaryEntities()
    await entities.upload(definition('Tenant'))
    await entities.upload(definition('Port', { refs: [reference('tenantId', 'Tenant')] }))
    expect((await refusalOf(entities.upload(definition('TENANT')))).mistakes).toEqual([
      { pointer: '/name', detail: expect.stringMatching(/only in case/) },
    ])
  })

  test('a table that no definition made is left alone', async () => {
    const entities = await temporaryEntities()
    await entities.execute('create table "port" (a)')
    expect(await refusalOf(entities.upload(definition('Port')))).toEqual({
      code: 'TABLE_CHANGE_REFUSED',
      mistakes: [{ pointer: '/name', detail: expect.stringMatching(/has a table "port" already/) }],
    })
  })
})

describe('a definition that comes again', () => {
  const before = definition('Port', {
    local: [
      field('name', 'string', { field_nullable: false }),
      field('state', 'string', { field_enum: ['on', 'off'] }),
      field('note', 'string', { field_persistence: false }),
    ],
    refs: [reference('tenantId', 'Tenant')],
  })
  const tenant = definition('Tenant', { local: [field('code', 'string', { field_unique: true })] })

  async function withPorts(rows: number) {
    const entities = await temporaryEntities()
    await entities.upload([tenant, before])
    for (let row = 1; row <= rows; row += 1) {
      await entities.execute(
        `insert into "Port" ("instance", "id", "name") values ('i${row}', 'p${row}', 'n')`,
      )
    }
    return entities
  }
  const withLocal = (...local: readonly Readonly<Record<string, unknown>>[]) =>
    definition('Port', {
      local: [
        field('name', 'string', { field_nullable: false }),
        field('state', 'string', { field_enum: ['on', 'off'] }),
        ...local,
      ],
      refs: [reference('tenantId', 'Tenant')],
    })

  test.each([
    ['nullable, without default', field('a', 'string'), 'TEXT', '2 rows get null.', null],
    [
      'nullable, with a value',
      field('a', 'integer', { field_default: '5' }),
      'INT4 default 5',
      '2 rows get 5.',
      5,
    ],
    [
      'not nullable',
      field('a', 'boolean', { field_default: 'True', field_nullable: false }),
      'SMALLINT not null default 1',
      '2 rows get 1.',
      1,
    ],
    [
      'with a quote in it',
      field('a', 'string', { field_default: '"it\'s; --"' }),
      "TEXT default 'it''s; --'",
      '2 rows get "it\'s; --".',
      "it's; --",
    ],
    [
      'with the time',
      field('a', 'DateTime', { field_default: 'now()', field_nullable: false }),
      "DATETIME_TEXT not null default '2026-11-21 06:00:00'",
      '2 rows get "2026-11-21 06:00:00".',
      '2026-11-21 06:00:00',
    ],
    [
      'with a list',
      field('a', 'array', { field_default: '[]', field_nullable: false }),
      "TEXT not null default '[]'",
      '2 rows get "[]".',
      '[]',
    ],
  ])('may have a new field: %s', async (_title, added, column, rows, value) => {
    const entities = await withPorts(2)
    const document = withLocal(added)
    expect(linesOf(await entities.plan(document))).toEqual([
      `Port: addColumn. ${rows}`,
      `alter table "Port" add column "a" ${column}`,
    ])
    await entities.upload(document)
    expect(await entities.query('select "a" from "Port"')).toEqual([[value], [value]])
    expect(linesOf(await entities.plan(document))).toEqual(['Port: none. Rows stay as they are.'])
  })

  test('may have new references, unique fields and entities at once', async () => {
    const entities = await withPorts(2)
    const document = [
      definition('Port', {
        local: [
          field('name', 'string', { field_nullable: false }),
          field('state', 'string', { field_enum: ['on', 'off'] }),
          field('serial', 'string', { field_unique: true, field_default: 'uuid()' }),
        ],
        refs: [reference('tenantId', 'Tenant'), reference('siteId', 'Site')],
      }),
      definition('Site', { refs: [reference('portSerial', 'Port', 'serial')] }),
    ]
    expect(linesOf(await entities.plan(document)).filter((line) => !line.startsWith('create table'))).toEqual(
      [
        'Port: addColumn. 2 rows get null.',
        'alter table "Port" add column "serial" TEXT',
        'create unique index "gatehouse_Port_serial_6d7e1b16" on "Port" ("serial")',
        'Port: addColumn. 2 rows get null.',
        'alter table "Port" add column "siteId" TEXT references "Site" ("id")',
        'create index "gatehouse_Port_siteId_instance_0eb1df91" on "Port" ("siteId", "instance")',
        'Site: createTable. There are no rows yet.',
        'create index "gatehouse_Site_portSerial_instance_4297cad9" on "Site" ("portSerial", "instance")',
      ],
    )
    await entities.upload(document)
    expect(await entities.query('select "serial", "siteId" from "Port"')).toEqual([
      [null, null],
      [null, null],
    ])
  })

  test('is told every refused change at once, with its place in the list', async () => {
    const entities = await withPorts(2)
    const { code, mistakes } = await refusalOf(
      entities.upload([
        definition('Port', {
          local: [
            field('name', 'boolean', { field_unique: true }),
            field('a', 'string', { field_nullable: false }),
          ],
        }),
        tenant,
      ]),
    )
    expect([code, mistakes.map(({ pointer }) => pointer)]).toEqual([
      'TABLE_CHANGE_REFUSED',
      [
        '/0/attributes/local_fields/0/field_type',
        '/0/attributes/local_fields/0/field_unique',
        '/0/attributes/local_fields/1/field_nullable',
        '/0/attributes/local_fields',
        '/0/attributes/ref_fields',
      ],
    ])
  })

  test.each([
    ['has it no more', definition('Tenant'), /with "tenantId", and then: "Tenant" has no field "code"/],
    [
      'has it unique no more',
      definition('Tenant', { local: [field('code', 'string')] }),
      /does not tell records apart/,
    ],
    [
      'has it with another type',
      definition('Tenant', { local: [field('code', 'integer', { field_unique: true })] }),
      /is of type integer/,
    ],
    ['has no table', definition('Tenant', { top: { abstract: true } }), /has no table/],
    [
      'has another name',
      definition('Client', { top: { renamed_from: 'Tenant' } }),
      /Upload "Port" with it, with the new name in its ref_class/,
    ],
  ])(
    'cannot leave others behind that refer to a field of an entity that %s',
    async (_title, document, detail) => {
      const entities = await temporaryEntities()
      await entities.upload([tenant, definition('Port', { refs: [reference('tenantId', 'Tenant', 'code')] })])
      expect(await refusalOf(entities.upload(document, { allowDestructive: true }))).toEqual({
        code: 'ENTITY_DEFINITION_INVALID',
        mistakes: [
          {
            pointer: expect.stringMatching(/^\/(name|renamed_from)$/),
            detail: expect.stringMatching(detail),
          },
        ],
      })
    },
  )
})

test('two uploads at once are done one after the other', async () => {
  const entities = await temporaryEntities()
  await Promise.all([
    entities.upload(definition('A')),
    entities.upload(definition('A')),
    entities.upload(definition('B')),
  ])
  expect(await entities.tableNames()).toEqual(['A', 'B'])
})
