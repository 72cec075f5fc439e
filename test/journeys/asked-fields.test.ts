/** The parameter `fields` of published APIs: which fields a response shows, of records and of those that belong to them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct, products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
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
  local: [
    field('name', 'string'),
    field('speed', 'integer'),
    field('isActive', 'boolean'),
    field('tags', 'array'),
    field('meta', 'object'),
    field('price', 'decimal'),
    field('since', 'DateTime'),
  ],
  refs: [reference('tenantId', 'Tenant'), reference('uplinkId', 'Port')],
})
const form = definition('Form', {
  local: [field('fields', 'string'), field('fields_', 'integer')],
  refs: [reference('tenantId', 'Tenant')],
})

const countries = [
  { id: 'fi', name: 'Finland' },
  { id: 'jp', name: '日本' },
]
const tenants = [
  { id: 'a', name: 'Alder', plan: 'gold', countryId: 'fi' },
  { id: 'b', name: 'Birch', plan: 'free', countryId: 'jp' },
  { id: 'c', name: 'Cedar', plan: null, countryId: null },
]
const empty = { speed: null, isActive: null, tags: null, meta: null, price: null, since: null }
const ports = [
  {
    ...empty,
    id: 'p1',
    name: 'north',
    speed: 10,
    isActive: true,
    tags: ['x', 2],
    meta: { a: { b: null } },
    price: '12.5',
    since: '2026-01-31T09:30:00',
    tenantId: 'a',
    uplinkId: null,
  },
  { ...empty, id: 'p2', name: 'sou"th', tenantId: 'a', uplinkId: 'p1' },
  { ...empty, id: 'p3', name: 'east', isActive: false, tags: [], meta: {}, tenantId: 'b', uplinkId: 'p2' },
  { ...empty, id: 'p4', name: 'lost', tenantId: null, uplinkId: 'p1' },
]

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway

  async function get(path: string, token: string | null = gateway.token, headers: Json = {}) {
    const { status, body, headers: got } = await gateway.request('GET', path, { token, headers })
    return { status, body: body as Json, headers: got }
  }
  const shown = async (path: string, token?: string | null) => {
    const { status, body } = await get(path, token)
    return status === 200 ? body : [status, body.code, body.detail]
  }
  const refused = (detail: unknown, status = 400, code = 'PARAMETER_INVALID') => [status, code, detail]
  const join = async (username: string, authorities: readonly object[], metadata: object = {}) =>
    logonAs(gateway, await createAccount(gateway, username, authorities, { metadata }))
  const reader = (resource: string) => ({
    regex: `/apis/${resource}(/.*)?`,
    methods: ['GET', 'POST', 'PATCH'],
  })
  const is = (key: string, val: unknown) => ({ key, op: '==', val })

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const create = async (path: string, body: unknown) =>
      expect((await gateway.request('POST', path, { body })).status, path).toBe(201)
    await create('/manage/entities', [country, tenant, port, form])
    await create('/apis/countries', countries)
    await create('/apis/tenants', tenants)
    await create('/apis/ports', ports)
    await create('/apis/forms', [{ id: 'f', fields: 'id', fields_: 7, tenantId: 'a' }])
  })
  afterAll(() => gateway.close())

  test('chooses fields, in the order in which they are asked for', async () => {
    expect(await shown('/apis/ports?fields=name,id&asc=id')).toEqual(
      ports.map(({ id, name }) => ({ name, id })),
    )
    const { body } = await gateway.request('GET', '/apis/ports/p1?fields=name,id&fields=name')
    expect(JSON.stringify(body)).toBe('{"name":"north","id":"p1"}')
    const [whole] = await shown('/apis/ports?id=p1')
    expect(await shown('/apis/ports?id=p1&fields=*')).toEqual([whole])
    expect(await shown('/apis/ports/p1?fields=*')).toEqual(whole)
    expect(whole).toMatchObject(ports[0] as Json)
    const values = ['speed', 'isActive', 'tags', 'meta', 'price', 'since'] as const
    const chosen = (from: Json) => Object.fromEntries(values.map((name) => [name, from[name]]))
    expect(await shown(`/apis/ports?asc=id&fields=${values}`)).toEqual(ports.map(chosen))
  })

  test('follows references and collections', async () => {
    const fields = 'id,tenant.name,tenant.country.name,tenant.portCollection.id,portCollection.name,port.meta'
    const tenantOf = (id: string | null) => {
      const found = tenants.find((one) => one.id === id)
      if (found === undefined) return null
      const { countryId } = found
      return {
        name: found.name,
        country: countryId && { name: countries.find((one) => one.id === countryId)?.name },
        portCollection: ports.filter((one) => one.tenantId === id).map((one) => ({ id: one.id })),
      }
    }
    const expected = ports.map(({ id, tenantId, uplinkId }) => {
      const uplink = ports.find((one) => one.id === uplinkId)
      return {
        id,
        tenant: tenantOf(tenantId),
        portCollection: ports.filter((one) => one.uplinkId === id).map(({ name }) => ({ name })),
        port: uplink === undefined ? null : { meta: uplink.meta },
      }
    })
    expect(await shown(`/apis/ports?asc=id&fields=${fields}`)).toEqual(expected)
    for (const [index, { id }] of ports.entries())
      expect(await shown(`/apis/ports/${id}?fields=${fields}`)).toEqual(expected[index])
    const { body } = await gateway.request('POST', '/apis/ports/query', {
      body: { asc: 'id', fields: fields.split(',') },
    })
    expect(body).toEqual(expected)
    expect(await shown(`/apis/ports?last=2&fields=${fields}`)).toEqual(expected.slice(2))
    const [alder] = await shown('/apis/tenants?id=a')
    expect(await shown('/apis/ports/p1?fields=tenant')).toEqual({ tenant: alder })
    expect(await shown('/apis/tenants/c?fields=name,portCollection')).toEqual({
      name: 'Cedar',
      portCollection: [],
    })
  })

  test('keeps the fields in the links of pages', async () => {
    for (const size of ['limit=3', 'first=3&desc=tenant.name']) {
      const { body, headers } = await get(`/apis/ports?${size}&fields=id,tenant.name`)
      const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.replace(gateway.url, '')
      expect(body).toHaveLength(3)
      expect(next).toContain('fields=id%2Ctenant.name')
      const rest = await get(next ?? '')
      expect(rest.body).toHaveLength(1)
      expect(Object.keys(rest.body[0])).toEqual(['id', 'tenant'])
    }
  })

  test('takes one statement for each level, whatever the number of records', async () => {
    const statements = async (path: string) => {
      const before = gateway.events.length
      expect((await get(path)).status).toBe(200)
      return gateway.events
        .slice(before)
        .filter((event) => event.kind === 'StatementRun' && event.cause?.startsWith('GET /apis/')).length
    }
    expect(await statements('/apis/ports?fields=id,name')).toBe(1)
    expect(await statements('/apis/ports?fields=id,tenant.name,tenant.id')).toBe(2)
    const four = 'fields=tenant.name,tenant.country.id,portCollection.id'
    expect(await statements(`/apis/ports?limit=1&${four}`)).toBe(4)
    expect(await statements(`/apis/ports?${four}`)).toBe(4)
    expect(await statements(`/apis/ports?${four}&count=true`)).toBe(5)
    expect(await statements(`/apis/ports/p1?${four}`)).toBe(4)
  })

  test('the tag is that of the whole record, whatever is shown', async () => {
    const whole = await get('/apis/ports/p2')
    const tag = whole.headers.get('etag') as string
    const some = await get('/apis/ports/p2?fields=name')
    expect([some.headers.get('etag'), some.body]).toEqual([tag, { name: 'sou"th' }])
    expect((await get('/apis/ports/p2?fields=name', undefined, { 'if-none-match': tag })).status).toBe(304)
    // The tag says nothing of related records.
    const related = await get('/apis/ports/p2?fields=tenant.plan', undefined, { 'if-none-match': tag })
    expect([related.status, related.headers.get('etag'), related.body]).toEqual([
      200,
      tag,
      { tenant: { plan: 'gold' } },
    ])
    expect((await get('/apis/ports/p2?fields=name', undefined, { 'if-match': '"x"' })).status).toBe(412)
    const patch = (ifMatch: string) =>
      gateway.request('PATCH', '/apis/ports/p2', { body: { speed: 5 }, headers: { 'if-match': ifMatch } })
    const changed = await patch(some.headers.get('etag') as string)
    expect([changed.status, (await patch(tag)).status]).toEqual([200, 412])
    await gateway.request('PATCH', '/apis/ports/p2', { body: { speed: null } })
  })

  test.each([
    ['ports?fields=', /^fields takes names of fields, such as id or tenant.name; at least one\.$/],
    ['ports?fields=,%20,', /at least one/],
    ['ports?fields=nam', /^fields names the unknown field "nam"; did you mean "name"\.$/],
    ['ports/p1?fields=id,tenant.nam', /names the unknown field "tenant.nam"; did you mean "tenant.name"/],
    ['ports/p1?fields=tenan.name', /names the unknown field "tenan.name"; did you mean "tenant"/],
    ['ports?fields=name.x', /names the unknown field "name.x"/],
    ['ports?fields=tenant..name', /names the unknown field "tenant..name"/],
    ['ports?fields=.', /names the unknown field "."/],
    ['ports?fields=GlobalId', /names the unknown field "GlobalId"/],
    [
      `ports?fields=${'port.'.repeat(8)}id`,
      /^fields has more than 8 names, which is the limit for a path\.$/,
    ],
    [`ports/p1?fields=${'port.'.repeat(300)}id`, /has more than 8 names/],
    [`ports?fields=${Array(1001).fill('id')}`, /takes at most 1000 names/],
    [
      'ports/p1?field=id',
      /takes the query parameter fields only, and "field" was sent; did you mean "fields"/,
    ],
    ['ports/p1?name=north', /takes the query parameter fields only, and "name" was sent\./],
    ['ports?field=id', /no parameter "field" here; did you mean "fields"/],
  ])('%s is refused', async (path, sentence) => {
    expect(await shown(`/apis/${path}`)).toEqual(refused(expect.stringMatching(sentence)))
  })

  test('too many relations are refused, by their number', async () => {
    const ways = ['port', 'portCollection', 'tenant.portCollection']
    const paths = ways.flatMap((a) => ways.flatMap((b) => ways.flatMap((c) => `${a}.${b}.${c}.id`)))
    const { status, body } = await gateway.request('POST', '/apis/ports/query', { body: { fields: paths } })
    expect([status, (body as Json).detail]).toEqual([
      400,
      'fields follows more than 50 references and collections, which is the limit.',
    ])
  })

  test.each([[7], [{}], [[]], [['id', 7]], [[['id']]]])('%j in a document is refused', async (fields) => {
    const { status, body } = await gateway.request('POST', '/apis/ports/query', { body: { fields } })
    expect([status, (body as Json).detail]).toEqual([400, expect.stringMatching(/at least one/)])
  })

  test('one path, and null, in a document', async () => {
    const list = async (body: Json) => (await gateway.request('POST', '/apis/ports/query', { body })).body
    expect(await list({ id: 'p1', fields: 'tenant.id' })).toEqual([{ tenant: { id: 'a' } }])
    expect(await list({ id: 'p1', fields: null })).toEqual(await shown('/apis/ports?id=p1'))
    const stray = await gateway.request('POST', '/apis/ports/query?fields=id', { body: {} })
    expect((stray.body as Json).detail).toMatch(/Send "fields" in the document/)
  })

  test('writes take no fields', async () => {
    for (const [method, path, body] of [
      ['POST', '/apis/countries?fields=id', { id: 'xx', name: 'x' }],
      ['PATCH', '/apis/countries/fi?fields=id', { name: 'x' }],
      ['PUT', '/apis/countries/fi?fields=id', { name: 'x' }],
      ['DELETE', '/apis/countries/fi?fields=id', undefined],
    ] as const)
      expect((await gateway.request(method, path, { body })).status, method).toBe(400)
    expect(await shown('/apis/countries?fields=id,name')).toEqual(countries)
  })

  test('a field of that name keeps its parameter', async () => {
    const whole = { fields: 'id', fields_: 7 }
    expect(await shown('/apis/forms?fields=id&fields_=7')).toMatchObject([whole])
    expect(await shown('/apis/forms?fields=nothing')).toEqual([])
    expect(await shown('/apis/forms?fields=id&fields__=fields,tenant.name')).toEqual([
      { fields: 'id', tenant: { name: 'Alder' } },
    ])
    expect(await shown('/apis/forms/f?fields__=fields_')).toEqual({ fields_: 7 })
    expect(await shown('/apis/forms/f?fields=id')).toEqual(
      refused(expect.stringMatching(/parameter fields__ only/)),
    )
    const { body } = await gateway.request('POST', '/apis/forms/query', {
      body: { fields: ['id', 'x'], fields__: ['fields'] },
    })
    expect(body).toEqual([{ fields: 'id' }])
    // Whoever may not read these fields has the usual name.
    const token = await join('forms-id', [{ ...reader('forms'), fields: { read: ['id'] } }])
    expect(await shown('/apis/forms?fields=id', token)).toEqual([{ id: 'f' }])
  })

  test('OpenAPI has the parameter as the caller may use it', async () => {
    const described = async (token = gateway.token) => {
      const { body } = await gateway.request('GET', '/openapi.json', { token })
      const { paths } = body as Json
      const own = (name: string, path: string) =>
        paths[path].get.parameters.find((one: Json) => one.name === name)
      expect(own('fields', '/apis/ports/{id}')).toEqual(own('fields', '/apis/ports'))
      return own
    }
    const own = await described()
    expect(own('fields__', '/apis/forms').schema.items.anyOf).toEqual([
      {
        type: 'string',
        enum: ['instance', 'xid', 'xname', 'id', 'fields', 'fields_', 'tenantId', 'tenant', '*'],
      },
      { type: 'string', pattern: '^(tenant)[.]' },
    ])
    expect(own('fields', '/apis/forms')).toMatchObject({ description: 'Any of these values.' })
    const seen = { ...reader('ports'), fields: { read: ['id', 'name', 'tenantId'] } }
    const open = { regex: '/openapi.json', methods: ['GET'] }
    expect((await described(await join('sees-some', [seen, open])))('fields', '/apis/ports')).toEqual({
      name: 'fields',
      in: 'query',
      description: 'The fields to show, in this order; all if it is left out. `*` is all fields.',
      schema: {
        type: 'array',
        items: { type: 'string', enum: ['id', 'name', 'tenantId', '*'] },
        minItems: 1,
      },
      style: 'form',
      explode: false,
    })
    const both = await described(await join('sees-both', [seen, open, reader('tenants')]))
    expect(both('fields', '/apis/ports').schema.items.anyOf[1]).toEqual({
      type: 'string',
      pattern: '^(tenant)[.]',
    })
  })

  describe('rights', () => {
    test('each entity needs the right to its own list', async () => {
      const token = await join('ports-only', [reader('ports')])
      const tenants = refused(
        'fields: "tenant" leads to records of Tenant, whose list the caller may not read: it takes a role that allows GET on /apis/tenants.',
        403,
        'FIELD_NOT_ALLOWED',
      )
      expect(await shown('/apis/ports?fields=id,tenant.name', token)).toEqual(tenants)
      expect(await shown('/apis/ports/p1?fields=tenant', token)).toEqual(tenants)
      expect(await shown('/apis/ports/p2?fields=port.tenant.nothing', token)).toEqual(
        refused(
          expect.stringMatching(/^fields: "port.tenant" leads to records of Tenant/),
          403,
          'FIELD_NOT_ALLOWED',
        ),
      )
      expect(await shown('/apis/ports/p2?fields=port.name', token)).toEqual({ port: { name: 'north' } })
    })

    test('a public route opens its own entity only', async () => {
      const route = { name: 'open-tenants', path: '/apis/tenants', methods: ['GET'], scope: 'public' }
      expect((await gateway.request('POST', '/manage/routes', { body: route })).status).toBe(201)
      expect(await shown('/apis/tenants?id=a&fields=name', null)).toEqual([{ name: 'Alder' }])
      expect(await shown('/apis/tenants?fields=portCollection.id', null)).toEqual(
        refused(expect.stringMatching(/GET on \/apis\/ports\.$/), 403, 'FIELD_NOT_ALLOWED'),
      )
      await gateway.request('DELETE', '/manage/routes/open-tenants')
    })

    test('rows that are not reached are null or missing, at every level', async () => {
      const own = { ...reader('tenants'), rows: [is('id', { account: 'metadata.tenant' })] }
      const some = { ...reader('ports'), rows: [{ key: 'id', op: 'in', val: ['p1', 'p3'] }] }
      const token = await join('of-b', [own, some, reader('countries')], { tenant: 'b' })
      expect(
        await shown('/apis/ports?asc=id&fields=id,tenant.name,tenantId,port.id,uplinkId', token),
      ).toEqual([
        { id: 'p1', tenant: null, tenantId: 'a', port: null, uplinkId: null },
        { id: 'p3', tenant: { name: 'Birch' }, tenantId: 'b', port: null, uplinkId: 'p2' },
      ])
      expect(
        await shown('/apis/countries?asc=id&fields=id,tenantCollection.portCollection.id', token),
      ).toEqual([
        { id: 'fi', tenantCollection: [] },
        { id: 'jp', tenantCollection: [{ portCollection: [{ id: 'p3' }] }] },
      ])
      expect(await shown('/apis/ports/p2?fields=id', token)).toEqual([
        404,
        'RECORD_NOT_FOUND',
        'There is no Port whose id is "p2".',
      ])
    })

    test('fields that are not given are unknown, and null where they are given on some rows only', async () => {
      const names = { ...reader('tenants'), fields: { read: ['id', 'name'] } }
      const plans = { ...reader('tenants'), rows: [is('id', 'b')] }
      const masked = await join('plan-of-b', [names, plans, reader('ports')])
      expect(await shown('/apis/ports?asc=id&fields=tenant.plan', masked)).toEqual([
        { tenant: { plan: null } },
        { tenant: { plan: null } },
        { tenant: { plan: 'free' } },
        { tenant: null },
      ])
      expect(await shown('/apis/tenants/a?fields=id,plan', masked)).toEqual({ id: 'a', plan: null })
      const hidden = await join('no-plan', [names, reader('ports')])
      expect(await shown('/apis/ports?fields=tenant.plan', hidden)).toEqual(
        refused(expect.stringMatching(/unknown field "tenant.plan"/)),
      )
      expect(await shown('/apis/ports?id=p1&fields=tenant', hidden)).toEqual([
        { tenant: { id: 'a', name: 'Alder' } },
      ])
      // A reference is no more than its column.
      const without = { ...reader('ports'), fields: { read: ['id', 'name'] } }
      const apart = await join('no-reference', [without, reader('tenants')])
      expect(await shown('/apis/ports?fields=tenant.name', apart)).toEqual(
        refused(expect.stringMatching(/unknown field "tenant.name"/)),
      )
      expect(await shown('/apis/tenants?fields=portCollection.id', apart)).toEqual(
        refused(expect.stringMatching(/unknown field "portCollection.id"/)),
      )
    })

    test('the tag says nothing of hidden fields', async () => {
      const token = await join('names', [{ ...reader('ports'), fields: { read: ['id', 'name'] } }])
      const [whole, some] = [await get('/apis/ports/p1', token), await get('/apis/ports/p1?fields=id', token)]
      expect(some.headers.get('etag')).toBe(whole.headers.get('etag'))
      expect(some.headers.get('etag')).not.toBe((await get('/apis/ports/p1')).headers.get('etag'))
    })
  })
})

describe.each(products)('$name: many related records', (product) => {
  const count = 2600
  const ids = Array.from({ length: count }, (_, index) => `p${String(index).padStart(4, '0')}`)
  const start = async (listLimits: Json) => {
    const gateway = await startTestGateway(product, withEntities([country, tenant, port]), { listLimits })
    const create = async (path: string, body: unknown) =>
      expect((await gateway.request('POST', path, { body })).status, path).toBe(201)
    await create('/apis/tenants', [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ])
    await create(
      '/apis/ports',
      ids.map((id, index) => ({
        id,
        tenantId: index < count - 2 ? 'a' : 'b',
        uplinkId: index > 0 ? ids[0] : null,
      })),
    )
    return gateway
  }

  test('long lists come in pieces with what belongs to their records', async () => {
    const options = await start({ heldRows: 3000 })
    const { body } = await options.request('GET', '/apis/ports?fields=id,tenant.name')
    expect(body).toEqual(ids.map((id, index) => ({ id, tenant: { name: index < count - 2 ? 'A' : 'B' } })))
    const most = await options.request('GET', '/apis/tenants?fields=id,portCollection.id')
    expect(most.body).toEqual([
      { id: 'a', portCollection: ids.slice(0, -2).map((id) => ({ id })) },
      { id: 'b', portCollection: ids.slice(-2).map((id) => ({ id })) },
    ])
    const single = await options.request('GET', '/apis/tenants/a?fields=portCollection.tenant.id')
    expect(single.body).toEqual({ portCollection: ids.slice(0, -2).map(() => ({ tenant: { id: 'a' } })) })
    await options.close()
  })

  test('limits are told before anything is sent, where that can be known', async () => {
    const gateway = await start({ rows: 2700, heldRows: 2000, bytes: 150_000 })
    const get = async (path: string) => {
      const { status, body } = await gateway.request('GET', path)
      return status === 200 ? body : [status, (body as Json).code, (body as Json).detail]
    }
    const tooLarge = (sentence: RegExp) => [413, 'ANSWER_TOO_LARGE', expect.stringMatching(sentence)]
    const held =
      /^To one record belong more than 2,000 others in "fields", or 64 MB of them, which is the limit \(graphql_max_held_rows\)\./
    expect(await get('/apis/tenants?fields=portCollection.id')).toEqual(tooLarge(held))
    expect(await get('/apis/tenants/a?fields=portCollection.id')).toEqual(tooLarge(held))
    expect(await get('/apis/tenants/b?fields=portCollection.id')).toEqual({
      portCollection: ids.slice(-2).map((id) => ({ id })),
    })
    const shown = /^The response has more than 2,700 records with the related ones in "fields"/
    expect(await get('/apis/ports?limit=1500&fields=tenant.name')).toEqual(tooLarge(shown))
    expect(await get('/apis/ports?limit=2500&fields=id,name,uplinkId,tenantId')).toEqual(
      tooLarge(/more than 150,000 bytes, which is the limit \(list_max_answer\)/),
    )
    expect(await get('/apis/ports?limit=1200&fields=tenant.id')).toHaveLength(1200)
    await gateway.close()
  })
})
