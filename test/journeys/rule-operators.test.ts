/** The operators of filters in the `rows` of roles: what they admit by every way, and which values they take. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', { local: [field('name', 'string', { field_nullable: false })] })
const port = definition('Port', {
  local: [field('name', 'string'), field('speed', 'integer'), field('since', 'Date')],
  refs: [reference('tenantId', 'Tenant')],
})
const ports = [
  { id: 'p1', name: 'Uplink A', speed: 1, since: '2026-01-01', tenantId: 'a' },
  { id: 'p2', name: 'uplink b', speed: 10, since: '2026-02-01', tenantId: 'a' },
  { id: 'p3', name: 'ÜPLINK c', speed: 100, since: null, tenantId: 'b' },
  { id: 'p4', name: 'down_link', speed: null, since: '2026-04-01', tenantId: 'b' },
  { id: 'p5', name: null, speed: 10, since: '2026-05-01', tenantId: null },
]

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let token: string
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const admin = async (path: string, body: unknown) =>
      expect((await gateway.request('POST', path, { body })).status).toBe(201)
    await admin('/manage/entities', [tenant, port])
    await admin(
      '/apis/tenants',
      ['a', 'b'].map((id) => ({ id, name: `Tenant ${id}` })),
    )
    await admin('/apis/ports', ports)
    const metadata = { begins: 'UPLINK', speeds: [2, 20] }
    token = await logonAs(gateway, await createAccount(gateway, 'robin', [], { metadata }))
  })
  afterAll(() => gateway?.close())

  const write = (rows: readonly unknown[], regex = '/apis/ports(/.*)?|/graphql/Port') =>
    gateway.request('PUT', '/manage/roles/of-robin', {
      body: { authorities: [{ regex, methods: ['GET', 'POST', 'PATCH'], rows }] },
    })
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await gateway.request(method, path, { token, ...(body !== undefined && { body }) })).body

  test.each<[string, string, unknown, readonly string[]]>([
    ['name', 'iequals', 'UPLINK B', ['p2']],
    ['name', 'istarts', 'uplink', ['p1', 'p2']],
    ['name', 'istarts', { account: 'metadata.begins' }, ['p1', 'p2']],
    ['name', 'istarts', 'üp', ['p3']],
    ['name', 'iends', 'LINK C', ['p3']],
    ['name', 'icontains', 'N_L', ['p4']],
    ['speed', 'between', [2, 100], ['p2', 'p3', 'p5']],
    ['speed', 'between', { account: 'metadata.speeds' }, ['p2', 'p5']],
    ['speed', 'between', [100, 1], []],
    ['since', 'between', ['2026-02-01', '2026-04-01'], ['p2', 'p4']],
    ['since', 'between', ['1999-12-31', { now: 'P1D' }], ['p1', 'p2', 'p4', 'p5']],
    ['since', 'isnull', true, ['p3']],
    ['since', 'isnull', false, ['p1', 'p2', 'p4', 'p5']],
    ['tenant.name', 'iends', 'A', ['p1', 'p2']],
    ['tenantId', 'isnull', true, ['p5']],
  ])('%s %s %j admits its rows, by every way', async (key, op, val, ids) => {
    const rows = [{ key, op, val }]
    const written = await write(rows)
    expect([written.status, written.body]).toEqual([200, expect.anything()])
    expect((await ask('GET', '/apis/ports?asc=id')).map(({ id }: Json) => id)).toEqual(ids)
    const { data } = await ask('POST', '/graphql', {
      query: '{ Port(asc: "id") { totalCount edges { node { id } } } }',
    })
    expect(data).toEqual({
      Port: { totalCount: ids.length, edges: ids.map((id) => ({ node: { id } })) },
    })
    for (const { id } of ports) {
      const { status } = await gateway.request('GET', `/apis/ports/${id}`, { token })
      expect([id, status]).toEqual([id, ids.includes(id) ? 200 : 404])
      const query = new URLSearchParams({ account: 'robin', method: 'GET', path: '/apis/ports', row: id })
      const { body } = await gateway.request('GET', `/manage/explain-access?${query}`)
      const admitted = ids.includes(id)
      expect((body as Json).roles[0].authorities[0].row).toEqual({
        admitted,
        failed: admitted ? [] : ['/rows/0'],
      })
    }
  })

  test('values that no column can have are refused with their places', async () => {
    const { status, body } = await write([
      { key: 'speed', op: 'icontains', val: '1' },
      { key: 'speed', op: 'between', val: [1, 'fast'] },
      [
        { key: 'since', op: '==', val: 'yesterday' },
        { key: 'tenant.name', op: 'iequals', val: 7.5 },
        { key: 'tenant', op: 'some', val: [{ key: 'name', op: 'in', val: [true] }] },
      ],
    ])
    expect([status, (body as Json).errors]).toMatchInlineSnapshot(`
      [
        422,
        [
          {
            "detail": "The value: "icontains" works on texts, and "speed" is not one.",
            "pointer": "/authorities/0/rows/0/val",
          },
          {
            "detail": "The value[1]: "speed" takes a whole number, not "fast".",
            "pointer": "/authorities/0/rows/1/val",
          },
          {
            "detail": "The value: "since" takes a date such as "2026-01-31", not "yesterday".",
            "pointer": "/authorities/0/rows/2/0/val",
          },
          {
            "detail": "The value: "name" takes a text, not 7.5.",
            "pointer": "/authorities/0/rows/2/1/val",
          },
          {
            "detail": "The value: "name" takes a text, not true.",
            "pointer": "/authorities/0/rows/2/2/val/0/val",
          },
        ],
      ]
    `)
  })

  test('values that the columns of some entities cannot have are warned of', async () => {
    const { status, body } = await write([{ key: 'name', op: 'isnull', val: false }], '/apis/.*')
    expect([status, (body as Json).warnings]).toEqual([200, undefined])
    const other = definition('Crate', { local: [field('speed', 'string')] })
    await gateway.request('POST', '/manage/entities', { body: other })
    const warned = await write([{ key: 'speed', op: 'icontains', val: 'x' }], '/apis/(ports|crates)')
    expect([warned.status, (warned.body as Json).warnings]).toMatchInlineSnapshot(`
      [
        200,
        [
          "The authority "/apis/(ports|crates)" admits no record of Port: The value: "icontains" works on texts, and "speed" is not one.",
        ],
      ]
    `)
    await gateway.request('DELETE', '/manage/entities/Crate')
  })
})
