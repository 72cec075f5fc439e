/** Accounts that may query some entities only: by the path `/graphql/<Entity>`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeGlobalId } from '../../src/query/global-id.ts'
import { anyProduct } from '../support/products.ts'
import { createTenantsAndPorts, firstPort, firstTenant } from '../support/tenants-and-ports.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

interface Person {
  graphql(query: string, variables?: object): Promise<unknown>
  status(method: string, path: string, body?: unknown): Promise<number>
  sdl(): Promise<unknown>
}

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  let robin: Person
  let admin: Person

  const person = (token: string): Person => ({
    graphql: async (query, variables) =>
      (await gateway.request('POST', '/graphql', { body: { query, variables }, token })).body,
    status: async (method, path, body) =>
      (await gateway.request(method, path, { token, ...(body === undefined ? {} : { body }) })).status,
    sdl: async () => (await gateway.request('GET', '/graphql', { token })).body,
  })

  /** A new account with its own role. */
  const join = async (username: string, ...authorities: readonly object[]): Promise<Person> => {
    const password = 'a long pass phrase'
    await gateway.request('PUT', `/manage/roles/of-${username}`, { body: { authorities } })
    const { body } = await gateway.request('POST', '/manage/accounts', {
      body: { username, password, role: `of-${username}` },
    })
    const logon = await gateway.request('POST', '/logon', {
      body: { username, password },
      headers: { 'x-xaas-api-key': (body as { api_key: string }).api_key },
    })
    return person((logon.body as Record<string, string>)['x-xaas-auth-token'] ?? '')
  }

  const portsOnly = { regex: '/graphql/Port', methods: ['POST'] }

  beforeAll(async () => {
    gateway = await startTestGateway(product, createTenantsAndPorts)
    admin = person(gateway.token)
    robin = await join('robin', portsOnly)
  })
  afterAll(() => gateway.close())

  test('F12 the entity that is allowed is answered, as it is for everybody', async () => {
    const query = '{ Port(first: 1) { edges { node { GlobalId id name tenantId } cursor } totalCount } }'
    expect(await robin.graphql(query)).toEqual(await admin.graphql(query))
    expect(
      await robin.graphql(`{ customNode(GlobalId: "${firstPort.GlobalId}") { ... on Port_ { name } } }`),
    ).toEqual({
      data: { customNode: { name: 'uplink-1' } },
    })
  })

  test.each([
    ['a root field', '{ Tenant { edges { node { id } } } }', '{ Tenanx { edges { node { id } } } }'],
    [
      'a reference',
      '{ Port { edges { node { tenant { id } } } } }',
      '{ Port { edges { node { tenanx { id } } } } }',
    ],
    [
      'a fragment',
      '{ customNode(GlobalId: "x") { ... on Tenant_ { id } } }',
      '{ customNode(GlobalId: "x") { ... on Tenanx_ { id } } }',
    ],
    [
      'a fragment on node',
      '{ node(GlobalId: "x") { ... on Tenant_ { id } } }',
      '{ node(GlobalId: "x") { ... on Tenanx_ { id } } }',
    ],
    [
      'a named fragment',
      '{ Port { totalCount } } fragment F on Tenant_ { id }',
      '{ Port { totalCount } } fragment F on Tenanx_ { id }',
    ],
    [
      'a list',
      '{ Port { totalCount } } fragment F on Tenant_Connection { totalCount }',
      '{ Port { totalCount } } fragment F on Tenanx_Connection { totalCount }',
    ],
    ['a misspelt name', '{ Tenan { totalCount } }', '{ Tenax { totalCount } }'],
    [
      'the type of a variable',
      'query ($a: Tenant_) { Port { totalCount } }',
      'query ($a: Tenanx_) { Port { totalCount } }',
    ],
  ])('F12 %s of another entity is answered as if there were none', async (_name, forbidden, unknown) => {
    const answer = JSON.stringify(await robin.graphql(forbidden))
    expect(answer).toContain('GRAPHQL_VALIDATION_FAILED')
    expect(answer).toBe(
      JSON.stringify(await robin.graphql(unknown))
        .replaceAll('anx', 'ant')
        .replaceAll('Tenax', 'Tenan'),
    )
  })

  test.each(['node', 'customNode'])('F12 %s finds no row of another entity', async (field) => {
    const query = `query ($id: ID!) { found: ${field}(GlobalId: $id) { __typename } }`
    const nobody = await robin.graphql(query, { id: encodeGlobalId('Nothing_', ['1']) })
    expect(await robin.graphql(query, { id: firstTenant.GlobalId })).toEqual(nobody)
    expect(await robin.graphql(query, { id: firstPort.GlobalId })).toEqual({
      data: { found: { __typename: 'Port_' } },
    })
    expect(await admin.graphql(query, { id: firstTenant.GlobalId })).toEqual({
      data: { found: { __typename: 'Tenant_' } },
    })
  })

  test('F12 a filter by the GlobalId of another entity is one by that of nothing', async () => {
    const query = 'query ($id: GenericScalar) { Port(GlobalId: $id) { totalCount } }'
    const nobody = await robin.graphql(query, { id: encodeGlobalId('Nothing_', ['1']) })
    expect(await robin.graphql(query, { id: firstTenant.GlobalId })).toEqual(nobody)
  })

  test('F12 the collections of an entity lead to allowed ones only', async () => {
    const tenantsOnly = await join('tina', { regex: '/graphql/Tenant', methods: ['POST'] })
    const query = '{ Tenant { edges { node { id portCollection { totalCount } } } } }'
    expect(JSON.stringify(await tenantsOnly.graphql(query))).toContain(
      'Cannot query field \\"portCollection\\" on type \\"Tenant_\\".',
    )
    const both = await join('bo', { regex: '/graphql/(Tenant|Port)', methods: ['POST'] })
    expect(await both.graphql(query)).toEqual(await admin.graphql(query))
    expect(await both.sdl()).toEqual(await admin.sdl())
  })

  test('F9 the schema holds what is allowed and nothing else, as text and by introspection', async () => {
    const { schema } = (await robin.sdl()) as { schema: string }
    expect(schema).toContain('type Port_ implements CustomNode {')
    expect(schema).toContain('  tenantId: String\n')
    expect(schema).not.toMatch(/Tenant|tenant:|Collection/)
    const { data } = (await robin.graphql(
      '{ __schema { types { name } } __type(name: "Tenant_") { name } }',
    )) as {
      data: { __schema: { types: { name: string }[] }; __type: unknown }
    }
    expect(data.__type).toBe(null)
    const named = data.__schema.types.map(({ name }) => name).filter((name) => /^[A-Z]\w*_/.test(name))
    expect(new Set(named)).toEqual(
      new Set([
        'Port_Connection',
        'Port_Edge',
        'Port_',
        'Port_Aggregates',
        'Port_Field',
        'Port_Group',
        'Port_Counts',
        'Port_Sums',
        'Port_Averages',
        'Port_Extremes',
        'Port_GroupKeys',
        'Port_GroupBy',
        'Port_Having',
        'Port_CountsHaving',
        'Port_SumsHaving',
        'Port_AveragesHaving',
        'Port_ExtremesHaving',
        'Port_GroupOrderBy',
        'Port_ValuesOrderBy',
        'Port_NumbersOrderBy',
        'Port_ExtremesOrderBy',
        'ID_Comparison',
        'Text_Comparison',
        'Json_Comparison',
        'Int_Comparison',
        'String_Comparison',
        'BigInt_Comparison',
        'Float_Comparison',
        'Port_Where',
        'Port_ListWhere',
        'Port_OrderBy',
      ]),
    )
  })

  test('the right is that to post; by it the schema is shown and queries are run by GET, too', async () => {
    const query = encodeURIComponent('{ Port { totalCount } }')
    expect(await robin.status('GET', '/graphql')).toBe(200)
    expect(await robin.status('HEAD', '/graphql')).toBe(200)
    expect(await robin.status('GET', `/graphql?query=${query}`)).toBe(200)
    expect(await robin.status('PUT', '/graphql')).toBe(401)
    expect(await robin.status('POST', '/graphql/Port', {})).toBe(404)
    expect(await robin.status('POST', '/graphql/Tenant', {})).toBe(401)
    const reading = await join('gil', { regex: '/graphql/Port', methods: ['GET'] })
    expect(await reading.status('GET', '/graphql')).toBe(401)
    expect(await reading.status('POST', '/graphql', { query: '{ __typename }' })).toBe(401)
  })

  test.each([
    ['/graphql/', 401],
    ['/graphql/Nothing', 401],
    ['/graphql/port', 401],
    ['/graphql/Port/', 401],
    ['/graphql/P', 401],
    ['/graphql/Port_', 401],
    ['/graphql/Por.', 200],
    ['/graphql/.*', 200],
    ['(/graphql)/Port|/x', 200],
    ['.*/Port', 200],
  ])('an authority for %s: %i', async (regex, status) => {
    const somebody = await join(`a${encodeURIComponent(regex).replace(/\W/g, '')}${status}`, {
      regex,
      methods: ['POST'],
    })
    expect(await somebody.status('POST', '/graphql', { query: '{ Port { totalCount } }' })).toBe(status)
  })

  test('an authority for /graphql gives all entities, with or without others', async () => {
    const all = await join('alva', portsOnly, { regex: '/graphql', methods: ['POST'] })
    const query = '{ Tenant { totalCount } Port { totalCount } }'
    expect(await all.graphql(query)).toEqual(await admin.graphql(query))
  })

  test('the same document is prepared for each schema by itself', async () => {
    const query = '{ Tenant { totalCount } __schema { queryType { fields { name } } } }'
    const refused = await robin.graphql(query)
    expect(JSON.stringify(refused)).toContain('GRAPHQL_VALIDATION_FAILED')
    const answered = await admin.graphql(query)
    expect(JSON.stringify(answered)).toContain('"totalCount":2')
    expect([await robin.graphql(query), await admin.graphql(query)]).toEqual([refused, answered])
  })

  test('B16 a change of the role changes what the token in use may query', async () => {
    const ada = await join('ada', portsOnly)
    const query = '{ Tenant { totalCount } }'
    expect(await ada.graphql(query)).not.toHaveProperty('data')
    await gateway.request('PUT', '/manage/roles/of-ada', {
      body: { authorities: [{ regex: '/graphql/Tenant', methods: ['POST'] }] },
    })
    expect(await ada.graphql(query)).toEqual({ data: { Tenant: { totalCount: 2 } } })
    expect(await ada.graphql('{ Port { totalCount } }')).not.toHaveProperty('data')
    await gateway.request('PUT', '/manage/roles/of-ada', { body: { authorities: [] } })
    expect(await ada.status('POST', '/graphql', { query })).toBe(401)
  })

  describe('explain-access', () => {
    const explain = async (account: string, method: string, path: string) =>
      (
        await gateway.request(
          'GET',
          `/manage/explain-access?${new URLSearchParams({ account, method, path })}`,
        )
      ).body

    test('says what is allowed of /graphql', async () => {
      expect(await explain('robin', 'POST', '/graphql')).toEqual({
        allowed: true,
        because: 'parts',
        reason:
          'Not for everything, but for what "only" lists. The role "of-robin" allows POST on /graphql/Port by /graphql/Port.',
        path: '/graphql',
        scope: 'protected',
        roles: [
          {
            name: 'of-robin',
            authorities: [
              { regex: '/graphql/Port', methods: ['POST'], path_matches: false, method_matches: true },
            ],
          },
        ],
        only: ['Port'],
      })
    })

    test.each([
      ['robin', 'POST', '/graphql/Port', true, 'The role "of-robin" allows it by /graphql/Port.'],
      [
        'robin',
        'GET',
        '/graphql/Port',
        true,
        'The role "of-robin" allows POST on /graphql/Port by /graphql/Port.',
      ],
      [
        'robin',
        'POST',
        '/graphql/Tenant',
        false,
        'No authority matches the whole path; nearest is /graphql/Port of the role "of-robin".',
      ],
      [
        'alma',
        'POST',
        '/graphql/Tenant',
        true,
        'The role "of-alma" allows it with the whole of /graphql by /graphql.',
      ],
      [
        'alma',
        'GET',
        '/graphql/Tenant',
        false,
        'No authority matches the whole path; nearest is /graphql of the role "of-alma".',
      ],
      [
        'alma',
        'POST',
        '/graphql/Nothing',
        false,
        'No authority matches the whole path; nearest is /graphql of the role "of-alma".',
      ],
    ])('%s %s %s: %s', async (account, method, path, allowed, reason) => {
      await join('alma', { regex: '/graphql', methods: ['POST'] })
      expect(await explain(account, method, path)).toMatchObject({ allowed, reason })
    })
  })

  test('a public route for /graphql gives all entities', async () => {
    const route = { path: '/graphql', methods: ['POST'], scope: 'public' }
    const anybody = async () =>
      (await gateway.request('POST', '/graphql', { body: { query: '{ Port { totalCount } }' }, token: null }))
        .status
    expect(await anybody()).toBe(401)
    await gateway.request('PUT', '/manage/routes/all', { body: route })
    expect(await anybody()).toBe(200)
    const query = '{ Tenant { totalCount } }'
    expect(await robin.graphql(query)).toEqual(await admin.graphql(query))
    await gateway.request('DELETE', '/manage/routes/all')
    expect(await anybody()).toBe(401)
  })
})
