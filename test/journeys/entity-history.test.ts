import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { definition, field } from '../support/temporary-entities.ts'
import type { TestGateway } from '../support/test-gateway.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'
import { startHttp } from '../support/upstream-servers.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const waitLimits = { timeout: 60_000, interval: 50 }

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let nodes: TwoGateways
  let first: TestGateway

  beforeAll(async () => {
    nodes = await startTwoGateways(product)
    first = nodes.first
  })
  afterAll(() => nodes.close())

  const upload = (body: unknown) => first.request('POST', '/manage/entities', { body })
  const get = async (path: string): Promise<Json> => (await first.request('GET', path)).body

  test('every definition has versions, which stay when it is deleted', async () => {
    const note = field('note', 'string')
    const colour = field('colour', 'string', { field_enum: ['red', 'blue'] })
    const one = definition('Box', { local: [note] })
    const two = definition('Box', { local: [colour, note], top: { category: 'things' } })
    const three = definition('Box', {
      local: [{ ...colour, field_immutable: true }, note],
      top: { category: 'x' },
    })
    for (const version of [one, two, two, three]) expect((await upload(version)).status).toBe(201)
    await first.request('DELETE', '/manage/entities/Box')
    expect((await upload(one)).status).toBe(201)

    const changed = { changed_by: 'admin', changed_at: expect.stringMatching(/^20\d\d-.*Z$/) }
    expect(await get('/manage/entities/Box/versions')).toEqual([
      { version: 5, action: 'created', summary: ['entity added'], ...changed },
      { version: 4, action: 'deleted', summary: ['entity removed'], ...changed },
      {
        version: 3,
        action: 'changed',
        summary: ['field colour: field_immutable added', 'category changed'],
        ...changed,
      },
      { version: 2, action: 'changed', summary: ['field colour added', 'category added'], ...changed },
      { version: 1, action: 'created', summary: ['entity added'], ...changed },
    ])
    expect(await get('/manage/entities/Box/versions/2')).toEqual({
      name: 'Box',
      version: 2,
      action: 'changed',
      summary: ['field colour added', 'category added'],
      ...changed,
      definition: two,
    })
    expect((await get('/manage/entities/Box/versions/4')).definition).toBeNull()
    expect(await get('/manage/entities/Box/versions/3/diff')).toEqual({
      from: 2,
      to: 3,
      changes: [
        {
          kind: 'added',
          pointer: '/attributes/local_fields/0/field_immutable',
          field: 'colour',
          to: true,
        },
        { kind: 'changed', pointer: '/category', from: 'things', to: 'x' },
      ],
    })
    expect(await get('/manage/entities/Box/versions/3/diff?to=1')).toEqual({
      from: 3,
      to: 1,
      changes: [
        {
          kind: 'removed',
          pointer: '/attributes/local_fields/0',
          field: 'colour',
          from: { ...colour, field_immutable: true },
        },
        { kind: 'removed', pointer: '/category', from: 'x' },
      ],
    })
    expect(await get('/manage/entities/Box/versions/1/diff?to=5')).toMatchObject({ changes: [] })
  })

  test('a default that is left out is no change', async () => {
    const whole = {
      category: '',
      name: 'Lid',
      persistence: true,
      api_generation: true,
      abstract: false,
      attributes: {
        identifier: {
          field_name: 'id',
          field_type: 'string',
          field_persistence: true,
          field_immutable: false,
        },
        local_fields: [
          {
            field_name: 'size',
            field_type: 'integer',
            field_persistence: true,
            field_nullable: true,
            field_immutable: false,
            field_unique: false,
            field_default: null,
          },
        ],
        ref_fields: [],
      },
      methods: { class_methods: [], instance_methods: [] },
    }
    const short = {
      name: 'Lid',
      attributes: {
        identifier: { field_name: 'id', field_type: 'string' },
        local_fields: [
          { field_name: 'size', field_type: 'integer', field_immutable: true },
          { field_name: 'colour', field_type: 'string' },
        ],
      },
      methods: { class_methods: [], instance_methods: [] },
    }
    for (const version of [whole, short]) expect((await upload(version)).status).toBe(201)
    const [second] = await get('/manage/entities/Lid/versions')
    expect(second.summary).toEqual(['field size: field_immutable changed', 'field colour added'])
    expect((await get('/manage/entities/Lid/versions/2/diff')).changes).toEqual([
      {
        kind: 'changed',
        pointer: '/attributes/local_fields/0/field_immutable',
        field: 'size',
        from: false,
        to: true,
      },
      {
        kind: 'added',
        pointer: '/attributes/local_fields/1',
        field: 'colour',
        to: { field_name: 'colour', field_type: 'string' },
      },
    ])
  })

  test.each([
    ['/manage/entities/Nothing/versions', 404, /There is no entity named "Nothing"/],
    ['/manage/entities/Box/versions/9', 404, /has the versions 1 to 5, and not 9/],
    ['/manage/entities/Box/versions/x', 404, /A version is a number from 1, and not "x"/],
    ['/manage/entities/Box/versions/1/diff?to=0', 400, undefined],
    ['/manage/entities/Box/versions/1/diff?to=77', 404, /and not 77/],
    ['/manage/entities/Box/versions/1/diff?from=2', 400, undefined],
    ['/manage/entities/Box/versions?limit=2', 400, undefined],
  ])('%s is refused', async (path, status, detail) => {
    const answer = await first.request('GET', path)
    expect(answer.status).toBe(status)
    if (detail !== undefined) expect((answer.body as Json).detail).toMatch(detail)
  })

  test('the schema has a version that a client can wait for at another node', async () => {
    const before = await get('/manage/schema')
    expect(before).toEqual({
      version: `${before.number}-${before.hash}`,
      number: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    const answer = await upload(definition('Crate'))
    const version = answer.headers.get('x-gatehouse-schema') ?? ''
    expect(Number(version.split('-')[0])).toBe(before.number + 1)
    expect((await get('/openapi.json')).info.version).toBe(version)
    const atSecond = async (path: string) =>
      fetch(nodes.second.address + path, { headers: { 'x-xaas-auth-token': first.token } })
    await vi.waitFor(async () => {
      expect((await atSecond('/apis/boxes')).headers.get('x-gatehouse-schema')).toBe(version)
    }, waitLimits)
    expect((await atSecond('/apis/crates')).status).toBe(200)

    const unchanged = await upload(definition('Crate'))
    expect(unchanged.headers.get('x-gatehouse-schema')).toBe(version)
    await first.request('DELETE', '/manage/entities/Crate')
    expect(await get('/manage/schema')).toMatchObject({ number: before.number + 2, hash: before.hash })
  })

  test('every answer to a request that was let in says the version, and no other', async () => {
    const upstream = await startHttp((_, response) => {
      response.setHeader('x-gatehouse-schema', 'of another gateway').end('{}')
    })
    const route = { name: 'shop', path: '/shop/*', methods: ['GET'], target: upstream.url }
    await first.request('POST', '/manage/routes', { body: route })
    const { version } = await get('/manage/schema')
    for (const [method, path, status, said, options] of [
      ['GET', '/healthz', 200, null, { token: null }],
      ['GET', '/graphql', 401, null, { token: null }],
      ['GET', '/graphql', 401, null, { token: 'wrong' }],
      ['POST', '/logon', 401, null, { token: null, body: { username: 'admin', password: 'wrong' } }],
      ['GET', '/nothing', 404, version],
      ['DELETE', '/logon', 405, version],
      ['POST', '/graphql', 400, version, { body: '{' }],
      ['HEAD', '/manage/entities', 200, version],
      ['GET', '/shop/a', 200, version],
    ] as const) {
      const answer = await first.request(method, path, options)
      expect([path, answer.status, answer.headers.get('x-gatehouse-schema')]).toEqual([path, status, said])
    }
    await upstream.close()
    expect(await first.request('GET', '/shop/a')).toMatchObject({ status: 502 })
    const unreachable = await first.request('GET', '/shop/a')
    expect(unreachable.headers.get('x-gatehouse-schema')).toBe(version)
    for (const bytes of ['GET /a//b HTTP/1.1\r\nhost: a\r\n\r\n', 'no request\r\n\r\n']) {
      const { status, text } = await rawRequest(first.url, bytes)
      expect([status, /^x-gatehouse-schema: (.*)\r$/im.exec(text)?.[1]]).toEqual([400, undefined])
    }
  })
})
