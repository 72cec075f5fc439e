import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { runCommand } from '../support/run-command.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const examples: readonly Json[] = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
const [tenantExample, portExample] = examples
const codes = definition('Code', {
  local: [field('one', 'string', { field_unique: true }), field('flag', 'boolean')],
})

const twins = definition('Twin', {
  identifier: { field_name: 'a' },
  local: [field('b', 'string', { field_unique: true })],
})

async function tablesOf(options: DatabaseOptions): Promise<unknown> {
  const database = await openDatabase(options)
  try {
    return await database.driver.read((connection) => database.dialect.introspect(connection))
  } finally {
    await database.driver.close()
  }
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let options: DatabaseOptions

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (prepared) => {
      options = prepared
      await withEntities([...examples, codes, twins], { stored: false })(prepared)
      const database = await openDatabase(prepared)
      const name = database.dialect.syntax.quoteIdentifier
      const statements = [
        `create table ${name('Legacy')} (id integer not null primary key, label varchar(20))`,
        `insert into ${name('Tenant')} (instance, id) values ('i1', 't1')`,
        `insert into ${name('Port')} (instance, id, name, ${name('isActivated')}, ${name('vlanRanges')}, ${name('portType')}, ${name('tenantId')}) values ('i2', 'p1', 'uplink', 1, '[1]', 'trunk', 't1')`,
        `insert into ${name('Code')} (instance, id, flag) values ('i3', 'c1', 7)`,
      ]
      for (const sql of statements) {
        await database.driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
      }
      await database.driver.close()
    })
  })
  afterAll(() => gateway.close())

  const adopt = (body: unknown, query = '') =>
    gateway.request('POST', `/manage/entities/adopt${query}`, { body }) as Promise<{
      status: number
      body: Json
    }>

  test.each([
    [{}, 422, ['/tables: Name at least one table, here or by its definition.']],
    [{ table: ['Port'] }, 422, [expect.stringMatching(/^\/table: The key "table" is not known here/)]],
    [
      { tables: ['Legacy', 'Prt'] },
      409,
      [expect.stringMatching(/^\/tables\/1: There is no table "Prt"; did you mean "Port"/)],
    ],
    [{ tables: ['Port'] }, 409, ['/tables/0: There is no entity "Tenant".']],
    [
      { tables: ['Twin'] },
      409,
      [
        '/tables/0: Several columns could be the identifier: "a", "b". Send the definition instead of the name.',
      ],
    ],
    [
      { definitions: [codes] },
      409,
      ['/definitions/0: The column "flag" would be a boolean, and a row holds something else than 0 and 1.'],
    ],
    [
      { definitions: [definition('Code', { local: [field('one', 'integer'), field('two', 'string')] })] },
      409,
      [
        expect.stringMatching(/^\/definitions\/0: The column "one" of type .* takes .*, and not integer\.$/),
        '/definitions/0: The column "one" is unique in the database.',
        '/definitions/0: The column "two" does not exist.',
        '/definitions/0: The table has a column "flag" that the definition does not have.',
      ],
    ],
    [
      { definitions: [definition('Code', { local: [field('one', 'sting')] })] },
      409,
      [expect.stringMatching(/^\/definitions\/0\/attributes\/local_fields\/0\/field_type: .*"string"/)],
    ],
  ])('%j is refused, and nothing is adopted', async (body, status, mistakes) => {
    const answer = await adopt(body)
    expect((answer.body.errors as Json[]).map(({ pointer, detail }) => `${pointer}: ${detail}`)).toEqual(
      mistakes,
    )
    expect(answer.status).toBe(status)
    expect((await gateway.request('GET', '/manage/entities')).body).toEqual([])
  })

  test('tables get REST APIs by their names or by definitions, and are not changed', async () => {
    const before = await tablesOf(options)
    const wanted = { tables: ['Tenant'], definitions: [portExample] }
    const plan = await adopt(wanted, '?dry_run=true')
    expect(plan.body.map(({ name, resource }: Json) => [name, resource])).toEqual([
      ['Port', '/apis/ports'],
      ['Tenant', '/apis/tenants'],
    ])
    expect(plan.body[1].definition.attributes).toEqual({
      identifier: { field_name: 'id', field_type: 'string' },
      local_fields: ['createdAt', 'deletedAt'].map((name) => ({
        field_name: name,
        field_type: 'DateTime',
        field_nullable: true,
        field_unique: false,
      })),
      ref_fields: [],
    })
    expect((await gateway.request('GET', '/apis/ports')).status).toBe(404)
    const adopted = await adopt(wanted)
    expect(adopted.status).toBe(201)
    expect(adopted.body.map(({ name, resource }: Json) => [name, resource])).toEqual([
      ['Port', '/apis/ports'],
      ['Tenant', '/apis/tenants'],
    ])
    expect(await tablesOf(options)).toEqual(before)

    expect((await gateway.request('GET', '/apis/ports/p1')).body).toEqual({
      instance: 'i2',
      xid: null,
      xname: null,
      id: 'p1',
      name: 'uplink',
      isActivated: true,
      vlanRanges: [1],
      portType: 'trunk',
      operationStatus: null,
      tenantId: 't1',
    })
    const changed = await gateway.request('PATCH', '/apis/ports/p1', { body: { portType: 'other' } })
    expect(changed.status).toBe(422)
    const created = await gateway.request('POST', '/apis/ports', {
      body: { name: 'b', portType: 'x', tenantId: 't1' },
    })
    expect(created.status).toBe(201)
    expect((await gateway.request('GET', '/manage/entities/Port/versions')).body).toMatchObject([
      { version: 1, action: 'created', changed_by: 'admin' },
    ])
    expect((await adopt(wanted)).body.errors.map(({ pointer }: Json) => pointer)).toEqual([
      '/definitions/0/name',
      '/tables/0',
    ])
  })

  test('an adopted entity is one like any other', async () => {
    const plan = await gateway.request('POST', '/manage/entities?dry_run=true', {
      body: [tenantExample, portExample],
    })
    expect(
      (plan.body as Json).entities.map(({ name, steps }: Json) => [
        name,
        steps.map(({ kind }: Json) => kind),
      ]),
    ).toEqual([
      ['Tenant', ['changeRules']],
      ['Port', ['none']],
    ])
  })

  test('tables are adopted by a command, too', async () => {
    const other = await startTestGateway(product, withEntities(examples, { stored: false }))
    onTestFinished(() => other.close())
    expect(await runCommand(['entity', 'adopt', 'Tenant,Port', '--dry_run'], other)).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^- name: Tenant\n {2}resource: \/apis\/tenants\n {2}definition:\n/),
    })
    expect(await runCommand(['entity', 'adopt', 'Legcay'], other)).toMatchObject({
      exitCode: 1,
      output: '',
      errors: expect.stringMatching(/There is no table "Legcay"/),
    })
    expect(await runCommand(['entity', 'adopt', 'Tenant, Port'], other)).toMatchObject({
      exitCode: 0,
      output: 'Adopted: Tenant, Port.',
    })
  })
})
