/** Public routes with conditions on rows and fields: what anyone reaches, by every way, and what a token adds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

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

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    expect((await admin('POST', '/manage/entities', [tenant, port])).status).toBe(201)
    const tenants = ['a', 'b'].map((id) => ({ id, name: `Tenant ${id}` }))
    expect((await admin('POST', '/apis/tenants', tenants)).status).toBe(201)
    const ports = [1, 2, 3, 4, 5, 6].map((speed) => ({
      id: `p${speed}`,
      name: `port ${speed}`,
      secret: `secret ${speed}`,
      speed,
      tenantId: speed % 2 === 0 ? 'b' : 'a',
    }))
    expect((await admin('POST', '/apis/ports', ports)).status).toBe(201)
  })
  afterAll(() => gateway?.close())

  const admin = (method: string, path: string, body?: unknown) =>
    gateway.request(method, path, body === undefined ? {} : { body })
  const as =
    (token: string | null) =>
    (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      gateway.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  const anyone = as(null)
  const graphqlAs = async (token: string | null, query: string, variables?: object): Promise<Json> =>
    (await as(token)('POST', '/graphql', { query, variables })).body
  const join = async (username: string, authorities: readonly object[], metadata: object = {}) =>
    logonAs(gateway, await createAccount(gateway, username, authorities, { metadata }))
  const idsIn = ({ body }: Answer) => (body as Json[]).map(({ id }) => id)

  /** Public routes, for as long as some work takes. */
  const withRoutes = async (routes: readonly object[], work: () => Promise<void>) => {
    const names = routes.map((_, index) => `route-${index}`)
    try {
      for (const [index, route] of routes.entries()) {
        const { status, body } = await admin('PUT', `/manage/routes/${names[index]}`, {
          scope: 'public',
          ...route,
        })
        expect([status, body]).toEqual([201, expect.anything()])
      }
      await work()
    } finally {
      for (const name of names) await admin('DELETE', `/manage/routes/${name}`)
    }
  }

  const slow = [{ key: 'speed', op: '<=', val: 3 }]
  const shown = { read: ['id', 'name', 'speed', 'tenantId'] }
  const catalogue = { rows: slow, fields: shown }
  const reading = [
    { path: '/apis/ports', methods: ['GET'], ...catalogue },
    { path: '/apis/ports/:id', methods: ['GET', 'POST'], ...catalogue },
    { path: '/graphql', methods: ['GET', 'POST'], ...catalogue },
  ]
  const seen = (speed: number) => ({
    id: `p${speed}`,
    name: `port ${speed}`,
    speed,
    tenantId: speed % 2 === 0 ? 'b' : 'a',
  })

  test('anyone reads the rows and fields of the route alone', () =>
    withRoutes(reading, async () => {
      const list = await anyone('GET', '/apis/ports?asc=id&count=true')
      expect([list.status, list.body]).toEqual([200, [seen(1), seen(2), seen(3)]])
      expect(list.headers.get('x-total-count')).toBe('3')
      expect((await anyone('GET', '/apis/ports/p2')).body).toEqual(seen(2))
      const [hidden, absent] = [await anyone('GET', '/apis/ports/p5'), await anyone('GET', '/apis/ports/p9')]
      expect([hidden.status, absent.status]).toEqual([404, 404])
      expect((hidden.body as Json).detail.replace('p5', 'p9')).toBe((absent.body as Json).detail)
      expect(idsIn(await anyone('POST', '/apis/ports/query', { desc: ['id'], limit: 2 }))).toEqual([
        'p3',
        'p2',
      ])
      for (const query of ['secret=x', 'asc=secret', 'filters=[{"key":"secret","op":"==","val":"x"}]']) {
        const [real, invented] = [
          await anyone('GET', `/apis/ports?${query}`),
          await anyone('GET', `/apis/ports?${query.replaceAll('secret', 'zzzzzz')}`),
        ]
        expect([real.status, invented.status]).toEqual([400, 400])
        expect((real.body as Json).detail.replaceAll('secret', 'zzzzzz')).toBe((invented.body as Json).detail)
      }
      for (const [method, path] of [
        ['POST', '/apis/ports'],
        ['PATCH', '/apis/ports/p1'],
        ['DELETE', '/apis/ports/p1'],
        ['GET', '/apis/tenants'],
        ['GET', '/apis/tenants/a'],
        ['GET', '/manage/roles'],
      ] as const)
        expect((await anyone(method, path, method === 'GET' ? undefined : {})).status).toBe(401)
    }))

  test('in GraphQL, too, by every way to the row', () =>
    withRoutes(reading, async () => {
      const { data } = await graphqlAs(
        null,
        '{ Port(asc: "id") { totalCount edges { node { id name speed tenantId } } pageInfo { hasNextPage } } }',
      )
      expect(data.Port.totalCount).toBe(3)
      expect(data.Port.edges.map(({ node }: Json) => node)).toEqual([seen(1), seen(2), seen(3)])
      const { errors } = await graphqlAs(null, '{ Port { edges { node { secret } } } }')
      expect(errors[0].message).toBe('Cannot query field "secret" on type "Port_".')
      const { schema } = (await anyone('GET', '/graphql')).body as Json
      expect(schema).toMatch(/type Port_ /)
      expect(schema).not.toMatch(/secret|instance|xname|Tenant_/)
      const all = await graphqlAs(gateway.token, '{ Port(asc: "id") { edges { node { GlobalId } } } }')
      const node = 'query ($id: ID!) { node(GlobalId: $id) { ... on Port_ { name } } }'
      const found = []
      for (const { node: one } of all.data.Port.edges)
        found.push((await graphqlAs(null, node, { id: one.GlobalId })).data.node?.name ?? null)
      expect(found).toEqual(['port 1', 'port 2', 'port 3', null, null, null])
    }))

  test('references and collections follow what is open of their targets', () =>
    withRoutes(
      [
        {
          path: '/graphql',
          methods: ['POST'],
          rows: [{ key: 'id', op: 'in', val: ['a', 'p1', 'p2', 'p3'] }],
        },
      ],
      async () => {
        const { data } = await graphqlAs(
          null,
          '{ Port(asc: "id") { edges { node { id tenant { name portCollection { totalCount } } } } } Tenant { totalCount } }',
        )
        const named = { name: 'Tenant a', portCollection: { totalCount: 2 } }
        expect(data.Tenant.totalCount).toBe(1)
        expect(data.Port.edges.map(({ node }: Json) => node)).toEqual([
          { id: 'p1', tenant: named },
          { id: 'p2', tenant: null },
          { id: 'p3', tenant: named },
        ])
      },
    ))

  test('entity tags depend on what anyone sees', () =>
    withRoutes(reading, async () => {
      const tag = async () => (await anyone('GET', '/apis/ports/p1')).headers.get('etag') ?? ''
      const before = await tag()
      await admin('PATCH', '/apis/ports/p1', { secret: 'another' })
      expect(await tag()).toBe(before)
      expect((await anyone('GET', '/apis/ports/p1', undefined, { 'if-none-match': before })).status).toBe(304)
      await admin('PATCH', '/apis/ports/p1', { secret: 'secret 1' })
    }))

  describe('writing', () => {
    const remove = async (...ids: readonly string[]) => {
      for (const id of ids) await admin('DELETE', `/apis/ports/${id}`)
    }

    test('a record gets what the route sets, and shows what anyone may read of it', () =>
      withRoutes(
        [
          {
            path: '/apis/ports',
            methods: ['POST'],
            rows: slow,
            fields: { write: ['id', 'name', 'speed'] },
            set: { tenantId: 'a', secret: 'from outside' },
          },
          { path: '/apis/ports', methods: ['GET'], fields: { read: ['id', 'tenantId'] } },
        ],
        async () => {
          const created = await anyone('POST', '/apis/ports', { id: 'n1', name: 'new', speed: 1 })
          expect([created.status, created.body]).toEqual([201, { id: 'n1', tenantId: 'a' }])
          expect((await admin('GET', '/apis/ports/n1')).body).toMatchObject({
            tenantId: 'a',
            secret: 'from outside',
          })
          const codeOf = async (document: object) => {
            const { status, body } = await anyone('POST', '/apis/ports', {
              id: 'n2',
              name: 'new',
              speed: 1,
              ...document,
            })
            return [status, (body as Json).code]
          }
          expect(await codeOf({ tenantId: 'b' })).toEqual([403, 'FIELD_NOT_ALLOWED'])
          expect(await codeOf({ speed: 4 })).toEqual([403, 'ROW_NOT_ALLOWED'])
          expect(await codeOf({ zzzzzz: 1 })).toEqual([422, 'RECORD_INVALID'])
          expect((await admin('GET', '/apis/ports/n2')).status).toBe(404)
          await remove('n1')
        },
      ))

    test('a change that anyone may make shows what anyone may read', () =>
      withRoutes(
        [
          { path: '/apis/ports/:id', methods: ['PATCH'] },
          { path: '/apis/ports/:id', methods: ['GET'], ...catalogue },
        ],
        async () => {
          const { status, body } = await anyone('PATCH', '/apis/ports/p1', { name: 'port 1' })
          expect([status, body]).toEqual([200, seen(1)])
          expect((await anyone('PATCH', '/apis/ports/p6', { name: 'port 6' })).body).toEqual({})
        },
      ))

    test('a reference that is not reached is refused like one to none', () =>
      withRoutes(
        [
          { path: '/apis/ports/:id', methods: ['PATCH'], fields: { read: ['id'], write: ['tenantId'] } },
          { path: '/apis/tenants', methods: ['GET'], rows: [{ key: 'id', op: '==', val: 'a' }] },
        ],
        async () => {
          const [hidden, absent] = [
            await anyone('PATCH', '/apis/ports/p1', { tenantId: 'b' }),
            await anyone('PATCH', '/apis/ports/p1', { tenantId: 'z' }),
          ]
          expect([hidden.status, absent.status]).toEqual([422, 422])
          const [one, other] = [hidden, absent].map(({ body }) => (body as Json).errors[0].detail)
          expect(one.replace('"b"', '"z"')).toBe(other)
        },
      ))
  })

  describe('a token', () => {
    test('adds the rights of its account', () =>
      withRoutes(reading, async () => {
        const ofTenant = [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }]
        const token = await join(
          'member',
          [{ regex: '/apis/ports(/.*)?|/graphql/Port', methods: ['GET', 'POST'], rows: ofTenant }],
          { tenant: 'b' },
        )
        const { body } = await as(token)('GET', '/apis/ports?asc=id')
        expect((body as Json[]).map(({ id, secret }) => [id, secret])).toEqual([
          ['p1', null],
          ['p2', 'secret 2'],
          ['p3', null],
          ['p4', 'secret 4'],
          ['p6', 'secret 6'],
        ])
        expect(((await as(token)('GET', '/apis/ports/p4')).body as Json).secret).toBe('secret 4')
        const { data } = await graphqlAs(token, '{ Port(desc: "secret") { edges { node { id secret } } } }')
        expect(data.Port.edges.map(({ node }: Json) => node.secret)).toEqual([
          'secret 6',
          'secret 4',
          'secret 2',
          null,
          null,
        ])
      }))

    test('without conditions gives everything, as without the route', async () => {
      const token = await join('reader', [{ regex: '/apis/ports(/.*)?|/graphql', methods: ['GET', 'POST'] }])
      const answers = async () => {
        const list = await as(token)('GET', '/apis/ports?asc=id')
        const query = '{ Port { totalCount edges { node { secret tenant { name } } } } }'
        return [list.status, list.body, await graphqlAs(token, query)]
      }
      const before = await answers()
      await withRoutes(reading, async () => expect(await answers()).toEqual(before))
    })

    test('for something else adds nothing, and an invalid one is like none', () =>
      withRoutes(reading, async () => {
        const token = await join('elsewhere', [{ regex: '/apis/tenants', methods: ['GET'] }])
        for (const sent of [token, 'ght_unknown', 'ey.Jh.bGci']) {
          expect(idsIn(await as(sent)('GET', '/apis/ports?asc=id'))).toEqual(['p1', 'p2', 'p3'])
          expect((await graphqlAs(sent, '{ Port { totalCount } }')).data.Port.totalCount).toBe(3)
        }
        const disabled = await join('disabled', [{ regex: '/apis/ports', methods: ['GET'] }])
        expect(idsIn(await as(disabled)('GET', '/apis/ports')).length).toBe(6)
        await admin('PATCH', '/manage/accounts/disabled', { disabled: true })
        expect(idsIn(await as(disabled)('GET', '/apis/ports')).length).toBe(3)
      }))

    test('tells the values of the account that the route names, and without one they admit nothing', () =>
      withRoutes(
        [
          {
            path: '/apis/ports',
            methods: ['GET', 'POST'],
            rows: [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }],
            set: { tenantId: { account: 'metadata.tenant' } },
          },
          {
            path: '/graphql',
            methods: ['POST'],
            rows: [{ key: 'name', op: '!=', val: { account: 'username' } }],
          },
        ],
        async () => {
          expect((await anyone('GET', '/apis/ports?count=true')).body).toEqual([])
          expect((await graphqlAs(null, '{ Port { totalCount } }')).data.Port.totalCount).toBe(0)
          expect((await anyone('POST', '/apis/ports', { id: 'n1', name: 'new' })).status).toBe(403)
          const token = await join('of-a', [{ regex: '/whoami', methods: ['GET'] }], { tenant: 'a' })
          expect(idsIn(await as(token)('GET', '/apis/ports?asc=id'))).toEqual(['p1', 'p3', 'p5'])
          expect((await graphqlAs(token, '{ Port { totalCount } }')).data.Port.totalCount).toBe(6)
          const { status, body } = await as(token)('POST', '/apis/ports', { id: 'n1', name: 'new' })
          expect([status, (body as Json).tenantId]).toEqual([201, 'a'])
          await admin('DELETE', '/apis/ports/n1')
          await admin('PATCH', '/manage/accounts/of-a', { metadata: { tenant: 'b' } })
          expect(idsIn(await as(token)('GET', '/apis/ports?asc=id'))).toEqual(['p2', 'p4', 'p6'])
        },
      ))

    test('that may post a query reads what the list opens to it', () =>
      withRoutes([{ path: '/apis/ports', methods: ['GET'], ...catalogue }], async () => {
        const token = await join('asks', [{ regex: '/apis/ports/query', methods: ['POST'] }])
        const { body } = await as(token)('POST', '/apis/ports/query', { asc: ['id'] })
        expect(body).toEqual([seen(1), seen(2), seen(3)])
      }))

    describe('at routes without conditions', () => {
      const named = encodeURIComponent(JSON.stringify([{ key: 'tenant.id', op: '==', val: 'a' }]))
      const counts = { query: '{ Port { totalCount edges { node { id tenant { name } } } } }' }
      const calls = [
        ['GET', '/apis/ports?asc=id&fields=id,tenant.name'],
        ['GET', '/apis/ports?asc=tenant.id&asc=id'],
        ['GET', `/apis/ports?desc=id&filters=${named}`],
        ['GET', '/apis/ports/p1?fields=id,tenant.name'],
        ['POST', '/apis/ports/query', { desc: ['tenant.id', 'id'], fields: ['id', 'tenant'] }],
        ['POST', '/graphql', counts],
        ['GET', '/openapi.json'],
        ['GET', '/whoami'],
      ] as const
      const routes = [
        { path: '/apis/ports', methods: ['GET'] },
        { path: '/apis/ports/:id', methods: ['GET'] },
        { path: '/apis/ports/query', methods: ['POST'] },
        { path: '/graphql', methods: ['POST'] },
        { path: '/openapi.json', methods: ['GET'] },
        { path: '/whoami', methods: ['GET'] },
      ]
      const answersTo = async (token: string | null) => {
        const answers = []
        for (const [method, path, body] of calls) {
          const answer = await as(token)(method, path, body)
          const shown = answer.body as Json
          if (shown.requestId !== undefined) shown.requestId = 'one of each request'
          answers.push([path, answer.status, shown, answer.headers.get('etag')])
        }
        return answers
      }
      /** Without what the answers tell of what is public. */
      const plain = (answers: readonly Json[]) =>
        answers.map(([path, status, body, tag]) =>
          path === '/openapi.json' ? [status, Object.keys(body.paths)] : [path, status, body, tag],
        )

      test('takes nothing away', async () => {
        const all = { regex: '/apis/.*|/graphql|/openapi.json|/whoami', methods: ['GET', 'POST'] }
        const some = { ...all, rows: [{ key: 'id', op: 'in', val: ['p1', 'p3', 'a'] }] }
        const callers = [gateway.token, await join('reads-all', [all]), await join('reads-more', [all, some])]
        const before = await Promise.all(callers.map(answersTo))
        for (const answers of before)
          expect(answers.map(([, status]) => status)).toEqual(calls.map(() => 200))
        await withRoutes(routes, async () => {
          const after = await Promise.all(callers.map(answersTo))
          expect(after.map(plain)).toEqual(before.map(plain))
        })
        for (const [index, route] of routes.entries())
          await withRoutes([route], async () => {
            const after = await Promise.all(callers.map(answersTo))
            expect(after.map(plain), `route ${index}`).toEqual(before.map(plain))
          })
      })

      test('adds to what anyone has, who has no more than before', async () => {
        const without = await answersTo(null)
        expect(without.map(([, status]) => status)).toEqual(calls.map(() => 401))
        const onTenants = await join('of-tenants', [{ regex: '/apis/tenants', methods: ['GET'] }])
        const elsewhere = await join('of-metrics', [{ regex: '/metrics', methods: ['GET'] }])
        await withRoutes(routes.slice(0, 4), async () => {
          const anyones = await answersTo(null)
          const forbidden =
            'fields: "tenant" leads to records of Tenant, whose list the caller may not read: it takes a role that allows GET on /apis/tenants.'
          const unknown = (place: string) =>
            `${place} names the unknown field "tenant.id"; did you mean "tenantId".`
          expect(
            anyones
              .slice(0, 6)
              .map(([, status, body]) => [status, (body as Json).code, (body as Json).detail]),
          ).toEqual([
            [403, 'FIELD_NOT_ALLOWED', forbidden],
            [400, 'PARAMETER_INVALID', unknown('asc[0]')],
            [400, 'PARAMETER_INVALID', unknown('filters[0]')],
            [403, 'FIELD_NOT_ALLOWED', forbidden],
            [400, 'PARAMETER_INVALID', unknown('desc[0]')],
            [200, undefined, undefined],
          ])
          expect(anyones.slice(6)).toEqual(without.slice(6))
          for (const token of ['ght_unknown', 'ey.Jh.bGci'])
            expect((await answersTo(token)).slice(0, 6)).toEqual(anyones.slice(0, 6))
          expect((await answersTo(elsewhere)).slice(0, 6)).toEqual(anyones.slice(0, 6))
          const expected = (await answersTo(gateway.token)).slice(0, 6)
          expect((await answersTo(onTenants)).slice(0, 6)).toEqual(expected)
        })
      })
    })
  })

  test('with conditions a route opens nothing but records', () =>
    withRoutes(
      [
        { path: '/:page', methods: ['GET', 'POST'], rows: slow },
        { path: '/metrics', methods: ['GET'], fields: { read: ['id'] } },
      ],
      async () => {
        for (const path of ['/metrics', '/openapi.json', '/unknown', '/manage', '/apis/ports'])
          expect((await anyone('GET', path)).status).toBe(401)
        expect((await graphqlAs(null, '{ Port { totalCount } }')).data.Port.totalCount).toBe(3)
        await admin('DELETE', '/manage/routes/route-0')
        expect((await anyone('POST', '/graphql', { query: '{ Port { totalCount } }' })).status).toBe(401)
      },
    ))

  test('the most specific route decides, with its conditions', () =>
    withRoutes(
      [
        { path: '/apis/*', methods: ['GET'] },
        { path: '/apis/ports', methods: ['GET'], rows: slow },
        { path: '/apis/ports/p1', methods: ['GET'], scope: 'protected' },
      ],
      async () => {
        expect(idsIn(await anyone('GET', '/apis/ports?asc=id'))).toEqual(['p1', 'p2', 'p3'])
        expect((await anyone('GET', '/apis/ports/p5')).status).toBe(200)
        expect((await anyone('GET', '/apis/ports/p1')).status).toBe(401)
        expect(idsIn(await anyone('GET', '/apis/tenants?asc=id'))).toEqual(['a', 'b'])
      },
    ))

  test('OpenAPI and the list of tables describe what is open, and nothing else', () =>
    withRoutes([...reading, { path: '/openapi.json', methods: ['GET'] }], async () => {
      const document = (await anyone('GET', '/openapi.json')).body as Json
      expect(Object.keys(document.paths)).toEqual(['/apis/ports', '/apis/ports/query', '/apis/ports/{id}'])
      expect(document.paths['/apis/ports'].get.security).toEqual([])
      expect(Object.keys(document.components.schemas.Port.properties)).toEqual(shown.read)
      expect(JSON.stringify(document)).not.toMatch(/secret|"instance"/)
      const token = await join('described', [{ regex: '/whoami.*', methods: ['GET'] }])
      const tables = (await as(token)('GET', '/whoami/tables?whole=true')).body as Json
      expect(tables.map(({ name, fields }: Json) => [name, fields.map((one: Json) => one.name)])).toEqual([
        ['Port', shown.read],
      ])
      const access = {
        calls: [
          ['GET', '/apis/ports'],
          ['GET', '/apis/tenants'],
        ].map(([method, path]) => ({ method, path })),
      }
      const allowed = (await as(token)('POST', '/whoami/access', access)).body as Json
      expect(allowed.calls.map((call: Json) => call.allowed)).toEqual([true, false])
    }))

  describe('a route', () => {
    const write = async (route: object) => {
      const { status, body } = await admin('PUT', '/manage/routes/written', {
        scope: 'public',
        methods: ['GET'],
        ...route,
      })
      const { errors = [], warnings } = body as Json
      return { status, errors: errors.map(({ pointer }: Json) => pointer), warnings }
    }

    test('is kept and shown as it was written, in the audit, too', async () => {
      const route = {
        path: '/apis/ports',
        methods: ['GET', 'POST'],
        scope: 'public',
        rows: [[{ key: 'tenant.name', op: '==', val: 'x' }, ...slow]],
        fields: { read: ['id'], write: ['name'] },
        set: { tenantId: 'a' },
      }
      const put = await admin('PUT', '/manage/routes/kept', route)
      expect([put.status, put.body]).toEqual([201, { name: 'kept', ...route }])
      expect((await admin('GET', '/manage/routes/kept')).body).toEqual({ name: 'kept', ...route })
      const { rows: _, ...wider } = route
      expect((await admin('PUT', '/manage/routes/kept', wider)).body).toEqual({ name: 'kept', ...wider })
      expect((await admin('GET', '/manage/audit?record=route&name=kept')).body).toMatchObject([
        { action: 'changed', changes: { rows: { before: route.rows } } },
        { action: 'created', changes: { rows: { after: route.rows }, set: { after: route.set } } },
      ])
      await admin('DELETE', '/manage/routes/kept')
      expect((await anyone('GET', '/apis/ports')).status).toBe(401)
    })

    test('that names what no entity has is refused, with its place', async () => {
      const { status, errors } = await write({
        path: '/apis/ports',
        rows: [slow, { key: 'tenant.nam', op: '==', val: 1 }],
        fields: { read: ['id', 'nme'] },
        set: { tenan: 'x' },
      })
      expect([status, errors]).toEqual([422, ['/rows/1/key', '/fields/read/1', '/set/tenan']])
      const shapes = await write({
        path: '/apis/ports',
        rows: [{ key: 'a', op: 'like', val: 1 }],
        fields: { all: [] },
      })
      expect([shapes.status, shapes.errors]).toEqual([422, ['/rows/0/op', '/fields/all']])
      expect((await write({ path: '/apis/ports', scope: 'protected', rows: slow })).errors).toEqual(['/rows'])
      const target = 'http://127.0.0.1:3000'
      expect((await write({ path: '/shop/*', target, set: {} })).errors).toEqual(['/set'])
    })

    test('that grants nothing somewhere is warned of', async () => {
      expect((await write({ path: '/apis/:resource', rows: slow })).warnings).toEqual([
        'The route "written" names the field "speed", which Tenant does not have: it grants nothing there.',
      ])
      expect((await write({ path: '/metrics', rows: slow })).warnings).toEqual([
        'The route "written" opens nothing: with "rows" it is for records only, at /apis/... and /graphql, and it matches none of their paths.',
      ])
      expect((await write({ path: '/graphql/Port', rows: slow })).warnings).toEqual([
        'The route "written" opens nothing of /graphql: an entity is queried there by POST. Add the method POST.',
      ])
      expect((await write({ path: '/apis/ports', set: { speed: 1 } })).warnings).toEqual([
        'The route "written" has "set" without effect: with GET no record is written. Add POST, PUT or PATCH, or leave "set" out.',
      ])
      await admin('DELETE', '/manage/routes/written')
    })

    test('opens nothing where the entity has changed, and the upload and the log say so', async () => {
      const box = (name: string) => definition('Box', { local: [field(name, 'string')] })
      expect((await admin('POST', '/manage/entities', box('colour'))).status).toBe(201)
      await admin('POST', '/apis/boxes', { id: 'b1', colour: 'red' })
      const rows = [{ key: 'colour', op: '==', val: 'red' }]
      await withRoutes([{ path: '/apis/boxes', methods: ['GET'], rows }], async () => {
        expect(idsIn(await anyone('GET', '/apis/boxes'))).toEqual(['b1'])
        const changed = await admin('POST', '/manage/entities?allow_destructive=true', box('color'))
        const reason =
          'The route "route-0" names the field "colour", which Box does not have: it grants nothing there.'
        expect([changed.status, (changed.body as Json).warnings]).toEqual([201, [reason]])
        expect(gateway.events.filter(({ kind }) => kind === 'ConditionsUnfit')).toEqual([
          { kind: 'ConditionsUnfit', route: 'route-0', entity: 'Box', reason },
        ])
        expect((await anyone('GET', '/apis/boxes')).body).toEqual([])
      })
    })

    test('is explained, with the condition that a record fails', () =>
      withRoutes(reading, async () => {
        const token = await join('asked', [{ regex: '/apis/ports/p6', methods: ['GET'] }])
        const explain = async (path: string, row: string, account = 'asked') => {
          const query = new URLSearchParams({ account, method: 'GET', path, row })
          return (await admin('GET', `/manage/explain-access?${query}`)).body as Json
        }
        const { allowed, reason, scope, route } = await explain('/apis/ports', 'p5')
        expect({ allowed, reason, scope, route }).toEqual({
          allowed: true,
          reason: 'The public route "route-0" allows it to anyone, on the records that its conditions admit.',
          scope: 'public',
          route: {
            name: 'route-0',
            path: '/apis/ports',
            methods: ['GET'],
            ...catalogue,
            row: { admitted: false, failed: ['/rows/0'] },
          },
        })
        expect((await explain('/apis/ports', 'p3')).route.row).toEqual({ admitted: true, failed: [] })
        const own = await as(token)('GET', '/whoami/explain-access?method=GET&path=/apis/ports&row=p1')
        expect((own.body as Json).route).toEqual({ name: 'route-0', path: '/apis/ports', methods: ['GET'] })
        expect((await explain('/apis/ports/p6', 'p6')).reason).toBe(
          'The role "of-asked" allows it by /apis/ports/p6.',
        )
      }))
  })
})
