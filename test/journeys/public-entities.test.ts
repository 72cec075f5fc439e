/** Public routes for single entities of GraphQL, at `/graphql/<Entity>`: what anyone may query, and what a token adds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', { local: [field('name', 'string', { field_nullable: false })] })
const port = definition('Port', {
  local: [
    field('name', 'string', { field_nullable: false }),
    field('secret', 'string'),
    field('speed', 'integer'),
  ],
  refs: [reference('tenantId', 'Tenant')],
})
const crate = definition('Crate', { local: [field('label', 'string')] })

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const created = async (path: string, body: unknown) =>
      expect((await admin('POST', path, body)).status).toBe(201)
    await created('/manage/entities', [tenant, port, crate])
    await created('/apis/tenants', { id: 't', name: 'Tenant t' })
    await created(
      '/apis/ports',
      [1, 2, 3].map((speed) => ({
        id: `p${speed}`,
        name: `port ${speed}`,
        secret: 'x',
        speed,
        tenantId: 't',
      })),
    )
    await created('/apis/crates', { id: 'c', label: 'crate' })
  })
  afterAll(() => gateway?.close())

  const admin = (method: string, path: string, body?: unknown) =>
    gateway.request(method, path, body === undefined ? {} : { body })
  const post = async (token: string | null, query: string, variables?: object): Promise<Json> =>
    (await gateway.request('POST', '/graphql', { token, body: { query, variables } })).body
  const sdlFor = async (token: string | null) => {
    const { status, body } = await gateway.request('GET', '/graphql', { token })
    return [status, (body as Json).schema?.match(/^type \w+_ /gm)]
  }
  const join = async (username: string, authorities: readonly object[]) =>
    logonAs(gateway, await createAccount(gateway, username, authorities))
  const withRoutes = async (routes: readonly object[], work: () => Promise<void>) => {
    const names = routes.map((_, index) => `route-${index}`)
    try {
      for (const [index, route] of routes.entries()) {
        const body = { scope: 'public', methods: ['POST'], ...route }
        expect((await admin('PUT', `/manage/routes/${names[index]}`, body)).status).toBe(201)
      }
      await work()
    } finally {
      for (const name of names) await admin('DELETE', `/manage/routes/${name}`)
    }
  }

  const ofPort = { path: '/graphql/Port' }
  const slowPorts = {
    ...ofPort,
    rows: [{ key: 'speed', op: '<=', val: 2 }],
    fields: { read: ['id', 'speed'] },
  }
  const count = (name: string) => `{ ${name} { totalCount } }`
  const counted = (name: string, totalCount: number) => ({ data: { [name]: { totalCount } } })

  test('without a token, queries touch the entity of the route alone', () =>
    withRoutes([ofPort], async () => {
      expect(await post(null, '{ Port(asc: "id") { totalCount edges { node { id secret } } } }')).toEqual({
        data: {
          Port: {
            totalCount: 3,
            edges: ['p1', 'p2', 'p3'].map((id) => ({ node: { id, secret: 'x' } })),
          },
        },
      })
      expect(await sdlFor(null)).toEqual([200, ['type Port_ ']])
      const { data } = await post(
        null,
        '{ __schema { queryType { fields { name } } mutationType { name } } }',
      )
      expect(data.__schema.queryType.fields.map(({ name }: Json) => name)).toEqual([
        'node',
        'customNode',
        'Port',
      ])
      expect(data.__schema.mutationType).toBeNull()
    }))

  test.each([
    ['a root field', '{ Tenant { totalCount } }', '{ Tenanx { totalCount } }'],
    [
      'a reference',
      '{ Port { edges { node { tenant { id } } } } }',
      '{ Port { edges { node { tenanx { id } } } } }',
    ],
    [
      'a type',
      '{ node(GlobalId: "x") { ... on Tenant_ { id } } }',
      '{ node(GlobalId: "x") { ... on Tenanx_ { id } } }',
    ],
    [
      'a path in a filter',
      '{ Port(filters: [{key: "tenant.name", op: "!=", val: ""}]) { totalCount } }',
      '{ Port(filters: [{key: "tenanx.name", op: "!=", val: ""}]) { totalCount } }',
    ],
    [
      'a path in an order',
      '{ Port(asc: "tenant.name") { totalCount } }',
      '{ Port(asc: "tenanx.name") { totalCount } }',
    ],
  ])('%s of another entity is answered as if there were none', (_name, real, invented) =>
    withRoutes([ofPort], async () => {
      const answer = JSON.stringify(await post(null, real))
      expect(answer).toMatch(/"errors"/)
      expect(answer).toBe(
        JSON.stringify(await post(null, invented))
          .replaceAll('tenanx', 'tenant')
          .replaceAll('Tenanx', 'Tenant'),
      )
    }),
  )

  test('nothing else becomes reachable', () =>
    withRoutes([ofPort], async () => {
      const calls = [
        ['GET', '/apis/ports'],
        ['POST', '/apis/ports/query'],
        ['GET', '/graphql/Port'],
        ['GET', '/openapi.json'],
        ['GET', '/manage/schema'],
        ['PUT', '/graphql'],
      ] as const
      const before = await Promise.all(
        calls.map(([method, path]) => gateway.request(method, path, { token: null })),
      )
      for (const name of ['Tenant', 'Crate'])
        expect((await post(null, count(name))).errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
      await admin('DELETE', '/manage/routes/route-0')
      for (const [index, [method, path]] of calls.entries()) {
        const { status } = await gateway.request(method, path, { token: null })
        expect([method, path, before[index]?.status]).toEqual([method, path, status])
      }
      expect(
        (await gateway.request('POST', '/graphql', { token: null, body: { query: count('Port') } })).status,
      ).toBe(401)
      expect((await gateway.request('GET', '/graphql', { token: null })).status).toBe(401)
    }))

  test('rows and fields of the route hold, by every way', () =>
    withRoutes([slowPorts, { path: '/graphql/Tenant' }], async () => {
      expect(await post(null, '{ Port(desc: "speed") { totalCount edges { node { id speed } } } }')).toEqual({
        data: {
          Port: {
            totalCount: 2,
            edges: [{ node: { id: 'p2', speed: 2 } }, { node: { id: 'p1', speed: 1 } }],
          },
        },
      })
      expect((await post(null, '{ Port { edges { node { secret } } } }')).errors[0].message).toBe(
        'Cannot query field "secret" on type "Port_".',
      )
      const all = await post(gateway.token, '{ Port(asc: "id") { edges { node { GlobalId } } } }')
      const found = []
      for (const { node } of all.data.Port.edges) {
        const query = 'query ($id: ID!) { node(GlobalId: $id) { ... on Port_ { id } } }'
        found.push((await post(null, query, { id: node.GlobalId })).data.node?.id ?? null)
      }
      expect(found).toEqual(['p1', 'p2', null])
    }))

  test('a valid token adds the rights of its account, and an invalid one is like none', () =>
    withRoutes([slowPorts], async () => {
      const tokens = {
        other: await join('other', [{ regex: '/graphql/Crate', methods: ['POST'] }]),
        rows: await join('rows', [
          { regex: '/graphql/Port', methods: ['POST'], rows: [{ key: 'speed', op: '==', val: 3 }] },
        ]),
        port: await join('port', [{ regex: '/graphql/Port', methods: ['POST'] }]),
        nothing: await join('nothing', [{ regex: '/apis/crates', methods: ['GET'] }]),
        unknown: 'ght_unknown',
      }
      expect(await sdlFor(tokens.other)).toEqual([200, ['type Crate_ ', 'type Port_ ']])
      expect(await post(tokens.other, count('Crate'))).toEqual(counted('Crate', 1))
      expect(await post(tokens.other, count('Port'))).toEqual(counted('Port', 2))
      const { data } = await post(tokens.rows, '{ Port(asc: "id") { edges { node { id secret } } } }')
      expect(data.Port.edges.map(({ node }: Json) => node)).toEqual([
        { id: 'p1', secret: null },
        { id: 'p2', secret: null },
        { id: 'p3', secret: 'x' },
      ])
      expect(await post(tokens.port, count('Port'))).toEqual(counted('Port', 3))
      expect(await post(gateway.token, count('Port'))).toEqual(counted('Port', 3))
      for (const token of [tokens.nothing, tokens.unknown]) {
        expect(await post(token, count('Port'))).toEqual(counted('Port', 2))
        expect(await sdlFor(token)).toEqual([200, ['type Port_ ']])
      }
    }))

  test('the most specific route decides, and with another method it opens nothing', async () => {
    const closed = { scope: 'protected' }
    await withRoutes([{ path: '/graphql/*' }, { path: '/graphql/Tenant', ...closed }], async () => {
      expect(await sdlFor(null)).toEqual([200, ['type Crate_ ', 'type Port_ ']])
    })
    await withRoutes([{ path: '/graphql/:entity' }], async () => {
      expect(await sdlFor(null)).toEqual([200, ['type Crate_ ', 'type Port_ ', 'type Tenant_ ']])
    })
    await withRoutes([{ path: '/graphql/Port', methods: ['GET'] }], async () => {
      expect((await sdlFor(null))[0]).toBe(401)
    })
    await withRoutes([{ path: '/graphql' }, slowPorts], async () => {
      expect(await post(null, count('Port'))).toEqual(counted('Port', 3))
    })
  })

  test('it goes with the entity when that is renamed, and keeps another from getting its name', async () => {
    const rename = async (of: string, name: string) => {
      const { status, body } = await admin('PUT', '/manage/names', { kind: 'table', of, name })
      return [status, (body as Json).detail]
    }
    await withRoutes([ofPort, { path: '/graphql/Box' }], async () => {
      const [status, detail] = await rename('Crate', 'Box')
      expect([status, detail]).toEqual([
        409,
        expect.stringMatching(
          /^The public route "route-1" allows \/graphql\/Box and would get the table "Crate" .*by this name\./,
        ),
      ])
      expect((await rename('Port', 'Socket'))[0]).toBe(200)
      expect(await post(null, count('Socket'))).toEqual(counted('Socket', 3))
      expect((await rename('Port', 'Port'))[0]).toBe(200)
    })
  })

  test('it is explained', () =>
    withRoutes([slowPorts], async () => {
      await join('crates', [{ regex: '/graphql/Crate', methods: ['POST'] }])
      await createAccount(gateway, 'none', [{ regex: '/apis/crates', methods: ['GET'] }])
      const explain = async (account: string, path: string, row?: string) => {
        const query = new URLSearchParams({
          account,
          method: 'POST',
          path,
          ...(row !== undefined && { row }),
        })
        const { roles: _, ...answer } = (await admin('GET', `/manage/explain-access?${query}`)).body as Json
        return answer
      }
      expect(await explain('none', '/graphql')).toEqual({
        allowed: true,
        because: 'parts',
        path: '/graphql',
        scope: 'protected',
        only: ['Port'],
        reason:
          'Not for everything, but for what "only" lists. The public route "route-0" allows POST on /graphql/Port to anyone.',
      })
      expect(await explain('crates', '/graphql')).toMatchObject({
        only: ['Crate', 'Port'],
        reason:
          'Not for everything, but for what "only" lists. The role "of-crates" allows POST on /graphql/Crate by /graphql/Crate.',
      })
      const { rows, fields } = slowPorts
      const route = { name: 'route-0', path: '/graphql/Port', methods: ['POST'], rows, fields }
      expect(await explain('none', '/graphql/Port', 'p3')).toEqual({
        allowed: true,
        because: 'public',
        path: '/graphql/Port',
        scope: 'public',
        reason: 'The public route "route-0" allows it to anyone, on the records that its conditions admit.',
        route: { ...route, row: { admitted: false, failed: ['/rows/0'] } },
      })
      expect(await explain('none', '/graphql/Tenant')).toMatchObject({ allowed: false })
      await admin('PATCH', '/manage/accounts/none', { disabled: true })
      expect(await explain('none', '/graphql')).toMatchObject({
        allowed: true,
        only: ['Port'],
        reason:
          'Not for everything, but for what "only" lists. The public route "route-0" allows POST on /graphql/Port to anyone. The account is disabled.',
      })
    }))

  test('R20: mutations need the public call of the published API as well', async () => {
    const create = 'mutation { create_Port(input: {id: "p9", name: "new", speed: 9}) { id speed } }'
    await withRoutes([ofPort, { path: '/apis/ports' }], async () => {
      const { data } = await post(null, '{ __schema { mutationType { fields { name } } } }')
      expect(data.__schema.mutationType.fields.map(({ name }: Json) => name)).toEqual([
        'create_Port',
        'createAll_Port',
      ])
      expect(await post(null, create)).toEqual({ data: { create_Port: { id: 'p9', speed: 9 } } })
      await admin('DELETE', '/apis/ports/p9')
    })
    for (const routes of [[ofPort], [{ path: '/graphql/Crate' }, { path: '/apis/ports' }]])
      await withRoutes(routes, async () => {
        expect((await post(null, create)).errors[0].message).toMatch(
          /not configured to execute mutation|Mutation/i,
        )
      })
    expect((await admin('GET', '/apis/ports/p9')).status).toBe(404)
  })

  test('a route that names what the entity has not is refused, and one by an account without the right', async () => {
    const body = { path: '/graphql/Port', methods: ['POST'], scope: 'public', fields: { read: ['nme'] } }
    const { status, body: refusal } = await admin('PUT', '/manage/routes/wrong', body)
    expect([status, (refusal as Json).errors.map(({ pointer }: Json) => pointer)]).toEqual([
      422,
      ['/fields/read/0'],
    ])
    const token = await join('router', [
      { regex: '/manage/routes.*|/graphql/Crate', methods: ['GET', 'POST', 'PUT'] },
    ])
    const open = (path: string) =>
      gateway.request('PUT', '/manage/routes/opened', {
        token,
        body: { path, methods: ['POST'], scope: 'public' },
      })
    expect((await open('/graphql/Port')).status).toBe(403)
    expect((await open('/graphql/Crate')).status).toBe(201)
    await admin('DELETE', '/manage/routes/opened')
  })
})
