/** Related records: filters by paths and by how many match, orders by their fields, the rights on both, and references to oneself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const country = definition('Country', { local: [field('name', 'string')] })
const tenant = definition('Tenant', {
  local: [field('name', 'string'), field('plan', 'string')],
  refs: [reference('countryId', 'Country')],
})
const port = definition('Port', {
  local: [field('name', 'string'), field('speed', 'integer'), field('secret', 'string')],
  refs: [reference('tenantId', 'Tenant'), reference('uplinkId', 'Port')],
})

const countries = [
  { id: 'fi', name: 'Finland' },
  { id: 'jp', name: '日本' },
]
const tenants = [
  { id: 'a', name: 'Alder', plan: 'gold', countryId: 'fi' },
  { id: 'b', name: 'Birch', plan: 'gold', countryId: 'jp' },
  { id: 'c', name: 'Cedar', plan: null, countryId: null },
  { id: 'd', name: 'Dogwood', plan: 'free', countryId: 'jp' },
]
const ports = [
  { id: 'p1', name: 'north', speed: 10, secret: 's1', tenantId: 'a', uplinkId: null },
  { id: 'p2', name: 'south', speed: null, secret: 's2', tenantId: 'a', uplinkId: 'p1' },
  { id: 'p3', name: 'east', speed: 40, secret: 's3', tenantId: 'b', uplinkId: 'p2' },
  { id: 'p4', name: 'west', speed: 100, secret: 's4', tenantId: 'b', uplinkId: null },
  { id: 'p5', name: 'up', speed: 40, secret: 's5', tenantId: 'd', uplinkId: 'p4' },
  { id: 'p6', name: 'lost', speed: 10, secret: 's6', tenantId: null, uplinkId: 'p1' },
]

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  async function found(
    resource: 'ports' | 'tenants',
    filters: unknown,
    token = gateway.token,
  ): Promise<Json> {
    const name = resource === 'ports' ? 'Port' : 'Tenant'
    const query = `query ($filters: GenericScalar) { ${name}(filters: $filters, asc: "id") { totalCount edges { node { id } } } }`
    const { body } = await gateway.request('POST', '/graphql', {
      token,
      body: { query, variables: { filters } },
    })
    const answer = body as Json
    const inGraphql =
      answer.errors === undefined
        ? answer.data[name].edges.map(({ node }: Json) => node.id)
        : answer.errors[0].message
    const list = await gateway.request('POST', `/apis/${resource}/query`, {
      token,
      body: { filters, asc: ['id'] },
    })
    const inRest =
      list.status === 200 ? (list.body as Json[]).map(({ id }) => id) : (list.body as Json).detail
    expect(inRest).toEqual(typeof inGraphql === 'string' ? `${inGraphql}` : inGraphql)
    return inGraphql
  }

  const join = async (username: string, authorities: readonly object[], metadata: object = {}) =>
    logonAs(gateway, await createAccount(gateway, username, authorities, { metadata }))
  const reader = (...names: readonly string[]) => ({
    regex: names
      .map(
        (name) =>
          `/apis/${name === 'Country' ? 'countries' : `${name.toLowerCase()}s`}(/.*)?|/graphql/${name}`,
      )
      .join('|'),
    methods: ['GET', 'POST'],
  })

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const create = async (path: string, body: unknown) =>
      expect((await gateway.request('POST', path, { body })).status, path).toBe(201)
    await create('/manage/entities', [country, tenant, port])
    await create('/apis/countries', countries)
    await create('/apis/tenants', tenants)
    await create('/apis/ports', ports)
  })
  afterAll(() => gateway.close())

  const is = (key: string, val: unknown) => ({ key, op: '==', val })

  test.each([
    // By paths.
    ['ports', [is('tenant.name', 'Alder')], ['p1', 'p2']],
    ['ports', [{ key: 'tenant.name', op: '!=', val: 'Alder' }], ['p3', 'p4', 'p5']],
    ['ports', [is('tenant.plan', null)], []],
    ['tenants', [is('country.name', '日本')], ['b', 'd']],
    ['ports', [is('tenant.country.name', 'Finland')], ['p1', 'p2']],
    ['ports', [is('port.port.name', 'north')], ['p3']],
    ['ports', [{ key: 'tenant.id', op: 'in', val: ['a', 'd', 'x'] }], ['p1', 'p2', 'p5']],
    ['ports', [[is('tenant.name', 'Birch'), is('port.name', 'north')]], ['p2', 'p3', 'p4', 'p6']],
    // By how many match.
    ['tenants', [{ key: 'portCollection', op: 'some', val: [is('speed', 40)] }], ['b', 'd']],
    ['tenants', [{ key: 'portCollection', op: 'some', val: [] }], ['a', 'b', 'd']],
    ['tenants', [{ key: 'portCollection', op: 'none', val: [] }], ['c']],
    ['tenants', [{ key: 'portCollection', op: 'none', val: [is('speed', 40)] }], ['a', 'c']],
    [
      'tenants',
      [{ key: 'portCollection', op: 'every', val: [{ key: 'speed', op: '>', val: 20 }] }],
      ['b', 'c', 'd'],
    ],
    // A comparison with null is neither true nor false, and does not match.
    ['tenants', [{ key: 'portCollection', op: 'every', val: [{ key: 'speed', op: '<', val: 20 }] }], ['c']],
    ['ports', [{ key: 'tenant', op: 'none', val: [is('plan', 'gold')] }], ['p5', 'p6']],
    ['ports', [{ key: 'tenant.portCollection', op: 'some', val: [is('name', 'west')] }], ['p3', 'p4']],
    [
      'tenants',
      [{ key: 'portCollection', op: 'some', val: [[is('name', 'east'), is('port.name', 'north')]] }],
      ['a', 'b'],
    ],
    [
      'tenants',
      [
        {
          key: 'portCollection',
          op: 'some',
          val: [{ key: 'portCollection', op: 'some', val: [is('name', 'up')] }],
        },
      ],
      ['b'],
    ],
    ['tenants', [{ key: 'portCollection', op: 'none', val: [] }, is('plan', null)], ['c']],
    ['tenants', [[{ key: 'portCollection', op: 'none', val: [] }, is('name', 'Alder')]], ['a', 'c']],
  ] as const)('%s %j', async (resource, filters, expected) => {
    expect(await found(resource, filters)).toEqual(expected)
  })

  test('collections are filtered in the same way, and a number of statements does not grow', async () => {
    const query = `{ Tenant(filters: [{key: "portCollection", op: "some", val: [{key: "port.speed", op: ">", val: 5}]}], asc: "id") {
      edges { node { id portCollection(filters: [{key: "port.tenant.name", op: "==", val: "Alder"}], asc: "id") { totalCount edges { node { id } } } } } } }`
    const { body } = await gateway.request('POST', '/graphql', { body: { query } })
    const ids = (connection: Json) => connection.edges.map(({ node }: Json) => node.id)
    expect(
      (body as Json).data.Tenant.edges.map(({ node }: Json) => [node.id, ids(node.portCollection)]),
    ).toEqual([
      ['a', ['p2']],
      ['d', []],
    ])
  })

  test.each([
    [[is('tenant.nam', 'x')], /names the unknown field "nam"; did you mean "name"/],
    [[is('tenan.name', 'x')], /names the unknown field "tenan.name"/],
    [[is('tenant', 'x')], /names the unknown field "tenant"/],
    [
      [is('portCollection.name', 'x')],
      /"portCollection.name" leads to several rows of Port; use one of the operators some, every, none/,
    ],
    [[{ key: 'portCollection.tenant', op: 'some', val: [] }], /leads to several rows of Port/],
    [
      [{ key: 'name', op: 'some', val: [] }],
      /"some" works on the name of a reference or a collection, and "name" is none/,
    ],
    [[{ key: 'tenant', op: 'some', val: 'x' }], /takes a list of filters such as/],
    [[{ key: 'tenant', op: 'some' }], /takes a list of filters such as/],
    [[{ key: 'tenant', op: 'some', val: ['x'] }], /takes a filter \{key, op, val\} or a list of them/],
    [
      [{ key: 'tenant', op: 'any', val: [] }],
      /takes one of ==, .*, not in, between, isnull, some, every, none, not "any"/,
    ],
    [
      [{ key: 'tenant', op: 'some', val: [is('nam', 'x')] }],
      /filters\[0\]\.val\[0\] names the unknown field "nam"/,
    ],
    [[is(`${'port.'.repeat(300)}name`, 'x')], /has more than 8 names, which is the limit for a path/],
    [[is('tenant.speed', 'x')], /unknown field "speed"/],
    [[is('port.speed', 'fast')], /takes a whole number/],
  ])('%j is refused', async (filters, sentence) => {
    expect(await found('ports', filters)).toMatch(sentence)
  })

  test('filters inside filters have a limit together', async () => {
    let nested: Json[] = [is('name', 'x')]
    for (let depth = 0; depth < 30; depth += 1) nested = [{ key: 'port', op: 'some', val: nested }]
    const { body } = await gateway.request('POST', '/graphql', {
      body: {
        query: 'query ($f: GenericScalar) { Port(filters: $f) { totalCount } }',
        variables: { f: nested },
      },
    })
    expect((body as Json).errors[0].message).toMatch(/nested deeper than 20 groups/)
    const many = Array.from({ length: 501 }, () => is('name', 'x'))
    expect(await found('ports', [{ key: 'port', op: 'some', val: many }])).toMatch(
      /has more than 500 conditions/,
    )
    const empty = { filters: Array.from({ length: 2000 }, () => []) }
    const posted = await gateway.request('POST', '/apis/ports/query', { body: empty })
    expect([posted.status, (posted.body as Json).detail]).toEqual([
      400,
      expect.stringMatching(/has more than 500 conditions/),
    ])
    let lists: Json = is('name', 'none')
    for (let depth = 0; depth < 18; depth += 1) lists = [lists]
    expect(await found('ports', lists)).toEqual([])
  })

  describe('order', () => {
    /** The ids of all pages, one after the other; in REST, by the links of the pages. */
    async function pages(order: Json, size: number, token = gateway.token): Promise<Json> {
      const ids: string[] = []
      for (let after: string | null = null; ; ) {
        const query =
          'query ($asc: [String], $desc: [String], $first: Int, $after: String) { Port(asc: $asc, desc: $desc, first: $first, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } } }'
        const variables: Json = { ...order, first: size, after }
        const answer = (await gateway.request('POST', '/graphql', { token, body: { query, variables } }))
          .body as Json
        if (answer.errors !== undefined) return answer.errors[0].message
        ids.push(...answer.data.Port.edges.map(({ node }: Json) => node.id))
        if (!answer.data.Port.pageInfo.hasNextPage) break
        after = answer.data.Port.pageInfo.endCursor
      }
      const inRest: string[] = []
      const parameters = new URLSearchParams({ first: `${size}`, ...order })
      for (let path: string | undefined = `/apis/ports?${parameters}`; path !== undefined; ) {
        const list = await gateway.request('GET', path, { token })
        inRest.push(...(list.body as Json[]).map(({ id }) => id))
        path = /<([^>]+)>/.exec(list.headers.get('link') ?? '')?.[1]?.replace(gateway.url, '')
      }
      expect(inRest).toEqual(ids)
      return ids
    }

    test.each([
      [{ asc: 'tenant.name' }, ['p6', 'p1', 'p2', 'p3', 'p4', 'p5']],
      [{ desc: 'tenant.name' }, ['p5', 'p3', 'p4', 'p1', 'p2', 'p6']],
      [{ asc: 'tenant.country.name', desc: 'speed' }, ['p6', 'p1', 'p2', 'p4', 'p3', 'p5']],
      [{ asc: 'port.name' }, ['p1', 'p4', 'p2', 'p6', 'p3', 'p5']],
      [{ asc: 'port.speed', desc: 'tenant.plan' }, ['p1', 'p3', 'p4', 'p2', 'p6', 'p5']],
    ])('%j', async (order, expected) => {
      for (const size of [1, 2, 4, 10]) expect([size, await pages(order, size)]).toEqual([size, expected])
    })

    test('collections are sorted in the same way', async () => {
      const query =
        '{ Tenant(asc: "id") { edges { node { portCollection(desc: "port.name", last: 1) { edges { node { id } } } } } } }'
      const { body } = await gateway.request('POST', '/graphql', { body: { query } })
      const last = (body as Json).data.Tenant.edges.map(
        ({ node }: Json) => node.portCollection.edges[0]?.node.id,
      )
      expect(last).toEqual(['p1', 'p4', undefined, 'p5'])
    })

    test('a cursor is for its own path', async () => {
      const page = (order: string, after?: string) =>
        gateway.graphql(
          `{ Port(asc: "${order}", first: 2${after === undefined ? '' : `, after: "${after}"`}) { edges { node { id } } pageInfo { endCursor } } }`,
        )
      const first = (await page('tenant.name')) as Json
      const other = (await page('tenant.plan', first.data.Port.pageInfo.endCursor)) as Json
      expect(other.errors[0].message).toMatch(/cursor/)
    })

    test.each([
      ['portCollection.name', /leads to several rows of Port. Sort by a path through references/],
      ['tenant.nam', /names the unknown field "nam"; did you mean "name"/],
      ['tenan.name', /names the unknown field "tenan.name"/],
      ['tenant', /names the unknown field "tenant"/],
      [`${'port.'.repeat(300)}name`, /more than 8 names/],
    ])('%s is refused', async (path, sentence) => {
      expect(await pages({ asc: path }, 5)).toMatch(sentence)
      const list = await gateway.request('GET', `/apis/ports?asc=${path}`)
      expect([list.status, (list.body as Json).detail]).toEqual([400, expect.stringMatching(sentence)])
    })

    test('sees what the caller may read only', async () => {
      const own = { ...reader('Tenant'), rows: [is('id', { account: 'metadata.tenant' })] }
      const reached = await join('sorts-by-b', [reader('Port'), own], { tenant: 'b' })
      expect(await pages({ asc: 'tenant.name' }, 2, reached)).toEqual(['p1', 'p2', 'p5', 'p6', 'p3', 'p4'])
      const names = { ...reader('Tenant'), fields: { read: ['id', 'name'] } }
      const plans = { ...reader('Tenant'), rows: [is('id', 'd')] }
      const masked = await join('sorts-by-plan', [reader('Port'), names, plans])
      expect(await pages({ asc: 'tenant.plan' }, 2, masked)).toEqual(['p1', 'p2', 'p3', 'p4', 'p6', 'p5'])
      const without = await join('sorts-by-nothing', [reader('Port'), names])
      expect(await pages({ asc: 'tenant.plan' }, 2, without)).toMatch(/unknown field "plan"/)
      const apart = await join('sorts-ports', [reader('Port')])
      expect(await pages({ asc: 'tenant.name' }, 2, apart)).toMatch(/unknown field "tenant.name"/)
      const some = { ...reader('Port'), rows: [is('tenantId', 'a')], fields: { read: ['id', 'name'] } }
      const narrow = await join('sorts-narrow', [some, reader('Tenant')])
      expect(await pages({ desc: 'port.name' }, 1, narrow)).toMatch(/unknown field "port.name"/)
      const seen = {
        ...reader('Port'),
        rows: [is('tenantId', 'a')],
        fields: { read: ['id', 'name', 'uplinkId'] },
      }
      expect(await pages({ desc: 'port.name' }, 1, await join('sorts-seen', [seen]))).toEqual(['p2', 'p1'])
    })
  })

  describe('rights', () => {
    test('a path needs the right to list each entity that it touches', async () => {
      const token = await join('ports-only', [reader('Port')])
      for (const filters of [
        [is('tenant.name', 'Alder')],
        [{ key: 'tenant', op: 'some', val: [] }],
        [{ key: 'tenant', op: 'none', val: [] }],
      ])
        expect(await found('ports', filters, token)).toMatch(
          /unknown field "tenant.name"|and "tenant" is none/,
        )
      expect(await found('ports', [is('port.name', 'north')], token)).toEqual(['p2', 'p6'])
    })

    test('what is not reached is not there for filters', async () => {
      const own = { ...reader('Port'), rows: [is('tenantId', { account: 'metadata.tenant' })] }
      const token = await join('of-a', [own, reader('Tenant')], { tenant: 'a' })
      const some = (val: Json[]) => [{ key: 'portCollection', op: 'some', val }]
      expect(await found('tenants', some([]), token)).toEqual(['a'])
      expect(await found('tenants', some([is('name', 'east')]), token)).toEqual([])
      expect(await found('tenants', [{ key: 'portCollection', op: 'none', val: [] }], token)).toEqual([
        'b',
        'c',
        'd',
      ])
      const every = [{ key: 'portCollection', op: 'every', val: [is('name', 'north')] }]
      expect(await found('tenants', every, token)).toEqual(['b', 'c', 'd'])
      expect(await found('ports', [is('port.name', 'north')], token)).toEqual(['p2'])
    })

    test('a field that is given on some rows only is null on the others for filters, too', async () => {
      const names = { ...reader('Port'), fields: { read: ['id', 'name', 'tenantId'] } }
      const secrets = { ...reader('Port'), rows: [is('tenantId', 'b')] }
      const token = await join('secrets-of-b', [names, secrets, reader('Tenant')])
      const some = (val: Json[]) => [{ key: 'portCollection', op: 'some', val }]
      expect(await found('tenants', some([is('secret', 's3')]), token)).toEqual(['b'])
      expect(await found('tenants', some([is('secret', 's1')]), token)).toEqual([])
      expect(await found('tenants', some([is('secret', null)]), token)).toEqual(['a', 'd'])
      const hidden = await join('no-secrets', [names, reader('Tenant')])
      expect(await found('tenants', some([is('secret', 's1')]), hidden)).toMatch(/unknown field "secret"/)
      // Without the field that refers, there is no relation.
      const apart = await join('apart', [
        { ...reader('Port'), fields: { read: ['id', 'name'] } },
        reader('Tenant'),
      ])
      expect(await found('tenants', some([]), apart)).toMatch(/and "portCollection" is none/)
    })

    test('a public list opens its own entity only', async () => {
      const route = { name: 'open', path: '/apis/ports', methods: ['GET'], scope: 'public' }
      expect((await gateway.request('POST', '/manage/routes', { body: route })).status).toBe(201)
      const list = (filters: unknown, token: string | null) =>
        gateway.request('GET', `/apis/ports?asc=id&filters=${encodeURIComponent(JSON.stringify(filters))}`, {
          token,
        })
      await expect.poll(async () => (await list([is('name', 'north')], null)).status).toBe(200)
      const { status, body } = await list([is('port.name', 'north')], null)
      expect([status, (body as Json).detail]).toEqual([
        400,
        expect.stringContaining('unknown field "port.name"'),
      ])
      expect((await gateway.request('DELETE', '/manage/routes/open')).status).toBe(204)
    })

    test('the rule of a role may say how many related rows match, and sees all of them', async () => {
      const busy = {
        ...reader('Tenant'),
        rows: [{ key: 'portCollection', op: 'some', val: [is('speed', { account: 'metadata.speed' })] }],
      }
      const token = await join('busy', [busy], { speed: 40 })
      expect(await found('tenants', [], token)).toEqual(['b', 'd'])
      const quiet = { ...reader('Tenant'), rows: [{ key: 'portCollection', op: 'none', val: [] }] }
      expect(await found('tenants', [], await join('quiet', [quiet]))).toEqual(['c'])
      const unset = await join('unset', [busy])
      expect(await found('tenants', [], unset)).toEqual([])
    })

    test('a record that is changed may refer to itself, also by who may not list others', async () => {
      const writer = {
        regex: '/apis/ports/[^/]+',
        methods: ['GET', 'PATCH'],
        fields: { write: ['uplinkId'] },
      }
      const token = await join('one-by-one', [writer])
      const refer = async (uplinkId: string | null) =>
        (await gateway.request('PATCH', '/apis/ports/p1', { token, body: { uplinkId } })).status
      expect([await refer('p1'), await refer('p2'), await refer('none'), await refer(null)]).toEqual([
        ...[200, 422, 422, 200],
      ])
    })

    test('such a rule is checked when it is written', async () => {
      const write = async (rows: readonly unknown[]) => {
        const { body, status } = await gateway.request('POST', '/manage/roles', {
          body: { name: 'checked', authorities: [{ ...reader('Tenant'), rows }] },
        })
        return [status, (body as Json).errors?.map(({ pointer, detail }: Json) => [pointer, detail])]
      }
      expect(await write([{ key: 'portCollection', op: 'some', val: 'x' }])).toEqual([
        422,
        [
          [
            '/authorities/0/rows/0/val',
            '"some" takes a list of conditions on the rows that the key leads to.',
          ],
        ],
      ])
      expect(
        await write([{ key: 'portCollection', op: 'some', val: [{ key: 'speed', op: '=', val: 1 }] }]),
      ).toEqual([422, [['/authorities/0/rows/0/val/0/op', expect.stringContaining('This must be one of')]]])
      expect(await write([{ key: 'portCollection', op: 'some', val: [[is('sped', 1)]] }])).toEqual([
        422,
        [['/authorities/0/rows/0/val/0/0/key', expect.stringContaining('has no field "sped"')]],
      ])
      expect(await write([{ key: 'portCollections', op: 'some', val: [] }])).toEqual([
        422,
        [['/authorities/0/rows/0/key', expect.stringContaining('has no field "portCollections"')]],
      ])
      expect(await write([is('portCollection.name', 'x')])).toEqual([
        422,
        [['/authorities/0/rows/0/key', expect.stringContaining('has no field "portCollection.name"')]],
      ])
    })
  })
})
