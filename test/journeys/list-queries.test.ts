/** Lists that are asked for by a document: `POST /apis/<resource>/query`, on every product. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

const ids = Array.from({ length: 3000 }, (_, index) => `port-${String(index).padStart(4, '0')}`)

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    const port = definition('Port', {
      local: [
        field('speed', 'integer', { field_nullable: true }),
        field('isActive', 'boolean', { field_nullable: true }),
        field('tags', 'array', { field_nullable: true }),
      ],
    })
    gateway = await startTestGateway(product, withEntities([port]))
    const records = ids.map((id, index) => ({
      id,
      speed: index % 7 === 0 ? null : index % 10,
      isActive: index % 2 === 0,
      tags: [id],
    }))
    const made = await gateway.request('POST', '/apis/ports', { body: records })
    expect(made.status).toBe(201)
  })
  afterAll(() => gateway.close())

  const query = async (body: Json, search = '') => {
    const answer = await gateway.request('POST', `/apis/ports/query${search}`, { body })
    return { status: answer.status, body: answer.body as Json, headers: answer.headers }
  }
  const idsOf = ({ body }: { readonly body: Json }) => body.map(({ id }: Json) => id)

  test('2,000 identifiers, and 200 conditions of which any may hold', async () => {
    const wanted = ids.filter((_, index) => index % 3 !== 0)
    expect(wanted).toHaveLength(2000)
    expect(idsOf(await query({ id: wanted, asc: 'id' }))).toEqual(wanted)
    const some = ids.slice(100, 300)
    const filters = [some.map((id) => ({ key: 'id', op: '==', val: id }))]
    expect(idsOf(await query({ filters, asc: ['id'] }))).toEqual(some)
  })

  test.each([
    [{ limit: 3, offset: 2, desc: 'id' }, 'limit=3&offset=2&desc=id'],
    [{ asc: ['speed', 'id'], first: 4, count: true }, 'asc=speed,id&first=4&count=true'],
    [{ last: 2, asc: 'id' }, 'last=2&asc=id'],
    [{ isActive: true, speed: [2, 4], limit: 5 }, 'isActive=true&speed=2&speed=4&limit=5'],
    [
      { filters: { key: 'id', op: 'starts', val: 'port-001' }, count: true },
      `count=true&filters=${encodeURIComponent('{"key":"id","op":"starts","val":"port-001"}')}`,
    ],
    [{ first: null, limit: 2 }, 'limit=2'],
  ])('%j is answered as ?%s', async (body, search) => {
    const [asked, got] = [await query(body), await gateway.request('GET', `/apis/ports?${search}`)]
    expect(asked.status).toBe(200)
    expect(asked.body).toEqual(got.body)
    expect(asked.headers.get('x-total-count')).toBe(got.headers.get('x-total-count'))
    expect(asked.headers.get('link')?.replace('/apis/ports/query?', '/apis/ports?')).toBe(
      got.headers.get('link')?.replace(/[?].*?((?:offset|after|before)=[^&>]*)[^>]*>/, '?$1>'),
    )
  })

  test('null asks for records without a value', async () => {
    const without = ids.filter((_, index) => index % 7 === 0)
    expect(idsOf(await query({ speed: null, asc: 'id' }))).toEqual(without)
    const orThree = ids.filter((_, index) => index % 7 === 0 || index % 10 === 3)
    expect(idsOf(await query({ speed: [null, 3], asc: 'id' }))).toEqual(orThree)
  })

  test.each([
    ['by cursors', { first: 400, asc: 'speed', isActive: true }],
    ['by numbers', { limit: 400, asc: 'speed', isActive: true }],
  ])('pages %s: the same document goes to the address of the next one', async (_title, document) => {
    const found: string[] = []
    let search = ''
    for (;;) {
      const page = await query(document, search)
      found.push(...idsOf(page))
      const link = /^<\/apis\/ports\/query(\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')
      if (link === null) break
      search = link[1] ?? ''
    }
    expect(found).toEqual(idsOf(await query({ asc: 'speed', isActive: true })))
    expect(found).toHaveLength(1500)
  })

  test.each([
    [[], 'Send the parameters of the list as a JSON object'],
    [5, 'Send the parameters of the list as a JSON object'],
    [{ sped: 1 }, 'There is no parameter "sped" here; did you mean "speed"'],
    [{ first: '5' }, 'first'],
    [{ limit: -1 }, 'limit'],
    [{ offset: 1.5 }, 'offset'],
    [{ count: 'yes' }, 'count takes true or false.'],
    [{ asc: [{}] }, 'asc[0] takes the name of a field.'],
    [{ asc: 'nothing' }, 'nothing'],
    [{ first: 2, after: 'x' }, 'after takes a cursor as this API gave it.'],
    [{ speed: { a: 1 } }, 'speed takes a single value'],
    [{ speed: [[1]] }, 'speed takes a list of single values'],
    [{ speed: 'fast' }, '"speed" takes a whole number'],
    [{ filters: [{ key: 'id', op: '~', val: 1 }] }, 'filters[0].op'],
    [{ filters: '[]' }, 'filters takes a list of filters'],
  ])('refuses %j', async (document, detail) => {
    const answer = await query(document)
    expect([answer.status, answer.body.code]).toEqual([400, 'PARAMETER_INVALID'])
    expect(answer.body.detail).toContain(detail)
  })

  test('its address takes only what says which part of the list is meant', async () => {
    expect((await query({}, '?id=a')).body.detail).toBe(
      'Send "id" in the document: the query of this address takes after, before, offset.',
    )
    expect((await query({}, '?offset=1&offset=2')).status).toBe(400)
  })

  test('a record whose identifier is "query" has its own address', async () => {
    expect((await gateway.request('POST', '/apis/ports', { body: { id: 'query' } })).status).toBe(201)
    expect((await gateway.request('GET', '/apis/ports/query')).body).toMatchObject({ id: 'query' })
    const changed = await gateway.request('PATCH', '/apis/ports/query', { body: { speed: 3 } })
    expect(changed.body).toMatchObject({ id: 'query', speed: 3 })
    const odd = await gateway.request('OPTIONS', '/apis/ports/query')
    expect([odd.status, odd.headers.get('allow')]).toEqual([405, 'POST, GET, PUT, PATCH, DELETE, HEAD'])
    expect((await gateway.request('DELETE', '/apis/ports/query')).status).toBe(204)
    expect((await gateway.request('POST', '/apis/ports/other', { body: {} })).status).toBe(405)
    expect((await gateway.request('POST', '/apis/prots/query', { body: {} })).status).toBe(404)
  })

  describe('R20: rights', () => {
    const list = { regex: '/apis/ports', methods: ['GET'] }
    const call = { regex: '/apis/ports/query', methods: ['POST'] }

    const statusAs = async (name: string, authorities: readonly object[]) => {
      const token = await logonAs(gateway, await createAccount(gateway, name, authorities))
      const { status, body } = await gateway.request('POST', '/apis/ports/query', {
        token,
        body: { limit: 1 },
      })
      return status === 200 ? 200 : [status, body]
    }

    test('both the call and the list are needed', async () => {
      expect(await statusAs('both', [list, call])).toBe(200)
      expect(await statusAs('writer', [{ regex: '/apis/ports', methods: ['POST'] }])).toEqual([401, {}])
      expect(await statusAs('all-posts', [{ regex: '/apis/.*', methods: ['POST'] }])).toEqual([401, {}])
      expect(await statusAs('caller', [call])).toEqual([401, {}])
      expect(await statusAs('reader', [{ regex: '/apis/.*', methods: ['GET'] }])).toEqual([401, {}])
      const other = { regex: '/apis/tenants', methods: ['GET'] }
      expect(await statusAs('stranger', [other, call])).toEqual([401, {}])
    })

    test('a public route opens what it names', async () => {
      const anonymous = async () => {
        const { status } = await gateway.request('POST', '/apis/ports/query', { token: null, body: {} })
        return status
      }
      const publish = (name: string, path: string, methods: readonly string[]) =>
        gateway.request('PUT', `/manage/routes/${name}`, { body: { path, methods, scope: 'public' } })
      expect(await anonymous()).toBe(401)
      expect((await publish('open-list', '/apis/ports', ['GET'])).status).toBeLessThan(300)
      expect(await anonymous()).toBe(401)
      expect(await statusAs('half', [call])).toBe(200)
      await publish('open-query', '/apis/ports/query', ['POST'])
      expect(await anonymous()).toBe(200)
      await gateway.request('DELETE', '/manage/routes/open-list')
      expect(await anonymous()).toBe(401)
      expect(await statusAs('other-half', [list])).toBe(200)
      expect(await statusAs('neither', [])).toEqual([401, {}])
      await gateway.request('DELETE', '/manage/routes/open-query')
    })

    test('OpenAPI shows it to those who may call it', async () => {
      const pathsFor = async (name: string, authorities: readonly object[]) => {
        const token = await logonAs(
          gateway,
          await createAccount(gateway, name, [...authorities, { regex: '/openapi.json', methods: ['GET'] }]),
        )
        const { body } = await gateway.request('GET', '/openapi.json', { token })
        return Object.keys((body as Json).paths)
      }
      expect(await pathsFor('docs-both', [list, call])).toEqual(['/apis/ports', '/apis/ports/query'])
      expect(await pathsFor('docs-call', [call])).toEqual([])
      expect(await pathsFor('docs-list', [list])).toEqual(['/apis/ports'])
    })
  })
})
