/** Aggregates and groups over HTTP: on lists and collections, with the rights on rows, fields and relations. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const tenant = definition('Tenant', { local: [field('name', 'string')] })
const port = definition('Port', {
  local: [
    field('kind', 'string'),
    field('speed', 'integer'),
    field('price', 'decimal'),
    field('active', 'boolean'),
    field('since', 'DateTime'),
    field('tags', 'array'),
  ],
  refs: [reference('tenantId', 'Tenant')],
})

const tenants = [
  { id: 'a', name: 'Alder' },
  { id: 'b', name: 'Birch' },
]
const ports = [
  {
    id: 'p1',
    kind: 'open',
    speed: 10,
    price: '0.1',
    active: true,
    since: '2026-01-31T23:59:59',
    tags: ['x'],
    tenantId: 'a',
  },
  {
    id: 'p2',
    kind: 'open',
    speed: 40,
    price: '0.2',
    active: false,
    since: '2026-02-01T00:00:00',
    tags: ['x'],
    tenantId: 'a',
  },
  {
    id: 'p3',
    kind: 'Open',
    speed: 100,
    price: '5',
    active: true,
    since: '2025-02-01T12:00:00',
    tags: null,
    tenantId: 'b',
  },
  { id: 'p4', kind: null, speed: null, price: null, active: null, since: null, tags: null, tenantId: null },
]

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  async function ask(query: string, token = gateway.token): Promise<unknown> {
    const { body } = await gateway.request('POST', '/graphql', { token, body: { query } })
    return body
  }
  const join = async (username: string, authorities: readonly object[]) =>
    logonAs(gateway, await createAccount(gateway, username, authorities))

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const create = async (path: string, body: unknown) =>
      expect((await gateway.request('POST', path, { body })).status, path).toBe(201)
    await create('/manage/entities', [tenant, port])
    await create('/apis/tenants', tenants)
    await create('/apis/ports', ports)
  })
  afterAll(() => gateway.close())

  test('of a list', async () => {
    expect(
      await ask(`{ Port(where: {active: {isNull: false}}) {
        totalCount
        aggregates { count countDistinct { kind tags } sum { speed price active } avg { speed } min { since kind } max { price } }
        groups(by: [{field: since, every: YEAR}, {field: kind}], having: {count: {gte: 1}}) { keys { kind since } sum { price } }
      } }`),
    ).toEqual({
      data: {
        Port: {
          totalCount: 3,
          aggregates: {
            count: 3,
            countDistinct: { kind: 2, tags: 1 },
            sum: { speed: 150, price: '5.3', active: 2 },
            avg: { speed: 50 },
            min: { since: '2025-02-01T12:00:00', kind: 'Open' },
            max: { price: '5' },
          },
          groups: [
            { keys: { kind: 'Open', since: '2025-01-01T00:00:00' }, sum: { price: '5' } },
            { keys: { kind: 'open', since: '2026-01-01T00:00:00' }, sum: { price: '0.3' } },
          ],
        },
      },
    })
  })

  test('of collections', async () => {
    expect(
      await ask(
        '{ Tenant { edges { node { id portCollection { aggregates { sum { price } } groups(by: {field: active}) { keys { active } count } } } } } }',
      ),
    ).toEqual({
      data: {
        Tenant: {
          edges: [
            {
              node: {
                id: 'a',
                portCollection: {
                  aggregates: { sum: { price: '0.3' } },
                  groups: [0, 1].map((active) => ({ keys: { active }, count: 1 })),
                },
              },
            },
            {
              node: {
                id: 'b',
                portCollection: {
                  aggregates: { sum: { price: '5' } },
                  groups: [{ keys: { active: 1 }, count: 1 }],
                },
              },
            },
          ],
        },
      },
    })
  })

  test('of the rows that an account reaches, with the fields that it is given', async () => {
    const token = await join('some-rows', [
      {
        regex: '/graphql/(Port|Tenant)',
        methods: ['POST'],
        rows: [{ key: 'id', op: '!=', val: 'p2' }],
        fields: { read: ['id', 'kind', 'tenantId'] },
      },
      {
        regex: '/graphql/Port',
        methods: ['POST'],
        rows: [{ key: 'kind', op: '==', val: 'Open' }],
        fields: { read: ['id', 'kind', 'speed'] },
      },
    ])
    const masked = {
      data: {
        Port: {
          aggregates: { count: 3, given: 1, sum: { speed: 100 }, max: { speed: 100 } },
          groups: [
            { keys: { speed: null }, count: 2 },
            { keys: { speed: 100 }, count: 1 },
          ],
        },
      },
    }
    expect(
      await ask(
        '{ Port { aggregates { count given: count(field: speed) sum { speed } max { speed } } groups(by: {field: speed}) { keys { speed } count } } }',
        token,
      ),
    ).toEqual(masked)
    expect(
      await ask(
        '{ Port { groups(by: {field: kind}, having: {sum: {speed: {isNull: true}}}) { keys { kind } count } } }',
        token,
      ),
    ).toEqual({
      data: {
        Port: {
          groups: [
            { keys: { kind: null }, count: 1 },
            { keys: { kind: 'open' }, count: 1 },
          ],
        },
      },
    })
    // A field that is not given does not exist.
    for (const selection of [
      'aggregates { sum { price } }',
      'aggregates { count(field: price) }',
      'groups(by: {field: price}) { count }',
      'groups(by: {field: kind}, having: {max: {price: {gt: "1"}}}) { count }',
      'groups(by: {field: kind}) { keys { price } }',
    ])
      expect(await ask(`{ Port { ${selection} } }`, token)).toMatchObject({
        errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
      })
    const { body } = await gateway.request('GET', '/graphql', { token })
    const { schema } = body as { schema: string }
    expect(schema).toContain('enum Port_Field')
    expect(schema).not.toContain('price')
  })

  test('of entities that an account may not read do not exist', async () => {
    const token = await join('tenants-only', [{ regex: '/graphql/Tenant', methods: ['POST'] }])
    expect(
      await ask('{ Tenant { aggregates { count } groups(by: {field: name}) { keys { name } } } }', token),
    ).toEqual({
      data: {
        Tenant: {
          aggregates: { count: 2 },
          groups: [{ keys: { name: 'Alder' } }, { keys: { name: 'Birch' } }],
        },
      },
    })
    const { body } = await gateway.request('GET', '/graphql', { token })
    expect((body as { schema: string }).schema).not.toContain('Port')
  })
})
