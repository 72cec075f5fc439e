/** Roles with conditions on rows and fields: what is reached, by every way, and what may be written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', {
  local: [field('name', 'string', { field_nullable: false }), field('plan', 'string')],
})
const port = definition('Port', {
  local: [
    field('name', 'string', { field_nullable: false }),
    field('secret', 'string'),
    field('speed', 'integer'),
    field('serial', 'string', { field_unique: true }),
  ],
  refs: [reference('tenantId', 'Tenant')],
})

interface Person {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  graphql(query: string, variables?: object): Promise<Json>
}

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  let admin: Person
  /** Sees and writes the ports of its tenant, without their secrets. */
  let member: Person

  const person = (token: string): Person => ({
    call: (method, path, body, headers = {}) =>
      gateway.request(method, path, { token, headers, ...(body === undefined ? {} : { body }) }),
    graphql: async (query, variables) =>
      (await gateway.request('POST', '/graphql', { body: { query, variables }, token })).body,
  })
  const join = async (username: string, authorities: readonly object[], metadata: object = {}) =>
    person(await logonAs(gateway, await createAccount(gateway, username, authorities, { metadata })))

  const ports = {
    regex: '/apis/ports(/.*)?|/graphql/Port',
    methods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
  }
  const ofTenant = [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }]
  const fields = { read: ['id', 'name', 'tenantId', 'speed'], write: ['id', 'name', 'speed'] }
  const own = { ...ports, rows: ofTenant, fields, set: { tenantId: { account: 'metadata.tenant' } } }

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    admin = person(gateway.token)
    expect((await admin.call('POST', '/manage/entities', [tenant, port])).status).toBe(201)
    member = await join('member', [own], { tenant: 'a' })
  })
  afterAll(() => gateway.close())

  /** The records that each test begins with. */
  const fill = async () => {
    for (const resource of ['ports', 'tenants']) {
      const { body } = await admin.call('GET', `/apis/${resource}`)
      for (const { id } of body as Json[]) await admin.call('DELETE', `/apis/${resource}/${id}`)
    }
    const tenants = ['a', 'b'].map((id) => ({ id, name: `Tenant ${id}`, plan: `plan ${id}` }))
    expect((await admin.call('POST', '/apis/tenants', tenants)).status).toBe(201)
    const records = Array.from({ length: 6 }, (_, index) => ({
      id: `p${index + 1}`,
      name: `port ${index + 1}`,
      secret: `secret ${index + 1}`,
      speed: index + 1,
      serial: `s${index + 1}`,
      tenantId: index % 2 === 0 ? 'a' : 'b',
    }))
    expect((await admin.call('POST', '/apis/ports', records)).status).toBe(201)
  }
  const mine = (id: string, name = `port ${id.slice(1)}`) => ({
    id,
    name,
    speed: Number(id.slice(1)),
    tenantId: 'a',
  })

  describe('reading', () => {
    beforeAll(fill)

    test('lists, totals and single records hold the rows and fields of the rule alone', async () => {
      const list = await member.call('GET', '/apis/ports?asc=id&count=true')
      expect(list.body).toEqual([mine('p1'), mine('p3'), mine('p5')])
      expect(list.headers.get('x-total-count')).toBe('3')
      expect((await member.call('GET', '/apis/ports/p3')).body).toEqual(mine('p3'))
      const hidden = await member.call('GET', '/apis/ports/p2')
      const absent = await member.call('GET', '/apis/ports/p9')
      expect([hidden.status, absent.status]).toEqual([404, 404])
      expect((hidden.body as Json).detail.replace('p2', 'p9')).toBe((absent.body as Json).detail)
      const posted = await member.call('POST', '/apis/ports/query', { desc: ['id'], limit: 2 })
      expect(posted.body).toEqual([mine('p5'), mine('p3')])
    })

    test('a field that is not given is unknown to filters, order and documents', async () => {
      for (const query of ['secret=x', 'asc=secret', 'filters=[{"key":"secret","op":"==","val":"x"}]']) {
        const real = await member.call('GET', `/apis/ports?${query}`)
        const invented = await member.call('GET', `/apis/ports?${query.replaceAll('secret', 'zzzzzz')}`)
        expect([real.status, invented.status]).toEqual([400, 400])
        expect((real.body as Json).detail.replaceAll('secret', 'zzzzzz')).toBe((invented.body as Json).detail)
      }
      expect((await member.call('GET', '/apis/ports?instance=x')).status).toBe(400)
    })

    test('GraphQL shows the same', async () => {
      const { data } = await member.graphql(
        '{ Port(asc: "id") { totalCount edges { node { id name speed tenantId } cursor } pageInfo { hasNextPage } } }',
      )
      expect(data.Port.totalCount).toBe(3)
      expect(data.Port.edges.map(({ node }: Json) => node)).toEqual([mine('p1'), mine('p3'), mine('p5')])
      const { errors } = await member.graphql('{ Port { edges { node { secret } } } }')
      expect(errors[0].message).toBe('Cannot query field "secret" on type "Port_".')
      const { schema } = (await member.call('GET', '/graphql')).body as Json
      expect(schema).not.toMatch(/secret|serial|Tenant_|instance|xname/)
      expect(schema).toMatch(/type Port_ /)
    })

    test('a row that is not reached is not found by its GlobalId', async () => {
      const all = await admin.graphql('{ Port(asc: "id") { edges { node { GlobalId } } } }')
      const found = await Promise.all(
        all.data.Port.edges.map(async ({ node: { GlobalId } }: Json) => {
          const { data } = await member.graphql(
            'query ($id: ID!) { node(GlobalId: $id) { ... on Port_ { name } } }',
            { id: GlobalId },
          )
          return data.node?.name ?? null
        }),
      )
      expect(found).toEqual(['port 1', null, 'port 3', null, 'port 5', null])
    })

    test('entity tags depend on visible fields alone', async () => {
      const tag = async () => (await member.call('GET', '/apis/ports/p1')).headers.get('etag')
      const before = await tag()
      await admin.call('PATCH', '/apis/ports/p1', { secret: 'another' })
      expect(await tag()).toBe(before)
      await admin.call('PATCH', '/apis/ports/p1', { secret: 'secret 1', speed: 1 })
      const { status } = await member.call('GET', '/apis/ports/p1', undefined, {
        'if-none-match': before ?? '',
      })
      expect(status).toBe(304)
    })

    test('rules follow references and see rows that the account does not', async () => {
      const planned = await join('planner', [
        { ...ports, methods: ['GET', 'POST'], rows: [{ key: 'tenant.plan', op: '==', val: 'plan b' }] },
      ])
      const { body } = await planned.call('GET', '/apis/ports?asc=id')
      expect((body as Json[]).map(({ id }) => id)).toEqual(['p2', 'p4', 'p6'])
      const { data } = await planned.graphql('{ Port(asc: "id") { edges { node { id } } } }')
      expect(data.Port.edges.map(({ node }: Json) => node.id)).toEqual(['p2', 'p4', 'p6'])
    })

    test('several authorities give cell by cell', async () => {
      const both = await join(
        'both',
        [
          { ...ports, methods: ['GET', 'POST'], fields: { read: ['id', 'name'] } },
          { ...ports, methods: ['GET', 'POST'], rows: ofTenant },
        ],
        { tenant: 'a' },
      )
      const { body } = await both.call('GET', '/apis/ports?asc=id')
      expect((body as Json[]).map(({ id, name, secret }) => [id, name, secret])).toEqual([
        ['p1', 'port 1', 'secret 1'],
        ['p2', 'port 2', null],
        ['p3', 'port 3', 'secret 3'],
        ['p4', 'port 4', null],
        ['p5', 'port 5', 'secret 5'],
        ['p6', 'port 6', null],
      ])
      const { data } = await both.graphql(
        '{ Port(desc: "secret", first: 4) { edges { node { id secret } cursor } } }',
      )
      const last = data.Port.edges.at(-1)
      expect(data.Port.edges.map(({ node }: Json) => node.secret)).toEqual([
        'secret 5',
        'secret 3',
        'secret 1',
        null,
      ])
      const rest = await both.graphql(
        'query ($after: String) { Port(desc: "secret", after: $after) { edges { node { secret } } } }',
        { after: last.cursor },
      )
      expect(rest.data.Port.edges.map(({ node }: Json) => node.secret)).toEqual([null, null])
      const guessed = await both.call('GET', '/apis/ports?secret=secret%202')
      expect(guessed.body).toEqual([])
      const filtered = await both.graphql('{ Port(secret: "secret 2") { totalCount } }')
      expect(filtered.data.Port.totalCount).toBe(0)
      const nulls = await both.call(
        'GET',
        '/apis/ports?filters=[{"key":"secret","op":"==","val":null}]&count=true',
      )
      expect(nulls.headers.get('x-total-count')).toBe('3')
    })

    test('an attribute that is missing or has another type admits no row', async () => {
      for (const [index, metadata] of [
        {},
        { tenant: null },
        { tenant: { a: 1 } },
        { tenant: ['a'] },
      ].entries()) {
        const nobody = await join(`nobody-${index}`, [own], metadata)
        expect((await nobody.call('GET', '/apis/ports')).body).toEqual([])
        expect((await nobody.graphql('{ Port { totalCount } }')).data.Port.totalCount).toBe(0)
      }
    })

    test('a rule that names a field which an entity does not have gives nothing there', async () => {
      const wide = await join('wide', [{ regex: '.*', methods: ['GET', 'POST'], rows: ofTenant }], {
        tenant: 'a',
      })
      expect(((await wide.call('GET', '/apis/ports')).body as Json[]).length).toBe(3)
      expect((await wide.call('GET', '/apis/tenants')).body).toEqual([])
      const { schema } = (await wide.call('GET', '/graphql')).body as Json
      expect(schema).not.toMatch(/Tenant_/)
      expect((await wide.call('GET', '/manage/accounts')).status).toBe(401)
      expect((await wide.call('GET', '/manage/roles')).status).toBe(401)
    })

    test('references and collections follow the rights on their target', async () => {
      const reader = await join(
        'reader',
        [
          { regex: '/graphql/Port', methods: ['POST'] },
          { regex: '/graphql/Tenant', methods: ['POST'], rows: [{ key: 'id', op: '==', val: 'a' }] },
        ],
        {},
      )
      const { data } = await reader.graphql(
        '{ Port(asc: "id", first: 2) { edges { node { tenantId tenant { name portCollection { totalCount } } } } } }',
      )
      expect(data.Port.edges.map(({ node }: Json) => node)).toEqual([
        { tenantId: 'a', tenant: { name: 'Tenant a', portCollection: { totalCount: 3 } } },
        { tenantId: 'b', tenant: null },
      ])
    })

    test('what no authority gives is unknown', async () => {
      const wide = await join('wide-reader', [{ regex: '.*', methods: ['GET'], rows: ofTenant }], {
        tenant: 'a',
      })
      for (const query of ['name=x', 'asc=name', 'filters=[{"key":"name","op":"==","val":"x"}]'])
        expect((await wide.call('GET', `/apis/tenants?${query}`)).status).toBe(400)
    })

    test('records whose other fields are masked are paged, and sorted by what is seen', async () => {
      const sees = await join(
        'sees-some',
        [
          { ...ports, methods: ['GET', 'POST'], fields: { read: ['id'] } },
          {
            ...ports,
            methods: ['GET', 'POST'],
            rows: ofTenant,
            fields: { read: ['id', 'instance', 'name'] },
          },
        ],
        { tenant: 'a' },
      )
      const first = await sees.call('GET', '/apis/ports?asc=name&first=2')
      const next = /<([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
      const { pathname, search } = new URL(next, gateway.url)
      const second = await sees.call('GET', `${pathname}${search}`)
      const records = [...(first.body as Json[]), ...(second.body as Json[])]
      expect(records.map(({ id, name }) => [id, name])).toEqual([
        ['p2', null],
        ['p4', null],
        ['p6', null],
        ['p1', 'port 1'],
      ])
      expect(records.map(({ instance }) => typeof instance)).toEqual(Array(4).fill('string'))
    })

    test('collections are paged where fields of their records are masked', async () => {
      const reader = await join(
        'collector',
        [
          { regex: '/graphql/Tenant', methods: ['POST'] },
          { regex: '/graphql/Port', methods: ['POST'], fields: { read: ['id', 'tenantId'] } },
          { regex: '/graphql/Port', methods: ['POST'], rows: ofTenant },
        ],
        { tenant: 'a' },
      )
      const { data } = await reader.graphql(
        '{ Tenant(asc: "id") { edges { node { portCollection(desc: "secret", first: 1) { edges { node { id } } } } } } }',
      )
      const shown = data.Tenant.edges.map(({ node }: Json) => node.portCollection.edges[0].node.id)
      expect(shown).toEqual(['p5', 'p2'])
    })

    test('an attribute that is missing in "set" admits no row either', async () => {
      for (const [index, metadata] of [{}, { tenant: { a: 1 } }].entries()) {
        const set = { tenantId: { account: 'metadata.tenant' } }
        const nobody = await join(`unset-${index}`, [{ ...ports, set }], metadata)
        expect((await nobody.call('GET', '/apis/ports')).body).toEqual([])
        expect((await nobody.graphql('{ Port { totalCount } }')).data.Port.totalCount).toBe(0)
      }
    })

    test('OpenAPI and the list of tables describe what is given, and nothing else', async () => {
      const reader = await join('described', [own, { regex: '/openapi.json|/whoami.*', methods: ['GET'] }], {
        tenant: 'a',
      })
      const document = (await reader.call('GET', '/openapi.json')).body as Json
      const { Port, 'Port.new': created, 'Port.change': changed } = document.components.schemas
      expect(Object.keys(Port.properties)).toEqual(['id', 'name', 'speed', 'tenantId'])
      expect(Object.keys(created.properties)).toEqual(['id', 'name', 'speed', 'tenantId'])
      expect(created.required).toEqual(['name'])
      expect(Object.keys(changed.properties)).toEqual(['id', 'name', 'speed', 'tenantId'])
      expect(JSON.stringify(document)).not.toMatch(/secret|serial|"instance"/)
      const tables = (await reader.call('GET', '/whoami/tables?whole=true')).body as Json
      expect(tables.map(({ name }: Json) => name)).toEqual(['Port'])
      const [{ fields: described, key, references }] = tables
      expect(described.map(({ name, read_only = false }: Json) => [name, read_only])).toEqual([
        ['id', false],
        ['name', false],
        ['speed', false],
        ['tenantId', true],
      ])
      expect([key, references]).toEqual([[], []])
    })

    test('a field that the rights set in new records is described as not asked for', async () => {
      const tenantId = { account: 'metadata.tenant' }
      const reader = await join(
        'described-by-method',
        [
          { ...own, methods: ['GET', 'POST'], set: { tenantId, name: 'given' } },
          {
            ...ports,
            methods: ['PATCH', 'PUT'],
            rows: ofTenant,
            fields: { write: ['id', 'name', 'speed', 'tenantId'] },
          },
          { regex: '/openapi.json|/whoami.*', methods: ['GET'] },
        ],
        { tenant: 'a' },
      )
      const { schemas } = ((await reader.call('GET', '/openapi.json')).body as Json).components
      const readOnlyIn = (name: string) =>
        Object.entries<Json>(schemas[name].properties).flatMap(([field, { readOnly }]) =>
          readOnly ? [field] : [],
        )
      expect(schemas['Port.new'].required).toBeUndefined()
      expect(readOnlyIn('Port.new')).toEqual(['name', 'tenantId'])
      expect(schemas['Port.new'].properties.tenantId.description).toMatch(/The rights of the account set it/)
      expect([schemas['Port.replacement'].required, readOnlyIn('Port.replacement')]).toEqual([['name'], []])
      const { fields: described } = (await reader.call('GET', '/whoami/tables/Port')).body as Json
      const marks = described.map(({ name, read_only, not_on_creation }: Json) => [
        name,
        read_only,
        not_on_creation,
      ])
      expect(marks).toEqual([
        ['id', undefined, undefined],
        ['name', undefined, true],
        ['speed', undefined, undefined],
        ['tenantId', undefined, true],
      ])
    })

    test('a field is required in a new record only if none of the rights sets it', async () => {
      const describing = { regex: '/openapi.json', methods: ['GET'] }
      const requiredBy = async (name: string, ...rights: readonly object[]) => {
        const reader = await join(name, [...rights, describing])
        const { schemas } = ((await reader.call('GET', '/openapi.json')).body as Json).components
        return ['Port.new', 'Port.replacement'].map((schema) => schemas[schema].required)
      }
      const plain = { ...ports, rows: [{ key: 'speed', op: '>', val: 5 }] }
      const setting = { ...ports, rows: [{ key: 'speed', op: '<', val: 5 }], set: { name: 'given' } }
      expect(await requiredBy('plain-alone', plain)).toEqual([['name'], ['name']])
      expect(await requiredBy('plain-and-setting', plain, setting)).toEqual([undefined, undefined])
    })

    test('a field that is written and not read is described apart', async () => {
      const fields = { read: ['id', 'name'], write: ['name', 'speed'] }
      const writer = await join('writes-unread', [
        { ...ports, fields },
        { regex: '/whoami.*', methods: ['GET'] },
      ])
      const { fields: read, unread_fields } = (await writer.call('GET', '/whoami/tables/Port')).body as Json
      const namesOf = (described: Json) => described.map(({ name }: Json) => name)
      expect([namesOf(read), namesOf(unread_fields)]).toEqual([['id', 'name'], ['speed']])
      const { data } = await writer.graphql('{ Port(first: 1, asc: "id") { edges { node { id name } } } }')
      expect(data.Port.edges).toHaveLength(1)
    })

    test('a record that can never be created is not offered', async () => {
      const describing = { regex: '/openapi.json|/whoami.*', methods: ['GET'] }
      const offeredBy = async (name: string, ...rights: readonly object[]) => {
        const reader = await join(name, [...rights, describing])
        const { paths } = (await reader.call('GET', '/openapi.json')).body as Json
        const { api } = (await reader.call('GET', '/whoami/tables/Port')).body as Json
        return [Object.keys(paths['/apis/ports']), api.list]
      }
      const nameless = { ...ports, methods: ['GET', 'POST'], fields: { write: ['id', 'speed'] } }
      expect(await offeredBy('nameless', nameless)).toEqual([['get'], ['GET']])
      const offered = [
        ['get', 'post'],
        ['GET', 'POST'],
      ]
      expect(await offeredBy('nameless-and-setting', { ...nameless, set: { name: 'given' } })).toEqual(
        offered,
      )
      const naming = { ...ports, methods: ['POST'], fields: { write: ['name'] } }
      expect(await offeredBy('nameless-and-naming', nameless, naming)).toEqual(offered)
      const onlyNaming = { ...ports, fields: { write: ['name'] } }
      expect(await offeredBy('only-naming', onlyNaming)).toEqual(offered)

      const creating = { ...nameless, regex: '/apis/ports', methods: ['POST'] }
      const creator = await join('only-creating', [creating, describing])
      const { body } = await creator.call('GET', '/openapi.json')
      expect([(body as Json).tags, (body as Json).paths]).toEqual([[], {}])
      expect((await creator.call('GET', '/openapi.json?entity=Port')).status).toBe(404)
      expect((await creator.call('GET', '/whoami/tables')).body).toEqual([])
      expect((await creator.call('GET', '/whoami/tables/Port')).status).toBe(404)
    })

    test('times are relative to now', async () => {
      const dated = definition('Visit', { local: [field('at', 'DateTime'), field('day', 'Date')] })
      expect((await admin.call('POST', '/manage/entities', dated)).status).toBe(201)
      const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)
      const visits = [1, 3, 30].map((days) => ({
        id: `${days}`,
        at: daysAgo(days),
        day: daysAgo(days).slice(0, 10),
      }))
      expect((await admin.call('POST', '/apis/visits', visits)).status).toBe(201)
      for (const key of ['at', 'day']) {
        const rows = [{ key, op: '>=', val: { now: '-P7D' } }]
        const recent = await join(`recent-${key}`, [
          { regex: '/apis/visits|/graphql/Visit', methods: ['GET', 'POST'], rows },
        ])
        const { body } = await recent.call('GET', '/apis/visits?asc=id')
        expect((body as Json[]).map(({ id }) => id)).toEqual(['1', '3'])
        const { data } = await recent.graphql('{ Visit(asc: "id") { edges { node { id } } } }')
        expect(data.Visit.edges.map(({ node }: Json) => node.id)).toEqual(['1', '3'])
      }
    })
  })

  describe('writing', () => {
    beforeAll(fill)

    test('creates a record of its own tenant, which the rule sets', async () => {
      const created = await member.call('POST', '/apis/ports', { id: 'n1', name: 'new', speed: 7 })
      expect([created.status, created.body]).toEqual([
        201,
        { id: 'n1', name: 'new', speed: 7, tenantId: 'a' },
      ])
      const same = await member.call('POST', '/apis/ports', { id: 'n2', name: 'new', tenantId: 'a' })
      expect(same.status).toBe(201)
      const other = await member.call('POST', '/apis/ports', { id: 'n3', name: 'new', tenantId: 'b' })
      expect([other.status, (other.body as Json).code]).toEqual([403, 'FIELD_NOT_ALLOWED'])
      const list = await member.call('POST', '/apis/ports', [
        { id: 'n4', name: 'one' },
        { id: 'n5', name: 'two', serial: 'mine' },
      ])
      expect(list.status).toBe(422)
      expect((list.body as Json).errors[0].pointer).toBe('/1/serial')
      expect((await admin.call('GET', '/apis/ports/n4')).status).toBe(404)
      for (const id of ['n1', 'n2'])
        expect((await member.call('DELETE', `/apis/ports/${id}`)).status).toBe(204)
    })

    test('changes what it may, and nothing else', async () => {
      const patched = await member.call('PATCH', '/apis/ports/p1', { name: 'mine', tenantId: 'a' })
      expect([patched.status, patched.body]).toEqual([200, mine('p1', 'mine')])
      const refusals: Json[] = []
      for (const body of [
        { tenantId: 'b' },
        { secret: 'x' },
        { secret: 'secret 1' },
        { zzzzzz: 'x' },
        { instance: 'x' },
      ]) {
        const { status, body: answer } = await member.call('PATCH', '/apis/ports/p1', body)
        refusals.push([status, (answer as Json).code, (answer as Json).errors[0].detail])
      }
      expect(refusals[0].slice(0, 2)).toEqual([403, 'FIELD_NOT_ALLOWED'])
      expect(refusals[1]).toEqual(refusals[2])
      expect(refusals[1].slice(0, 2)).toEqual(refusals[3].slice(0, 2))
      expect(refusals[1][2].replaceAll('secret', 'zzzzzz')).toBe(refusals[3][2])
      expect(refusals[4].slice(0, 2)).toEqual([422, 'RECORD_INVALID'])
      const hidden = await member.call('PATCH', '/apis/ports/p2', { name: 'x' })
      const absent = await member.call('PATCH', '/apis/ports/p9', { name: 'x' })
      expect([hidden.status, (hidden.body as Json).code]).toEqual([404, 'RECORD_NOT_FOUND'])
      expect((hidden.body as Json).detail.replace('p2', 'p9')).toBe((absent.body as Json).detail)
      expect((await member.call('DELETE', '/apis/ports/p2')).status).toBe(404)
      expect(((await admin.call('GET', '/apis/ports/p2')).body as Json).name).toBe('port 2')
    })

    test('PUT leaves the fields untouched that may not be written', async () => {
      const put = await member.call('PUT', '/apis/ports/p3', { name: 'put' })
      expect([put.status, put.body]).toEqual([200, { id: 'p3', name: 'put', speed: null, tenantId: 'a' }])
      const { secret, serial, tenantId } = (await admin.call('GET', '/apis/ports/p3')).body as Json
      expect([secret, serial, tenantId]).toEqual(['secret 3', 's3', 'a'])
    })

    test('If-Match takes the tag that the account read', async () => {
      const { headers } = await member.call('GET', '/apis/ports/p5')
      const tag = { 'if-match': headers.get('etag') ?? '' }
      await admin.call('PATCH', '/apis/ports/p5', { secret: 'changed' })
      expect((await member.call('PATCH', '/apis/ports/p5', { speed: 50 }, tag)).status).toBe(200)
      expect((await member.call('PATCH', '/apis/ports/p5', { speed: 51 }, tag)).status).toBe(412)
      const adminsTag = { 'if-match': (await admin.call('GET', '/apis/ports/p5')).headers.get('etag') ?? '' }
      expect((await member.call('PATCH', '/apis/ports/p5', { speed: 52 }, adminsTag)).status).toBe(412)
    })

    test('a record may be read and not written, and not leave the reach of the rule', async () => {
      const reads = { regex: '/apis/ports(/.*)?', methods: ['GET'] }
      const slow = [{ key: 'speed', op: '<=', val: 100 }]
      const writes = { regex: '/apis/ports/.*', methods: ['PATCH', 'DELETE'], rows: [...ofTenant, ...slow] }
      const careful = await join('careful', [reads, writes], { tenant: 'a' })
      const foreign = await careful.call('PATCH', '/apis/ports/p2', { name: 'x' })
      expect([foreign.status, (foreign.body as Json).code]).toEqual([403, 'ROW_NOT_ALLOWED'])
      const removed = await careful.call('DELETE', '/apis/ports/p2')
      expect([removed.status, (removed.body as Json).code]).toEqual([403, 'ROW_NOT_ALLOWED'])
      const away = await careful.call('PATCH', '/apis/ports/p1', { speed: 101 })
      expect([away.status, (away.body as Json).code]).toEqual([403, 'ROW_NOT_ALLOWED'])
      expect(((await admin.call('GET', '/apis/ports/p1')).body as Json).speed).toBe(1)
      const kept = await careful.call('PATCH', '/apis/ports/p1', { speed: 100 })
      expect(kept.status).toBe(200)
      expect((kept.body as Json).secret).toBe('secret 1')
      await admin.call('PATCH', '/apis/ports/p1', { speed: 1 })
    })

    test('a reference to a record that is not reached is refused like one to none', async () => {
      const editor = await join('editor', [
        {
          regex: '/apis/ports(/.*)?',
          methods: ['GET', 'PATCH'],
          fields: { read: ['id', 'name', 'tenantId'] },
        },
        { regex: '/apis/tenants(/.*)?', methods: ['GET'], rows: [{ key: 'id', op: '==', val: 'a' }] },
      ])
      const hidden = await editor.call('PATCH', '/apis/ports/p1', { tenantId: 'b' })
      const absent = await editor.call('PATCH', '/apis/ports/p1', { tenantId: 'z' })
      expect([hidden.status, absent.status]).toEqual([422, 422])
      const [one, other] = [hidden, absent].map(({ body }) => (body as Json).errors[0].detail)
      expect(one.replace('"b"', '"z"')).toBe(other)
      expect((await editor.call('PATCH', '/apis/ports/p2', { tenantId: 'a' })).status).toBe(200)
      await admin.call('PATCH', '/apis/ports/p2', { tenantId: 'b' })
    })

    test('a reference to a record that is not reached and a taken value are told together', async () => {
      const editor = await join('editor-of-two', [
        { regex: '/apis/ports(/.*)?', methods: ['GET', 'POST', 'PATCH'] },
        { regex: '/apis/tenants(/.*)?', methods: ['GET'], rows: [{ key: 'id', op: '==', val: 'a' }] },
      ])
      const mistakes = { serial: 's2', tenantId: 'b' }
      const answers = [
        await editor.call('POST', '/apis/ports', { id: 'p8', name: 'new', ...mistakes }),
        await editor.call('PATCH', '/apis/ports/p1', mistakes),
      ]
      for (const { status, body } of answers) {
        expect(status).toBe(422)
        expect((body as Json).errors).toEqual([
          { pointer: '/tenantId', detail: 'There is no Tenant whose id is "b".' },
          { pointer: '/serial', detail: 'Another Port has the serial "s2" already.' },
        ])
      }
    })

    test('the answer to a change shows a record whose other fields are masked', async () => {
      const both = await join(
        'patches-both',
        [
          { ...ports, fields: { read: ['id', 'name'] } },
          { ...ports, rows: ofTenant },
        ],
        { tenant: 'a' },
      )
      const { headers, body: seen } = await both.call('GET', '/apis/ports/p2')
      const tag = { 'if-match': headers.get('etag') ?? '' }
      const patched = await both.call('PATCH', '/apis/ports/p2', { name: 'port two' }, tag)
      const after = (await both.call('GET', '/apis/ports/p2')).body
      expect([patched.status, patched.body]).toEqual([200, after])
      expect((after as Json).id).toBe((seen as Json).id)
      await admin.call('PATCH', '/apis/ports/p2', { name: 'port 2' })
    })

    test('a reference follows rules that name a time', async () => {
      const timed = await join('timed', [
        { regex: '/apis/ports(/.*)?', methods: ['GET', 'PATCH'], fields: { read: ['id', 'tenantId'] } },
        {
          regex: '/apis/tenants(/.*)?',
          methods: ['GET'],
          rows: [{ key: 'name', op: '>', val: { now: 'P1D' } }],
        },
      ])
      expect((await timed.call('PATCH', '/apis/ports/p1', { tenantId: 'b' })).status).toBe(200)
      expect((await timed.call('PATCH', '/apis/ports/p1', { tenantId: 'a' })).status).toBe(200)
    })

    test('a record whose identifier is the name of a call is one like any other', async () => {
      await admin.call('POST', '/apis/ports', { id: 'query', name: 'of b', tenantId: 'b' })
      const reads = { regex: '/apis/ports(/.*)?', methods: ['GET'] }
      const writes = { regex: '/apis/ports/.*', methods: ['PATCH', 'DELETE'], rows: ofTenant }
      const writer = await join('names-a-call', [reads, writes], { tenant: 'a' })
      expect((await writer.call('GET', '/apis/ports/query')).status).toBe(200)
      expect((await writer.call('PATCH', '/apis/ports/query', { name: 'x' })).status).toBe(403)
      expect((await writer.call('DELETE', '/apis/ports/query')).status).toBe(403)
      expect(((await admin.call('GET', '/apis/ports/query')).body as Json).name).toBe('of b')
      await admin.call('DELETE', '/apis/ports/query')
    })

    test('an authority that sets a field lets be written what only it reaches', async () => {
      const plain = { ...ports, methods: ['PATCH'], rows: [{ key: 'id', op: '==', val: 'p2' }] }
      const setting = { ...ports, methods: ['PATCH'], rows: ofTenant, set: { speed: 1 } }
      const writer = await join('sets-speed', [plain, setting], { tenant: 'a' })
      const patched = await writer.call('PATCH', '/apis/ports/p1', { name: 'port 1' })
      expect([patched.status, patched.body]).toEqual([200, {}])
      expect((await writer.call('PATCH', '/apis/ports/p4', { name: 'x' })).status).toBe(404)
    })

    describe('a list whose records need different authorities', () => {
      const bySpeed = { ...ports, methods: ['POST'], rows: [{ key: 'speed', op: '>=', val: 100 }] }
      const setting = {
        ...ports,
        methods: ['GET', 'POST'],
        rows: ofTenant,
        set: { tenantId: { account: 'metadata.tenant' } },
      }
      const named = {
        ...ports,
        methods: ['POST'],
        rows: [{ key: 'secret', op: '==', val: 'set' }],
        fields: { write: ['id', 'name'] },
        set: { secret: 'set' },
      }
      const reads = { regex: '/apis/tenants', methods: ['GET'] }
      const stored = async (ids: readonly string[]) =>
        Promise.all(
          ids.map(async (id) => {
            const { body, status } = await admin.call('GET', `/apis/ports/${id}`)
            const { tenantId, secret } = body as Json
            return status === 200 ? [id, tenantId, secret] : [id, status]
          }),
        )
      const removed = (ids: readonly string[]) =>
        Promise.all(ids.map((id) => admin.call('DELETE', `/apis/ports/${id}`)))

      test('each is created by the first that lets it through', async () => {
        const mixed = await join('mixed', [named, setting, bySpeed, reads], { tenant: 'a' })
        const created = await mixed.call('POST', '/apis/ports', [
          { id: 'm1', name: 'fast', speed: 100 },
          { id: 'm2', name: 'slow', speed: 1 },
          { id: 'm3', name: 'named' },
          { id: 'm4', name: 'fast, of another', speed: 200, tenantId: 'b' },
          { id: 'm5', name: 'own', speed: 2, tenantId: 'a' },
        ])
        expect([created.status, (created.body as Json[]).map(({ id }) => id)]).toEqual([
          201,
          [undefined, 'm2', undefined, undefined, 'm5'],
        ])
        const ids = ['m1', 'm2', 'm3', 'm4', 'm5']
        expect(await stored(ids)).toEqual([
          ['m1', null, null],
          ['m2', 'a', null],
          ['m3', null, 'set'],
          ['m4', 'b', null],
          ['m5', 'a', null],
        ])
        await removed(ids)
      })

      test('one that none lets through is named, and nothing is created', async () => {
        const mixed = await join('mixed-refused', [bySpeed, setting], { tenant: 'a' })
        const list = [
          { id: 'm1', name: 'fast', speed: 100 },
          { id: 'm2', name: 'slow', speed: 1 },
          { id: 'm3', name: 'slow, of another', speed: 1, tenantId: 'b' },
        ]
        const refused = await mixed.call('POST', '/apis/ports', list)
        const { code, errors } = refused.body as Json
        expect([refused.status, code, errors.map(({ pointer }: Json) => pointer)]).toEqual([
          403,
          'FIELD_NOT_ALLOWED',
          ['/2/tenantId'],
        ])
        const tried = await mixed.call('POST', '/apis/ports?dry_run=true', list.slice(0, 2))
        expect([tried.status, (tried.body as Json[]).length]).toEqual([200, 2])
        expect(await stored(['m1', 'm2', 'm3'])).toEqual([
          ['m1', 404],
          ['m2', 404],
          ['m3', 404],
        ])
      })

      test('a reference that only the rule may lead there is checked by record', async () => {
        const sets = { tenantId: 'b' }
        const mixed = await join(
          'mixed-references',
          [
            { ...bySpeed, methods: ['GET', 'POST'] },
            { ...ports, methods: ['POST'], rows: [{ key: 'tenantId', op: '==', val: 'b' }], set: sets },
            { regex: '/apis/tenants', methods: ['GET'], rows: [{ key: 'id', op: '==', val: 'a' }] },
          ],
          { tenant: 'a' },
        )
        const lists = [
          [
            { id: 'm1', name: 'fast', speed: 100, tenantId: 'a' },
            { id: 'm2', name: 'set', speed: 1 },
          ],
          [
            { id: 'm3', name: 'fast', speed: 100, tenantId: 'z' },
            { id: 'm4', name: 'set', speed: 1 },
          ],
        ]
        const answers = []
        for (const list of lists) answers.push((await mixed.call('POST', '/apis/ports', list)).status)
        expect(answers).toEqual([201, 403])
        expect(await stored(['m1', 'm2', 'm3'])).toEqual([
          ['m1', 'a', null],
          ['m2', 'b', null],
          ['m3', 404],
        ])
        await removed(['m1', 'm2'])
      })
    })

    test('a reference to a record that is not reached is refused, whatever another authority sets', async () => {
      const plain = { ...ports, methods: ['GET', 'PATCH'], rows: [{ key: 'id', op: '==', val: 'p1' }] }
      const setting = {
        ...ports,
        methods: ['PATCH'],
        rows: [{ key: 'id', op: '==', val: 'p3' }],
        set: { tenantId: 'b' },
      }
      const tenants = { regex: '/apis/tenants', methods: ['GET'], rows: [{ key: 'id', op: '==', val: 'a' }] }
      const writer = await join('refers', [plain, setting, tenants])
      const hidden = await writer.call('PATCH', '/apis/ports/p1', { tenantId: 'b' })
      const absent = await writer.call('PATCH', '/apis/ports/p1', { tenantId: 'z' })
      expect([hidden.status, absent.status]).toEqual([422, 422])
    })

    test('fields that the account does not know of get their defaults', async () => {
      const lamp = definition('Lamp', {
        local: [
          field('name', 'string'),
          field('state', 'string', { field_default: '"off"', field_nullable: false }),
          field('serial', 'string', { field_nullable: false }),
        ],
      })
      expect((await admin.call('POST', '/manage/entities', lamp)).status).toBe(201)
      const lamps = { regex: '/apis/lamps(/.*)?', methods: ['GET', 'POST'] }
      const some = await join('lamps', [{ ...lamps, fields: { read: ['id', 'name', 'serial'] } }])
      expect((await some.call('POST', '/apis/lamps', { id: 'l1', name: 'a', serial: 's' })).status).toBe(201)
      expect((await admin.call('GET', '/apis/lamps/l1')).body).toMatchObject({ state: 'off' })
      const fewer = await join('few-lamps', [{ ...lamps, fields: { read: ['id', 'name'] } }])
      const refused = await fewer.call('POST', '/apis/lamps', { id: 'l2', name: 'b' })
      expect([refused.status, (refused.body as Json).errors]).toEqual([
        422,
        [
          {
            pointer: '',
            detail: 'The rights of the caller do not give such a record all that it needs.',
          },
        ],
      ])
    })

    test('PUT keeps a required field that is hidden on the record', async () => {
      const writes = { fields: { read: ['id', 'speed'], write: ['name', 'speed'] } }
      const masked = await join(
        'masked-required',
        [
          { ...ports, methods: ['GET', 'PUT'], ...writes },
          { ...ports, methods: ['GET'], rows: ofTenant },
        ],
        { tenant: 'a' },
      )
      const seen = (await masked.call('GET', '/apis/ports/p2')).body as Json
      expect([seen.id, seen.name]).toEqual(['p2', null])
      expect((await masked.call('PUT', '/apis/ports/p2', { speed: 20 })).status).toBe(200)
      const { name, speed } = (await admin.call('GET', '/apis/ports/p2')).body as Json
      expect([name, speed]).toEqual(['port 2', 20])
      expect((await masked.call('PUT', '/apis/ports/p2', { speed: 2, name: 'port 2' })).status).toBe(200)
      // Where it is seen, leaving it out is a mistake.
      const { status, body } = await masked.call('PUT', '/apis/ports/p1', { speed: 1 })
      expect([status, (body as Json).errors[0].pointer]).toEqual([422, '/name'])
    })

    test('a field is set only in a record that the authority admits', async () => {
      const set = { name: 'named by a rule' }
      const creator = await join('names', [
        { ...ports, methods: ['POST'], fields: { write: ['id'] } },
        { ...ports, methods: ['POST'], rows: [{ key: 'id', op: '==', val: 'n1' }], set },
      ])
      expect((await creator.call('POST', '/apis/ports', { id: 'n2' })).status).toBe(403)
      expect((await admin.call('GET', '/apis/ports/n2')).status).toBe(404)
      expect((await creator.call('POST', '/apis/ports', { id: 'n1' })).status).toBe(201)
      await admin.call('DELETE', '/apis/ports/n1')
    })

    test('a hidden reference cannot be guessed by writing it', async () => {
      const guesser = await join('guesser', [
        {
          regex: '/apis/ports(/.*)?',
          methods: ['GET', 'PATCH'],
          fields: { read: ['id'], write: ['tenantId'] },
        },
        { regex: '/apis/tenants(/.*)?', methods: ['GET'], rows: [{ key: 'id', op: '==', val: 'a' }] },
      ])
      const [right, wrong] = [
        await guesser.call('PATCH', '/apis/ports/p2', { tenantId: 'b' }),
        await guesser.call('PATCH', '/apis/ports/p2', { tenantId: 'z' }),
      ]
      expect([right.status, wrong.status]).toEqual([422, 422])
      // Null is what it would see of the field on a record where it may not.
      const patched = await guesser.call('PATCH', '/apis/ports/p2', { id: 'p2' })
      expect(patched.status).toBe(200)
    })

    test('null for a field that is hidden on a record leaves it as it is', async () => {
      const writes = { fields: { read: ['id'], write: ['tenantId', 'secret'] } }
      const masked = await join(
        'masked',
        [
          { regex: '/apis/ports(/.*)?', methods: ['GET', 'PATCH'], ...writes },
          { regex: '/apis/ports(/.*)?', methods: ['GET'], rows: ofTenant },
        ],
        { tenant: 'a' },
      )
      const patched = await masked.call('PATCH', '/apis/ports/p4', { tenantId: null, secret: null })
      expect(patched.status).toBe(200)
      const { secret, tenantId } = (await admin.call('GET', '/apis/ports/p4')).body as Json
      expect([secret, tenantId]).toEqual(['secret 4', 'b'])
    })

    test('a taken value is a conflict that does not name the record', async () => {
      const writer = await join(
        'writer',
        [{ ...ports, rows: ofTenant, set: { tenantId: { account: 'metadata.tenant' } } }],
        { tenant: 'a' },
      )
      const taken = await writer.call('POST', '/apis/ports', { id: 'n9', name: 'new', serial: 's2' })
      expect([taken.status, (taken.body as Json).code]).toEqual([409, 'VALUE_NOT_UNIQUE'])
      expect(JSON.stringify(taken.body)).not.toMatch(/p2|port 2/)
    })

    test('a dry run is refused as the call is, and a replay is answered as before', async () => {
      expect(
        (await member.call('POST', '/apis/ports?dry_run=true', { name: 'x', tenantId: 'b' })).status,
      ).toBe(403)
      const tried = await member.call('POST', '/apis/ports?dry_run=true', { id: 'd1', name: 'x' })
      expect([tried.status, tried.body]).toEqual([200, { id: 'd1', name: 'x', speed: null, tenantId: 'a' }])
      const key = { 'idempotency-key': 'a-key-of-the-member' }
      const first = await member.call('POST', '/apis/ports', { id: 'd2', name: 'x' }, key)
      const second = await member.call('POST', '/apis/ports', { id: 'd2', name: 'x' }, key)
      expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    })

    test('who writes without reading is shown nothing of the record', async () => {
      const blind = await join('blind', [
        { regex: '/apis/ports', methods: ['POST'], fields: { write: ['id', 'name'] } },
      ])
      const created = await blind.call('POST', '/apis/ports', { id: 'b1', name: 'blind' })
      expect([created.status, created.body]).toEqual([201, {}])
      for (const name of ['secret', 'zzzzzz']) {
        const unknown = await blind.call('POST', '/apis/ports', { id: 'b2', name: 'x', [name]: 'x' })
        expect([unknown.status, (unknown.body as Json).code]).toEqual([422, 'RECORD_INVALID'])
      }
      expect((await blind.call('GET', '/apis/ports')).status).toBe(401)
      expect((await blind.call('POST', '/apis/ports/query', {})).status).toBe(401)
    })
  })

  describe('roles', () => {
    const write = async (authority: object) => {
      const { status, body } = await admin.call('PUT', '/manage/roles/checked', { authorities: [authority] })
      return { status, errors: (body as Json).errors, warnings: (body as Json).warnings }
    }

    test('a name that no entity of the authority has is refused, with its place', async () => {
      const { status, errors } = await write({
        ...ports,
        rows: [
          [
            { key: 'tenant.nam', op: '==', val: 1 },
            { key: 'tenantId', op: '==', val: 'a' },
          ],
        ],
        fields: { read: ['id', 'nme'] },
        set: { tenan: 'x' },
      })
      expect(status).toBe(422)
      expect(errors.map(({ pointer }: Json) => pointer)).toEqual([
        '/authorities/0/rows/0/0/key',
        '/authorities/0/fields/read/1',
        '/authorities/0/set/tenan',
      ])
      expect(errors[1].detail).toBe(
        'Port has no field "nme"; did you mean "name". Use the name of a column, or a path such as tenant.name.',
      )
    })

    test('a name that only some entities have is warned of', async () => {
      const { status, warnings } = await write({
        regex: '/apis/.*',
        methods: ['GET'],
        rows: [{ key: 'tenantId', op: '==', val: 'a' }],
      })
      expect(status).toBe(201)
      expect(warnings).toEqual([
        expect.stringMatching(/names the field "tenantId", which .*Tenant.* does not have/),
      ])
    })

    test('an entity that changes under a rule fails closed, and the upload and the log say so', async () => {
      const box = (name: string) => definition('Box', { local: [field(name, 'string')] })
      expect((await admin.call('POST', '/manage/entities', box('colour'))).status).toBe(201)
      await admin.call('POST', '/apis/boxes', { id: 'b1', colour: 'red' })
      const rows = [{ key: 'colour', op: '==', val: 'red' }]
      const painter = await join('painter', [
        { regex: '/apis/boxes|/graphql/Box', methods: ['GET', 'POST'], rows },
      ])
      expect((await painter.call('GET', '/apis/boxes')).body).toMatchObject([{ id: 'b1' }])
      const path = '/manage/entities?allow_destructive=true'
      const changed = await admin.call('POST', path, box('color'))
      const warning =
        'The authority "/apis/boxes|/graphql/Box" of the role "of-painter" names the field "colour", which Box does not have: it grants nothing there.'
      expect([changed.status, (changed.body as Json).warnings]).toEqual([201, [warning]])
      expect(gateway.events.filter((event) => 'role' in event && event.role === 'of-painter')).toEqual([
        { kind: 'ConditionsUnfit', role: 'of-painter', entity: 'Box', reason: warning },
      ])
      expect((await painter.call('GET', '/apis/boxes')).body).toEqual([])
      expect((await painter.graphql('{ Box { totalCount } }')).errors[0].message).toMatch(
        /Cannot query field "Box"/,
      )
    })

    test('explain-access says which condition a record fails', async () => {
      await fill()
      const slow = { key: 'speed', op: '<=', val: 3 }
      await join('explained', [{ ...ports, rows: [...ofTenant, slow] }], { tenant: 'a' })
      const explain = async (row: string, path = '/apis/ports') => {
        const query = new URLSearchParams({ account: 'explained', method: 'GET', path, row })
        const { status, body } = await admin.call('GET', `/manage/explain-access?${query}`)
        return status === 200 ? (body as Json).roles[0].authorities[0].row : status
      }
      expect(await explain('p1')).toEqual({ admitted: true, failed: [] })
      expect(await explain('p2')).toEqual({ admitted: false, failed: ['/rows/0'] })
      expect(await explain('p6')).toEqual({ admitted: false, failed: ['/rows/0', '/rows/1'] })
      expect(await explain('p5', '/apis/ports/p5')).toEqual({ admitted: false, failed: ['/rows/1'] })
      expect([await explain('zz'), await explain('p1', '/manage/roles')]).toEqual([404, 400])
      const explained = async (conditions: object) => {
        await admin.call('PUT', '/manage/roles/of-explained', {
          authorities: [{ ...ports, ...conditions }],
        })
        return explain('p1')
      }
      const missing = { tenantId: { account: 'metadata.other' }, name: 'x' }
      expect(await explained({ fields: { read: ['id'] } })).toEqual({ admitted: true, failed: [] })
      expect(await explained({ rows: ofTenant, set: missing })).toEqual({
        admitted: false,
        failed: ['/set/tenantId'],
      })
      const mistyped = [{ key: 'speed', op: '==', val: { account: 'metadata.tenant' } }]
      expect(await explained({ rows: mistyped })).toEqual({ admitted: false, failed: ['/rows/0'] })
    })

    test('explain-access says what an account lacks', async () => {
      const set = { tenantId: { account: 'metadata.tenant' }, speed: 1 }
      await join('lacking', [
        { ...ports, set },
        { ...ports, rows: ofTenant, fields: { write: ['speed'] } },
      ])
      const query = new URLSearchParams({ account: 'lacking', method: 'GET', path: '/apis/ports', row: 'p1' })
      const { body } = await admin.call('GET', `/manage/explain-access?${query}`)
      expect((body as Json).roles[0].authorities.map(({ row }: Json) => row)).toEqual([
        { admitted: false, failed: ['/set/tenantId'] },
        { admitted: false, failed: ['/rows/0'] },
      ])
    })

    test('an account asks which conditions a record meets that it reads, and is told nothing of others', async () => {
      await fill()
      const [id] = ['id', 'name', 'tenantId'].map((key) => ({ key, op: '>', val: 'p1' }))
      const asking = await join(
        'asking',
        [
          { ...ports, rows: ofTenant, fields: { read: ['id', 'name', 'tenantId'] } },
          { ...ports, rows: [id] },
          { ...ports, rows: [{ key: 'secret', op: '==', val: 'secret 1' }] },
          { ...ports, rows: [{ key: 'tenant.plan', op: '==', val: 'plan a' }] },
        ],
        { tenant: 'a' },
      )
      const ask = async (row: string, path = '/apis/ports') => {
        const query = new URLSearchParams({ method: 'GET', path, row })
        const { status, body } = await asking.call('GET', `/whoami/explain-access?${query}`)
        return status === 200
          ? (body as Json).roles[0].authorities.map((one: Json) => one.row ?? null)
          : [status, (body as Json).detail]
      }
      const admitted = { admitted: true, failed: [] }
      const failing = { admitted: false, failed: ['/rows/0'] }
      // The secret is null in some records: what a condition says of it could tell its value.
      expect(await ask('p3')).toEqual([admitted, admitted, null, null])
      expect(await ask('p1', '/apis/ports/p1')).toEqual([admitted, failing, null, null])
      expect(await ask('p2', '/graphql/Port')).toEqual([failing, admitted, null, null])
      const narrow = await join('narrow', [own], { tenant: 'a' })
      const details = []
      for (const row of ['p2', 'p9']) {
        const query = new URLSearchParams({ method: 'PATCH', path: '/apis/ports', row })
        const { status, body } = await narrow.call('GET', `/whoami/explain-access?${query}`)
        details.push([status, (body as Json).detail.replace(row, 'row')])
      }
      expect(details[0]).toEqual(details[1])
      expect(details[0]?.[0]).toBe(404)
      const blind = await join('asks-blindly', [{ ...ports, methods: ['PATCH'] }])
      const query = new URLSearchParams({ method: 'PATCH', path: '/apis/ports/p1', row: 'p1' })
      expect((await blind.call('GET', `/whoami/explain-access?${query}`)).status).toBe(404)
    })

    test('an authority about entities that come later is not judged', async () => {
      const rows = [{ key: 'anything', op: '==', val: 1 }]
      expect((await write({ regex: '/apis/later', methods: ['GET'], rows })).status).toBe(200)
    })
  })

  test('a changed role takes effect on the next request', async () => {
    await fill()
    await admin.call('PUT', '/manage/roles/of-member', { authorities: [{ ...own, rows: [] }] })
    expect(((await member.call('GET', '/apis/ports')).body as Json[]).length).toBe(6)
    expect((await member.graphql('{ Port { totalCount } }')).data.Port.totalCount).toBe(6)
    await admin.call('PUT', '/manage/roles/of-member', { authorities: [own] })
    expect(((await member.call('GET', '/apis/ports')).body as Json[]).length).toBe(3)
    expect((await member.graphql('{ Port { totalCount } }')).data.Port.totalCount).toBe(3)
  })

  test('10,000 records take no more transactions than there are authorities', async () => {
    const mixed = await join(
      'mixed-many',
      [
        { ...ports, methods: ['POST'], rows: [{ key: 'speed', op: '>=', val: 100 }] },
        { ...own, fields: undefined },
      ],
      { tenant: 'a' },
    )
    const list = Array.from({ length: 10_000 }, (_, index) => ({
      id: `many${index}`,
      name: 'many',
      speed: index % 2 === 0 ? 100 : 1,
    }))
    const began = gateway.events.length
    expect((await mixed.call('POST', '/apis/ports', list)).status).toBe(201)
    expect(gateway.events.slice(began).filter((event) => 'error' in event)).toEqual([])
    const set = await admin.call('GET', '/apis/ports?name=many&tenantId=a&limit=1&count=true')
    const all = await admin.call('GET', '/apis/ports?name=many&limit=1&count=true')
    expect([set, all].map(({ headers }) => headers.get('x-total-count'))).toEqual(['5000', '10000'])
  })
})
