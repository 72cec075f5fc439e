/** `graphql_introspection=false`: only roles with `GET` on `/manage/schema` see the schema. */
import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { createTenantsAndPorts } from '../support/tenants-and-ports.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const sentence =
  'This gateway shows its GraphQL schema only to roles with GET on /manage/schema (graphql_introspection). Queries work without it.'

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  let reader: string

  const ask = (query: string, token: string | null = reader, variables: object = {}): Promise<Answer> =>
    gateway.request('POST', '/graphql', { body: { query, variables }, token })

  beforeAll(async () => {
    gateway = await startTestGateway(product, createTenantsAndPorts, {
      graphqlRequests: { hidesSchema: true },
    })
    const authorities = [{ regex: '/graphql', methods: ['GET', 'POST'] }]
    const credentials = { username: 'robin', password: 'a long pass phrase' }
    await gateway.request('POST', '/manage/roles', { body: { name: 'reader', authorities } })
    const { body } = await gateway.request('POST', '/manage/accounts', {
      body: { ...credentials, role: 'reader' },
    })
    const logon = await gateway.request('POST', '/logon', {
      body: credentials,
      headers: { 'x-xaas-api-key': (body as { api_key: string }).api_key },
    })
    reader = (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  })
  afterAll(() => gateway.close())

  test('queries are answered as before', async () => {
    const { status, body } = await ask('{ __typename Port(first: 1) { edges { node { __typename id } } } }')
    expect([status, body]).toEqual([
      200,
      { data: { __typename: 'Query', Port: { edges: [{ node: { __typename: 'Port_', id: '1' } }] } } },
    ])
  })

  test.each([
    ['what tools ask first', getIntrospectionQuery()],
    ['a type', '{ __type(name: "Port_") { name } }'],
    ['a type beside data', '{ Port { totalCount } t: __type(name: "Port_") { name } }'],
    ['a fragment', '{ ...F } fragment F on Query { __schema { types { name } } }'],
    ['an operation that does not run', 'query A { __schema { types { name } } } query B { __typename }'],
  ])('F8 %s is refused', async (_name, query) => {
    const body = { query, ...(query.startsWith('query A') && { operationName: 'B' }) }
    const { status, body: answer } = await gateway.request('POST', '/graphql', { body, token: reader })
    expect([status, answer]).toEqual([
      200,
      {
        errors: [
          {
            message: sentence,
            locations: [expect.objectContaining({ line: expect.any(Number) })],
            extensions: { code: 'INTROSPECTION_DISABLED' },
          },
        ],
      },
    ])
  })

  test.each([
    '{ Port(asc: "idd") { totalCount } }',
    '{ Port(desc: "tenant.idd") { totalCount } }',
    '{ Port(filters: [{key: "idd", op: "==", val: 1}]) { totalCount } }',
    '{ Port(filters: [{key: "tenant.idd", op: "==", val: 1}]) { totalCount } }',
    '{ Tenant { edges { node { portCollection(asc: "idd") { totalCount } } } } }',
  ])('F8 nor do messages about names in texts: %s', async (query) => {
    const messagesFor = async (token: string) =>
      ((await ask(query, token)).body as { errors: { message: string }[] }).errors[0]?.message
    for (let time = 0; time < 2; time += 1) {
      expect(await messagesFor(gateway.token)).toContain('did you mean "id"')
      expect(await messagesFor(reader)).toMatch(/names the unknown field "idd"/)
      expect(await messagesFor(reader)).not.toContain('did you mean')
    }
  })

  test('F8 messages suggest no names, whoever has sent the document before', async () => {
    const admin = await ask('{ Prot { totalCount } }', gateway.token)
    expect(JSON.stringify(admin.body)).toContain('Did you mean \\"Port\\"?')
    for (const [query, variables] of [
      ['{ Prot { totalCount } }'],
      ['{ Port(nam: "a") { totalCount } }'],
      ['{ Port(where: { nam: { eq: "a" } }) { totalCount } }'],
      ['{ Port(orderBy: [{ name: ASCC }]) { totalCount } }'],
      ['{ Port(filters: [{ key: "nam", op: "==", val: 1 }]) { totalCount } }'],
      ['query ($w: Port_Where) { Port(where: $w) { totalCount } }', { w: { nam: { eq: 'a' } } }],
      ['query ($w: Prot_Where) { Port { totalCount } }'],
      ['{ Port { totalCount } ... on Qurey { __typename } }'],
    ] as const) {
      const { body } = await ask(query, reader, variables)
      expect(body).toHaveProperty('errors')
      expect([query, JSON.stringify(body)]).toEqual([query, expect.not.stringContaining('Did you mean')])
    }
  })

  test('F9 the text of the schema is refused', async () => {
    const { status, headers, body } = await gateway.request('GET', '/graphql', { token: reader })
    expect([status, headers.get('content-type'), body]).toEqual([
      403,
      'application/problem+json',
      expect.objectContaining({ code: 'INTROSPECTION_DISABLED', detail: sentence }),
    ])
  })

  test('who may read /manage/schema sees it all the same', async () => {
    expect((await ask('{ __type(name: "Port_") { name } }', gateway.token)).body).toEqual({
      data: { __type: { name: 'Port_' } },
    })
    const { status, body } = await gateway.request('GET', '/graphql')
    expect([status, body]).toEqual([200, { schema: expect.stringContaining('type Port_ ') }])
  })

  test('each request of a batch is refused for itself', async () => {
    const { body } = await gateway.request('POST', '/graphql', {
      body: [{ query: '{ __schema { queryType { name } } }' }, { query: '{ __typename }' }],
      token: reader,
    })
    expect(body).toEqual([
      { errors: [expect.objectContaining({ extensions: { code: 'INTROSPECTION_DISABLED' } })] },
      { data: { __typename: 'Query' } },
    ])
  })

  test('a public service hides it from anyone, and shows it to a token that may see it', async () => {
    const route = { name: 'open', path: '/graphql', methods: ['GET', 'POST'], scope: 'public' }
    await gateway.request('POST', '/manage/routes', { body: route })
    const query = '{ __schema { queryType { name } } }'
    for (const token of [null, reader, 'nonsense']) {
      expect((await ask(query, token)).body).toMatchObject({
        errors: [{ extensions: { code: 'INTROSPECTION_DISABLED' } }],
      })
      expect((await gateway.request('GET', '/graphql', { token })).status).toBe(403)
    }
    expect((await ask(query, gateway.token)).body).toEqual({
      data: { __schema: { queryType: { name: 'Query' } } },
    })
  })
})
