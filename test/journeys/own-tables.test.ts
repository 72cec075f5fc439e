/** `/whoami/tables`: what an account may read, and how it is described. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON, as a client reads it
type Json = any

const definitions = [
  {
    name: 'Tenant',
    attributes: {
      identifier: { field_name: 'id', field_type: 'string' },
      local_fields: [
        {
          field_name: 'createdAt',
          field_type: 'DateTime',
          field_immutable: true,
          field_default: 'datetime.utcnow()',
        },
      ],
    },
  },
  {
    name: 'Port',
    attributes: {
      identifier: { field_name: 'id', field_type: 'string' },
      local_fields: [
        { field_name: 'isActivated', field_type: 'boolean', field_nullable: false, field_default: 'true' },
        { field_name: 'vlanRanges', field_type: 'array' },
        { field_name: 'status', field_type: 'string', field_enum: ['Processing', 'Completed'] },
      ],
      ref_fields: [
        { field_name: 'tenantId', field_type: 'string', ref_class: 'Tenant', ref_class_field: 'id' },
      ],
    },
  },
]

let gateway: TestGateway

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('there is no product')
  gateway = await startTestGateway(product, async (options) => {
    await runStatements(options, [
      'create table `odd "table"` (id integer not null primary key, `a b` varchar(20) unique)',
      'create table note (text varchar(20))',
      'create view all_notes as select text from note',
    ])
  })
  const { status } = await gateway.request('POST', '/manage/entities', { body: definitions })
  expect(status).toBe(201)
})
afterAll(() => gateway.close())

async function tablesOf(token: string, query = ''): Promise<readonly Json[]> {
  const { status, body } = await gateway.request('GET', `/whoami/tables${query}`, { token })
  expect(status).toBe(200)
  return body as readonly Json[]
}

const namesIn = (tables: readonly Json[]) => tables.map(({ name }) => name)

async function tokenWith(username: string, authorities: readonly object[]): Promise<string> {
  return logonAs(gateway, await createAccount(gateway, username, authorities))
}

describe('the list', () => {
  test('has all tables and views for those who may query everything', async () => {
    const tables = await tablesOf(gateway.token)
    expect(namesIn(tables)).toEqual(['Port', 'Tenant', 'all_notes', 'note', 'odd__table_'])
    expect(tables[0]).toMatchObject({
      ...{ name: 'Port', table: 'Port', kind: 'table', graphql: true, entity: 'Port' },
      api: {
        path: '/apis/ports',
        list: ['GET', 'POST'],
        record: ['GET', 'PUT', 'PATCH', 'DELETE'],
      },
    })
    expect(tables[2]).toMatchObject({
      table: 'all_notes',
      kind: 'view',
      graphql: true,
      entity: null,
      api: null,
    })
    expect(tables[4]).toMatchObject({ table: 'odd "table"', kind: 'table', graphql: true, api: null })
  })

  test('is searched by any of the names, and paged', async () => {
    expect(namesIn(await tablesOf(gateway.token, '?q=NOTE'))).toEqual(['all_notes', 'note'])
    expect(namesIn(await tablesOf(gateway.token, '?q=%22ta'))).toEqual(['odd__table_'])
    expect(namesIn(await tablesOf(gateway.token, '?q=none'))).toEqual([])
    expect(namesIn(await tablesOf(gateway.token, '?q=/apis/ports'))).toEqual(['Port'])
    expect(namesIn(await tablesOf(gateway.token, '?q=apis'))).toEqual([])
    const { headers, body } = await gateway.request('GET', '/whoami/tables?limit=2')
    expect(namesIn(body as Json)).toEqual(['Port', 'Tenant'])
    expect(headers.get('link')).toBe('</whoami/tables?limit=2&after=Tenant>; rel="next"')
    const { headers: last, body: rest } = await gateway.request('GET', '/whoami/tables?limit=3&after=Tenant')
    expect(namesIn(rest as Json)).toEqual(['all_notes', 'note', 'odd__table_'])
    expect(last.has('link')).toBe(false)
  })

  test('has whole tables for those who ask for them', async () => {
    const tables = await tablesOf(gateway.token, '?whole=true')
    expect(namesIn(tables)).toEqual(['Port', 'Tenant', 'all_notes', 'note', 'odd__table_'])
    const one = await gateway.request('GET', '/whoami/tables/Port')
    expect(tables[0]).toEqual(one.body)
    expect(await tablesOf(gateway.token, '?whole=false')).toEqual(await tablesOf(gateway.token))
  })

  test('refuses parameters that it does not know', async () => {
    for (const query of ['?limit=0', '?kind=view', `?q=${'x'.repeat(201)}`])
      expect((await gateway.request('GET', `/whoami/tables${query}`)).status).toBe(400)
  })

  test('has what roles allow, by GraphQL or by a published API', async () => {
    const token = await tokenWith('half', [
      { regex: '/graphql/(Port|note)', methods: ['POST'] },
      { regex: '/apis/ports', methods: ['GET'] },
      { regex: '/apis/tenants/[^/]+', methods: ['GET', 'PATCH'] },
    ])
    const api = { path: '/apis/ports', list: ['GET'], record: [] }
    expect(await tablesOf(token)).toMatchObject([
      { name: 'Port', graphql: true, api },
      { name: 'Tenant', graphql: false, api: { list: [], record: ['GET', 'PATCH'] } },
      { name: 'note', graphql: true, api: null },
    ])
  })

  test('has a table in which records may only be created, without what refers to it', async () => {
    const token = await tokenWith('writer', [
      { regex: '/apis/tenants', methods: ['POST'] },
      { regex: '/apis/ports', methods: ['GET'] },
    ])
    const tables = await tablesOf(token, '?whole=true')
    expect(tables).toMatchObject([
      { name: 'Port', references: [] },
      { name: 'Tenant', graphql: false, api: { path: '/apis/tenants', list: ['POST'], record: [] } },
    ])
    expect(namesIn(tables[1].fields)).toEqual(['instance', 'xid', 'xname', 'id', 'createdAt'])
    expect(namesIn(tables[1].collections)).toEqual(['portCollection'])
  })

  test('is empty without rights, has what is public, and needs a token', async () => {
    const token = await tokenWith('nothing', [{ regex: '/apis/tenants/[^/]+', methods: ['PATCH'] }])
    expect(await tablesOf(token)).toEqual([])
    await gateway.request('POST', '/manage/routes', {
      body: { name: 'open', path: '/apis/ports', methods: ['GET'], scope: 'public' },
    })
    expect(await tablesOf(token)).toMatchObject([{ name: 'Port', graphql: false, api: { list: ['GET'] } }])
    await gateway.request('PUT', '/manage/routes/open', {
      body: { path: '/graphql', methods: ['POST'], scope: 'public' },
    })
    expect(namesIn(await tablesOf(token))).toHaveLength(5)
    await gateway.request('DELETE', '/manage/routes/open')
    expect((await gateway.request('GET', '/whoami/tables', { token: null })).status).toBe(401)
    expect((await gateway.request('GET', '/whoami/tables/Port', { token: null })).status).toBe(401)
  })
})

describe('a table', () => {
  const find = async (name: string, token = gateway.token) =>
    (await gateway.request('GET', `/whoami/tables/${name}`, { token })).body as Json

  test('has its fields with what the definition says, in their order', async () => {
    const port = await find('Port')
    expect(port).toMatchObject({ key: ['instance'], api: { key: ['id'], adopted: false } })
    const names = ['instance', 'xid', 'xname', 'id', 'isActivated', 'vlanRanges', 'status', 'tenantId']
    expect(namesIn(port.fields)).toEqual(names)
    const fields = new Map<string, Json>(port.fields.map((field: Json) => [field.name, field]))
    expect(fields.get('xid')).toMatchObject({ api_name: 'xid', read_only: true })
    expect(fields.get('id')).toMatchObject({ entity_type: 'string', nullable: false, unique: true })
    expect(fields.get('isActivated')).toMatchObject({
      ...{ type: 'Int', kind: 'integer', entity_type: 'boolean', nullable: false },
      default: { value: true },
    })
    expect(fields.get('vlanRanges')).toMatchObject({ entity_type: 'array', nullable: true })
    expect(fields.get('status')).toMatchObject({ enum: ['Processing', 'Completed'], nullable: true })
    const { fields: ofTenant } = await find('Tenant')
    expect(ofTenant.at(-1)).toMatchObject({
      ...{ name: 'createdAt', type: 'DateTime', entity_type: 'DateTime' },
      ...{ default: { made: 'now' }, immutable: true },
    })
  })

  test('has its relations, both ways', async () => {
    const fields = [{ own: 'tenantId', other: 'id' }]
    expect((await find('Port')).references).toEqual([
      { name: 'tenant', table: 'Tenant', other_name: 'portCollection', has_global_id: true, fields },
    ])
    expect((await find('Tenant')).collections).toEqual([
      {
        ...{ name: 'portCollection', table: 'Port', other_name: 'tenant', has_global_id: true },
        fields: [{ own: 'id', other: 'tenantId' }],
      },
    ])
  })

  test('that is not published has what the database says', async () => {
    expect(await find('odd__table_')).toMatchObject({
      ...{
        table: 'odd "table"',
        api: null,
        key: ['id'],
        has_global_id: true,
        references: [],
        collections: [],
      },
      fields: [
        { name: 'id', column: 'id', type: expect.stringMatching(/Int/), nullable: false, unique: true },
        { name: 'a_b', column: 'a b', kind: 'string', nullable: true, unique: true },
      ],
    })
    expect(await find('all_notes')).toMatchObject({ kind: 'view', key: [] })
  })

  test('that may not be read does not exist, nor do relations to it', async () => {
    const token = await tokenWith('ports', [{ regex: '/graphql/Port', methods: ['POST'] }])
    expect(await find('Port', token)).toMatchObject({ references: [], collections: [] })
    const hidden = await gateway.request('GET', '/whoami/tables/Tenant', { token })
    const absent = await gateway.request('GET', '/whoami/tables/None', { token })
    expect([hidden.status, absent.status]).toEqual([404, 404])
    expect(hidden.body).toMatchObject({ detail: 'There is no table named "Tenant".' })
  })
})

test('totals are offered where the schema has them, to those who may query', async () => {
  const totalsOf = async (path: string, { request, token }: Pick<TestGateway, 'request' | 'token'>) =>
    ((await request('GET', `/whoami/tables${path}`, { token })).body as Json).totals
  expect(await totalsOf('/note', gateway)).toBe(true)
  const token = await tokenWith('lister', [{ regex: '/apis/ports', methods: ['GET'] }])
  expect(await totalsOf('/Port', { request: gateway.request, token })).toBe(false)

  const [product] = products
  if (product === undefined) throw new Error('there is no product')
  const seed = await startTestGateway(product, undefined, {
    graphql: { limits: defaultOperationLimits, naming: 'verbatim', profile: 'seed' },
  })
  try {
    await seed.request('POST', '/manage/entities', { body: definitions })
    expect(await totalsOf('/Port', seed)).toBe(false)
  } finally {
    await seed.close()
  }
})
