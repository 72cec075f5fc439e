/** Identifiers that a caller may read on some rows only: published APIs hide them on the others, as GraphQL does. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

type Call = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>

const docs = { regex: '/apis/docs(/.*)?|/graphql/Doc', methods: ['GET', 'POST'] }
const kids = { regex: '/apis/kids(/.*)?|/graphql/Kid', methods: ['GET', 'POST'] }
const isOwn = [{ key: 'own', op: '==', val: 1 }]
const reading = [
  { ...docs, rows: isOwn, fields: { read: ['id'] } },
  { ...docs, fields: { read: ['own'] } },
  kids,
]
const seen = { id: 'd1', own: 1 }
const hidden = { id: null, own: 0 }

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  const fill = async () => {
    for (const path of ['/apis/kids', '/apis/docs']) {
      for (const { id } of (await gateway.request('GET', path)).body as Json[])
        expect((await gateway.request('DELETE', `${path}/${id}`)).status).toBe(204)
    }
    const create = async (path: string, body: object) =>
      expect((await gateway.request('POST', path, { body })).status).toBe(201)
    const records = ['d1', 'd2'].map((id, index) => ({ id, own: 1 - index }))
    await create('/apis/docs', records)
    const children = records.map(({ id }, index) => ({ id: `k${index + 1}`, docId: id }))
    await create('/apis/kids', children)
  }
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const definitions = [
      definition('Doc', { local: [field('own', 'integer')] }),
      definition('Kid', { refs: [reference('docId', 'Doc')] }),
    ]
    const uploaded = await gateway.request('POST', '/manage/entities', { body: definitions })
    expect(uploaded.status).toBe(201)
  })
  beforeEach(fill)
  afterAll(() => gateway?.close())

  const join = async (username: string, authorities: readonly object[]): Promise<Call> => {
    const token = await logonAs(gateway, await createAccount(gateway, username, authorities))
    return (method, path, body, headers = {}) =>
      gateway.request(method, path, { token, headers, ...(body && { body }) })
  }
  const ask = async (call: Call, query: string): Promise<Json> => {
    const { body } = await call('POST', '/graphql', { query })
    expect((body as Json).errors).toBeUndefined()
    return (body as Json).data
  }

  describe('a reader', () => {
    let call: Call
    beforeAll(async () => {
      call = await join('reader', reading)
    })

    test.each([
      ['the list', 'asc=own', 'asc: "own"', [hidden, seen]],
      ['equality with a hidden one', 'id=d2', 'id: "d2"', []],
      ['equality with one that is seen', 'id=d1', 'id: "d1"', [seen]],
      ['null', filter('isnull', true), 'filters: [{key: "id", op: "isnull", val: true}]', [hidden]],
      ['a beginning', filter('starts', 'd'), 'filters: [{key: "id", op: "starts", val: "d"}]', [seen]],
      ['another one', filter('!=', 'd1'), 'filters: [{key: "id", op: "!=", val: "d1"}]', []],
      ['the order', 'desc=id', 'desc: "id"', [seen, hidden]],
      ['the other order', 'asc=id', 'asc: "id"', [hidden, seen]],
    ])('is answered the same by both: %s', async (_, parameters, argument, expected) => {
      const list = await call('GET', `/apis/docs?${parameters}&count=true&fields=id,own`)
      expect(list.body).toEqual(expected)
      expect(list.headers.get('x-total-count')).toBe(String(expected.length))
      const { Doc } = await ask(call, `{ Doc(${argument}) { totalCount edges { node { id own } } } }`)
      expect(Doc).toEqual({ totalCount: expected.length, edges: expected.map((node) => ({ node })) })
    })

    test('follows references and collections by what it sees', async () => {
      const children = await call('GET', '/apis/kids?asc=id&fields=id,docId,doc.id,doc.own')
      expect(children.body).toEqual([
        { id: 'k1', docId: 'd1', doc: seen },
        { id: 'k2', docId: 'd2', doc: null },
      ])
      const parents = await call('GET', '/apis/docs?desc=own&fields=id,kidCollection.id')
      expect(parents.body).toEqual([
        { id: 'd1', kidCollection: [{ id: 'k1' }] },
        { id: null, kidCollection: [] },
      ])
      const of = encodeURIComponent(JSON.stringify([{ key: 'doc.own', op: '==', val: 0 }]))
      expect((await call('GET', `/apis/kids?filters=${of}`)).body).toEqual([])
      const { Kid, Doc } = await ask(
        call,
        `{ Kid(asc: "id") { edges { node { id docId doc { id own } } } }
           Doc(desc: "own") { edges { node { id kidCollection { edges { node { id } } } } } } }`,
      )
      expect(Kid.edges.map(({ node }: Json) => node)).toEqual(children.body)
      const lists = Doc.edges.map(({ node }: Json) => node.kidCollection.edges.map((edge: Json) => edge.node))
      expect(lists).toEqual([[{ id: 'k1' }], []])
    })

    test('goes from page to page by what it sees', async () => {
      const found: Json[] = []
      let next: string | undefined = '/apis/docs?asc=id&first=1&fields=id,own'
      while (next !== undefined) {
        const page: Answer = await call('GET', next)
        found.push(...(page.body as Json[]))
        const link = page.headers.get('link')
        expect(link ?? '').not.toContain('d2')
        next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1]
      }
      expect(found).toEqual([hidden, seen])
    })

    test('finds under its address a record that it reaches', async () => {
      expect((await call('GET', '/apis/docs/d1')).body).toEqual(seen)
      expect((await call('GET', '/apis/docs/d2')).body).toEqual(hidden)
      const { body } = await call('GET', '/apis/docs/d2?fields=id,own,kidCollection.id')
      expect(body).toEqual({ ...hidden, kidCollection: [] })
      expect((await call('GET', '/apis/docs/d9')).status).toBe(404)
    })
  })

  test('who reads no identifier finds records under their addresses', async () => {
    const call = await join('without', [{ ...docs, fields: { read: ['own'] } }])
    expect((await call('GET', '/apis/docs?asc=own')).body).toEqual([{ own: 0 }, { own: 1 }])
    for (const path of ['/apis/docs/d2', '/apis/docs/d2?fields=own'])
      expect((await call('GET', path)).body).toEqual({ own: 0 })
  })

  describe('a writer', () => {
    const methods = ['PUT', 'PATCH', 'DELETE']
    const writing = (rows: readonly object[]) => [
      ...reading,
      { ...docs, methods, rows, fields: { write: ['own'] } },
    ]
    const globalIds = async () => {
      const { Doc } = (await gateway
        .request('POST', '/graphql', {
          body: { query: '{ Doc(desc: "own") { edges { node { GlobalId } } } }' },
        })
        .then(({ body }) => (body as Json).data)) as Json
      return Doc.edges.map(({ node }: Json) => node.GlobalId) as string[]
    }

    test('writes under its identifier a record that its right to write admits', async () => {
      const call = await join('writer', writing([{ key: 'own', op: '<', val: 9 }]))
      const answers = []
      for (const [method, body] of [
        ['PATCH', { own: 0 }],
        ['PUT', { own: 3 }],
        ['PUT', { id: null, own: 4 }],
      ] as const) {
        const answer = await call(method, '/apis/docs/d2', body)
        answers.push([answer.status, answer.body])
      }
      expect(answers).toMatchObject([
        [200, hidden],
        [200, { id: null, own: 3 }],
        [200, { id: null, own: 4 }],
      ])
      expect((await gateway.request('GET', '/apis/docs/d2')).body).toMatchObject({ id: 'd2', own: 4 })
    })

    test('is told of another one that it may not write it', async () => {
      const call = await join('narrow', writing(isOwn))
      for (const [method, body] of [
        ['PATCH', { own: 1 }],
        ['PUT', { own: 1 }],
        ['DELETE', undefined],
      ] as const) {
        const { status, body: problem } = await call(method, '/apis/docs/d2', body)
        expect([status, (problem as Json).code]).toEqual([403, 'ROW_NOT_ALLOWED'])
        expect((await call(method, '/apis/docs/d9', body)).status).toBe(404)
        const tagged = await call(method, '/apis/docs/d2', body, { 'if-match': '"x"' })
        expect(tagged.status).toBe(412)
      }
      const [, other] = await globalIds()
      const written = async (mutation: string) => {
        const { body } = await call('POST', '/graphql', { query: `mutation { ${mutation} }` })
        return (body as Json).errors?.[0].extensions.code
      }
      expect(await written('update_Doc(id: "d2", input: {own: 1}) { own }')).toBe('ROW_NOT_ALLOWED')
      expect(await written(`update_Doc(GlobalId: "${other}", input: {own: 1}) { own }`)).toBe(
        'ROW_NOT_ALLOWED',
      )
      expect(await written('updateAll_Doc(where: {own: {eq: 0}}, input: {own: 1}) { count }')).toBe(
        'ROW_NOT_ALLOWED',
      )
      expect((await gateway.request('GET', '/apis/docs/d2')).body).toMatchObject({ own: 0 })
    })

    test('changes by their GlobalIds and by conditions records whose identifiers it does not see', async () => {
      const call = await join('graphql-writer', writing([{ key: 'own', op: '<', val: 9 }]))
      const [, other] = await globalIds()
      const data = await ask(
        call,
        `mutation {
          one: update_Doc(GlobalId: "${other}", input: {own: 5}) { id own }
          all: updateAll_Doc(where: {own: {eq: 5}}, input: {own: 6}) { count records { id own } }
        }`,
      )
      expect(data).toEqual({
        one: { id: null, own: 5 },
        all: { count: 1, records: [{ id: null, own: 6 }] },
      })
    })

    test('is told the address of a new record only where it reads its identifier, or has sent it', async () => {
      const creating = { ...docs, methods: ['POST'], fields: { write: ['id', 'own'] } }
      const call = await join('creator', [...reading, creating])
      const locations = []
      for (const body of [{ own: 1 }, { id: 'd3', own: 0 }, { own: 0 }]) {
        const answer = await call('POST', '/apis/docs', body)
        expect(answer.status).toBe(201)
        locations.push(answer.headers.get('location'))
      }
      expect(locations).toEqual([
        expect.stringMatching(/\/apis\/docs\/.+$/),
        expect.stringMatching(/\/apis\/docs\/d3$/),
        null,
      ])
    })
  })
})

function filter(op: string, val: unknown): string {
  return `filters=${encodeURIComponent(JSON.stringify([{ key: 'id', op, val }]))}`
}
