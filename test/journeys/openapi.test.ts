import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answersLike, clientOf, operationsIn } from '../support/openapi-client.ts'
import { anyProduct } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of someone else's, read as a client reads it
type Json = any

const everyType = definition('Sample', {
  identifier: { field_name: 'number', field_type: 'integer', field_immutable: true },
  local: [
    field('title', 'string', { field_nullable: false, field_unique: true }),
    field('body', 'text'),
    field('ratio', 'float', { field_default: '0.5' }),
    field('price', 'decimal', { field_enum: ['1.50', 2] }),
    field('isOpen', 'boolean', { field_nullable: false, field_default: 'True' }),
    field('seenAt', 'DateTime', { field_default: 'now()', field_immutable: true }),
    field('day', 'Date'),
    field('tags', 'array', { field_default: '["a"]' }),
    field('more', 'object'),
    field('first', 'integer'),
    field('secret', 'string', { field_persistence: false }),
  ],
  refs: [reference('parent', 'Sample', 'number', { field_type: 'integer' })],
})

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  let document: Json

  beforeAll(async () => {
    const definitions = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
    gateway = await startTestGateway(product, withEntities([...definitions, everyType]))
    document = (await gateway.request('GET', '/openapi.json')).body
  })
  afterAll(() => gateway.close())

  test('the document is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
    expect(Object.keys(document.paths)).toEqual([
      '/apis/ports',
      '/apis/ports/query',
      '/apis/ports/{id}',
      '/apis/samples',
      '/apis/samples/query',
      '/apis/samples/{number}',
      '/apis/tenants',
      '/apis/tenants/query',
      '/apis/tenants/{id}',
    ])
  })

  test('a client made from the document calls every operation, and is answered as the document says', async () => {
    const client = await clientOf(document, gateway)
    const check = answersLike(document)
    const called = new Set<string>()
    const call = async (operation: string, parameters: Json, body?: unknown, headers: Json = {}) => {
      called.add(operation)
      const answer = await (client as Json)[operation](parameters, body, { headers })
      check(operation, answer)
      return answer
    }
    const tenant = { id: 't1' }
    const port = { id: 'p1', name: 'uplink', portType: 'trunk', tenantId: 't1', vlanRanges: [[1, 5]] }
    const sample = {
      number: 7,
      title: 'x',
      price: 2,
      seenAt: '2026-01-31T10:30:00+01:00',
      more: { a: [1] },
      parent: 7,
    }
    const calls: readonly [string, Json, unknown?][] = [
      ['createTenant', null, tenant],
      ['createPort', null, [port, { ...port, id: 'p2', operationStatus: 'Completed' }]],
      ['createSample', null, sample],
    ]
    for (const [operation, parameters, body] of calls) {
      expect((await call(operation, parameters, body)).status, operation).toBe(201)
    }
    const listed = await call('listPort', { name: ['uplink', 'x'], desc: ['id'], count: true, first: 1 })
    expect(listed).toMatchObject({ status: 200, data: [{ id: 'p2' }] })
    expect(listed.headers).toMatchObject({ 'x-total-count': '2', link: expect.stringMatching(/rel="next"/) })
    const filters = JSON.stringify([{ key: 'isOpen', op: '==', val: 1 }])
    expect((await call('listSample', { filters, number: [7] })).data).toHaveLength(1)
    expect((await call('listTenant', { id: ['t1'] })).data).toHaveLength(1)
    const page = { name: ['uplink', null], desc: 'id', count: true, first: 1 }
    const asked = await call('queryPort', null, page)
    expect([asked.data, asked.headers['x-total-count']]).toEqual([listed.data, '2'])
    const after = new URLSearchParams(/[?](.*)>/.exec(asked.headers.link)?.[1]).get('after')
    expect((await call('queryPort', { after }, page)).data).toMatchObject([{ id: 'p1' }])
    expect((await call('querySample', null, { filters: JSON.parse(filters), number: 7 })).data).toHaveLength(
      1,
    )
    expect((await call('queryTenant', null, { id: ['t1'], asc: ['id'] })).data).toHaveLength(1)

    const chosen = { fields: ['id', 'tenant.id', 'tenant.portCollection.name'] }
    const inTenant = { id: 't1', portCollection: [{ name: 'uplink' }, { name: 'uplink' }] }
    // What is left out is not in the schema of the record.
    const { getPort, listPort, queryPort } = client as Json
    const got = await getPort({ id: 'p2', ...chosen })
    expect([got.status, got.data]).toEqual([200, { id: 'p2', tenant: inTenant }])
    expect((await listPort({ id: ['p1'], ...chosen })).data).toEqual([{ id: 'p1', tenant: inTenant }])
    expect((await queryPort(null, { id: 'p1', ...chosen })).data).toEqual([{ id: 'p1', tenant: inTenant }])

    const keys: Json = { Tenant: { id: 't1' }, Port: { id: 'p1' }, Sample: { number: 7 } }
    const changes: Json = { Tenant: {}, Port: { name: 'new' }, Sample: { title: 'y' } }
    const replacements: Json = {
      Tenant: {},
      Port: { name: 'newest' },
      Sample: { title: 'z', day: '2026-02-28' },
    }
    for (const entity of ['Port', 'Sample', 'Tenant']) {
      const key = keys[entity]
      const read = await call(`get${entity}`, key)
      expect(read.status).toBe(200)
      const known = await call(`get${entity}`, { ...key, 'If-None-Match': read.headers.etag })
      expect(known.status).toBe(304)
      const changed = await call(
        `change${entity}`,
        { ...key, 'If-Match': read.headers.etag },
        changes[entity],
        {
          'content-type': 'application/merge-patch+json',
        },
      )
      expect(changed.status).toBe(200)
      expect((await call(`replace${entity}`, key, replacements[entity])).status).toBe(200)
      expect(
        (await call(`replace${entity}`, { ...key, 'If-Match': '"old"' }, replacements[entity])).status,
      ).toBe(412)
    }
    expect((await call('createPort', null, { name: 5 })).status).toBe(422)
    expect((await call('createTenant', null, tenant)).status).toBe(409)
    expect((await call('deleteTenant', { id: 't1' })).status).toBe(409)
    expect((await call('deletePort', { id: 'p1' })).status).toBe(204)
    expect((await call('deletePort', { id: 'p1' })).status).toBe(404)
    expect((await call('deleteSample', { number: 7 })).status).toBe(204)
    expect([...called].sort()).toEqual(operationsIn(document).sort())
  })

  test('the schemas of what is sent refuse what the gateway refuses', async () => {
    const validate = validatorOf(document)
    const bodies: readonly [string, unknown][] = [
      ['Port.new', { name: 'a', portType: 'b' }],
      ['Port.new', { name: 'a' }],
      ['Port.new', { name: null, portType: 'b' }],
      ['Port.new', { name: 'a', portType: 'b', isActivated: 'true' }],
      ['Port.new', { name: 'a', portType: 'b', operationStatus: 'Lost' }],
      ['Port.new', { name: 'a', portType: 'b', operationStatus: null }],
      ['Port.new', { name: 'a', portType: 'b', vlanRanges: {} }],
      ['Port.new', { name: 'a', portType: 'b', colour: 'red' }],
      ['Port.new', { name: 'a'.repeat(256), portType: 'b' }],
      ['Sample.new', { number: 1, title: 'a', price: '1.50' }],
      ['Sample.new', { title: 'no number' }],
      ['Sample.new', { number: 2 ** 31, title: 'large' }],
      ['Sample.new', { number: 3, title: 'b', secret: 'kept nowhere' }],
      ['Sample.new', { number: 4, title: 'c', more: [] }],
    ]
    for (const [schema, body] of bodies) {
      const path = schema === 'Port.new' ? '/apis/ports' : '/apis/samples'
      const { status } = await gateway.request('POST', path, { body })
      expect(validate(schema, body), JSON.stringify(body)).toBe(status === 201)
    }
  })

  test('it holds only what the caller may call', async () => {
    const reader = await tokenFor(gateway, [
      { regex: '/openapi.json', methods: ['GET'] },
      { regex: '/apis/ports(/.*)?', methods: ['GET'] },
      { regex: '/apis/tenants/[a-z0-9]+', methods: ['GET', 'DELETE'] },
      { regex: '/apis/samples/one', methods: ['PATCH'] },
    ])
    const { body } = await gateway.request('GET', '/openapi.json', { token: reader })
    expect(operationsIn(body).sort()).toEqual([
      'changeSample',
      'deleteTenant',
      'getPort',
      'getTenant',
      'listPort',
    ])
    const nothing = await tokenFor(gateway, [{ regex: '/openapi.json', methods: ['GET'] }])
    const { body: empty } = await gateway.request('GET', '/openapi.json', { token: nothing })
    expect(empty).toMatchObject({ paths: {}, tags: [] })
    expect(await new Validator().validate(structuredClone(empty as Json))).toEqual({ valid: true })
    const stranger = await tokenFor(gateway, [{ regex: '/apis/.*', methods: ['GET'] }])
    expect(await gateway.request('GET', '/openapi.json', { token: stranger })).toMatchObject({
      status: 401,
      body: {},
    })
    expect(await gateway.request('GET', '/openapi.json', { token: null })).toMatchObject({
      status: 401,
      body: { code: 'TOKEN_MISSING' },
    })
  })

  test('it describes one entity, or only lists them', async () => {
    const paths = ['/apis/ports', '/apis/ports/query', '/apis/ports/{id}']
    const { body: ports } = (await gateway.request('GET', '/openapi.json?entity=Port')) as Json
    expect(await new Validator().validate(structuredClone(ports))).toEqual({ valid: true })
    expect(ports.tags).toEqual([{ name: 'Port', 'x-path': '/apis/ports' }])
    expect(ports.paths).toEqual(Object.fromEntries(paths.map((path) => [path, document.paths[path]])))
    expect(Object.keys(ports.components.schemas).filter((name) => !/^gateway|^Problem/.test(name))).toEqual([
      ...['Port', 'Port.new', 'Port.replacement', 'Port.change'],
    ])
    const { body: list } = (await gateway.request('GET', '/openapi.json?operations=false')) as Json
    expect(await new Validator().validate(structuredClone(list))).toEqual({ valid: true })
    const { title, version, description } = document.info
    expect(list).toEqual({
      openapi: '3.1.1',
      info: { title, version, description },
      servers: [{ url: '/' }],
      security: [{ token: [] }, { bearer: [] }],
      tags: [
        { name: 'Port', 'x-path': '/apis/ports' },
        { name: 'Sample', 'x-path': '/apis/samples' },
        { name: 'Tenant', 'x-path': '/apis/tenants' },
      ],
      paths: {},
      components: { securitySchemes: document.components.securitySchemes },
    })
  })

  test('what may not be called is like what does not exist', async () => {
    const token = await tokenFor(gateway, [
      { regex: '/openapi.json', methods: ['GET'] },
      { regex: '/apis/ports/[a-z0-9]+', methods: ['DELETE'] },
    ])
    const { body: list } = await gateway.request('GET', '/openapi.json?operations=false', { token })
    expect((list as Json).tags).toEqual([{ name: 'Port', 'x-path': '/apis/ports' }])
    for (const name of ['Tenant', 'Nothing', 'ports']) {
      expect(await gateway.request('GET', `/openapi.json?entity=${name}`, { token })).toMatchObject({
        status: 404,
        body: { code: 'RECORD_NOT_FOUND', detail: `There is no published entity named "${name}".` },
      })
    }
    for (const query of ['entities=Port', 'operations=no', 'entity=Port&entity=Tenant']) {
      expect(await gateway.request('GET', `/openapi.json?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'PARAMETER_INVALID' },
      })
    }
  })

  test('it holds the routes to upstream APIs that the caller may call, without their targets', async () => {
    const target = 'http://127.0.0.1:9'
    const routes = [
      { name: 'shop', path: '/shop/*', methods: ['GET', 'POST'], target },
      { name: 'Port', path: '/things/:id/{x}', methods: ['GET', 'HEAD'], target, scope: 'public' },
      { name: 'twin', path: '/things/:other/{x}', methods: ['DELETE'], target },
      { name: 'closed', path: '/closed', methods: ['GET'], target },
      { name: 'own', path: '/graphql', methods: ['GET'] },
    ]
    for (const body of routes)
      expect((await gateway.request('POST', '/manage/routes', { body })).status).toBe(201)
    const read = async (query: string, token?: string) => {
      const { status, body } = await gateway.request('GET', `/openapi.json${query}`, token ? { token } : {})
      expect(await new Validator().validate(structuredClone(body as Json))).toEqual({ valid: true })
      return status === 200 ? (body as Json) : status
    }
    const all = await read('')
    expect(Object.keys(all.paths).slice(-3)).toEqual(['/things/{id}/%7Bx%7D', '/closed', '/shop/{rest}'])
    expect(JSON.stringify(all)).not.toContain(target)
    expect(all.tags.slice(3)).toEqual([
      { name: 'Port (upstream)', 'x-path': '/things/:id/{x}', 'x-route': 'Port' },
      { name: 'closed', 'x-path': '/closed', 'x-route': 'closed' },
      { name: 'shop', 'x-path': '/shop/*', 'x-route': 'shop' },
      { name: 'twin', 'x-path': '/things/:other/{x}', 'x-route': 'twin' },
    ])
    const things = all.paths['/things/{id}/%7Bx%7D']
    expect(Object.keys(things)).toEqual(['parameters', 'get', 'head', 'delete'])
    expect([things.get.security, things.delete.security]).toEqual([[], undefined])

    const caller = await tokenFor(gateway, [
      { regex: '/openapi.json', methods: ['GET'] },
      { regex: '/shop/[a-z]+/.*', methods: ['GET'] },
      { regex: '/closed', methods: ['POST'] },
      { regex: '/closed', methods: ['GET'], rows: [] },
    ])
    const own = await read('', caller)
    expect(own.tags.map((tag: Json) => tag['x-route'])).toEqual(['Port', 'shop'])
    expect(Object.keys(own.paths['/shop/{rest}'])).toEqual(['parameters', 'get'])
    const shop = await read('?route=shop', caller)
    expect(shop.paths).toEqual({ '/shop/{rest}': own.paths['/shop/{rest}'] })
    expect(shop.tags).toEqual([{ name: 'shop', 'x-path': '/shop/*', 'x-route': 'shop' }])
    expect((await read('?entity=Port')).tags).toHaveLength(1)
    for (const name of ['closed', 'own', 'none']) {
      expect(await gateway.request('GET', `/openapi.json?route=${name}`, { token: caller })).toMatchObject({
        status: 404,
        body: { code: 'RECORD_NOT_FOUND', detail: `There is no route named "${name}".` },
      })
    }
    for (const { name } of routes) await gateway.request('DELETE', `/manage/routes/${name}`)
  })

  test('it says which calls need no token', async () => {
    const routes = [
      { name: 'open-ports', path: '/apis/ports', methods: ['GET'], scope: 'public' },
      { name: 'open-document', path: '/openapi.json', methods: ['GET'], scope: 'public' },
    ]
    for (const body of routes) await gateway.request('POST', '/manage/routes', { body })
    const { body } = await gateway.request('GET', '/openapi.json', { token: null })
    expect(operationsIn(body)).toEqual(['listPort'])
    expect((body as Json).paths['/apis/ports'].get.security).toEqual([])
    for (const { name } of routes) await gateway.request('DELETE', `/manage/routes/${name}`)
  })
})

let accounts = 0

async function tokenFor({ request, url }: TestGateway, authorities: readonly object[]): Promise<string> {
  accounts += 1
  const username = `reader-${accounts}`
  const password = 'a long pass phrase'
  await request('POST', '/manage/roles', { body: { name: username, authorities } })
  const { body } = await request('POST', '/manage/accounts', { body: { username, password, role: username } })
  const answer = await fetch(`${url}/logon`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-xaas-api-key': (body as Json).api_key },
    body: JSON.stringify({ username, password }),
  })
  return ((await answer.json()) as Json)['x-xaas-auth-token']
}

function validatorOf(document: Json): (schema: string, body: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'document')
  return (schema, body) => ajv.validate({ $ref: `document#/components/schemas/${schema}` }, body)
}
