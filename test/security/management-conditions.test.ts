/** Of many who change the same role, route or account as they have seen it, one does so, at whichever node. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

interface Answer {
  readonly status: number
  readonly etag: string | null
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
  readonly body: any
}

interface Kind {
  readonly list: string
  readonly method: 'PUT' | 'PATCH'
  /** What is sent to create it. */
  readonly created: (name: string) => object
  /** What is sent to change it; different for each number. */
  readonly changed: (turn: number) => object
  /** The number of the change that a record shows. */
  readonly turnOf: (body: Answer['body']) => number
}

const kinds: readonly Kind[] = [
  {
    list: '/manage/roles',
    method: 'PUT',
    created: (name) => ({
      name,
      targets: ['http://a.test'],
      limits: { per: 5, requests: 1 },
      authorities: [],
    }),
    changed: (turn) => ({ limits: { per: 60, requests: turn + 1 }, gives: [], authorities: [] }),
    turnOf: ({ limits }) => limits.requests - 1,
  },
  {
    list: '/manage/routes',
    method: 'PUT',
    created: (name) => ({ scope: 'public', methods: ['GET'], path: `/apis/${name}`, name }),
    changed: (turn) => ({
      target: 'http://127.0.0.1:9',
      timeout: { response: turn + 1, connect: 2 },
      path: '/changed/*',
      methods: ['GET', 'POST'],
      headers: { set: { 'x-b': 'b', 'x-a': 'a' } },
    }),
    turnOf: ({ timeout }) => timeout.response - 1,
  },
  {
    list: '/manage/accounts',
    method: 'PATCH',
    created: (name) => ({
      username: name,
      password: 'a long pass phrase',
      role: 'conditions-nothing',
      expire_days: 3,
      metadata: { b: 1, a: 1e3 },
    }),
    changed: (turn) => ({ limits: { per: 60, requests: turn + 1 }, metadata: { z: '1', 10: null, 9: 1 } }),
    turnOf: ({ limits }) => limits.requests - 1,
  },
]

const writers = Array.from({ length: 6 }, (_, index) => index)

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let nodes: TwoGateways

  beforeAll(async () => {
    nodes = await startTwoGateways(product, async () => {})
    await call('POST', '/manage/roles', { body: { name: 'conditions-nothing', authorities: [] } })
  })
  afterAll(() => nodes.close())

  async function call(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
    node = 0,
  ): Promise<Answer> {
    const { first, second } = nodes
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await fetch((node % 2 === 0 ? first.url : second.address) + path, {
      method,
      headers: { 'x-xaas-auth-token': first.token, ...type, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const etag = response.headers.get('etag')
    return { status: response.status, etag, body: text === '' ? '' : JSON.parse(text) }
  }

  describe.each(kinds)('$list', ({ list, method, created, changed, turnOf }) => {
    async function make(name: string): Promise<{ readonly path: string; readonly etag: string }> {
      const { status, etag } = await call('POST', list, { body: created(name) })
      expect(status).toBe(201)
      return { path: `${list}/${name}`, etag: etag ?? '' }
    }

    test('each answer tells the tag that the next one reads', async () => {
      const { path, etag } = await make('tagged')
      expect(etag).toMatch(/^"[\w-]{22}"$/)
      expect(await call('GET', path, {}, 1)).toMatchObject({ status: 200, etag })
      const known = await call('GET', path, { headers: { 'if-none-match': `"other", W/${etag}` } })
      expect(known).toEqual({ status: 304, etag, body: '' })
      const written = await call(method, path, { body: changed(1), headers: { 'if-match': etag } })
      expect(written.status).toBe(200)
      expect(written.etag).not.toBe(etag)
      expect(await call('GET', path, {}, 1)).toMatchObject({ status: 200, etag: written.etag })
    })

    test('a change of what someone else has changed is refused, and so is its deletion', async () => {
      const { path, etag } = await make('changed-meanwhile')
      const { etag: current } = await call(method, path, { body: changed(2) })
      const headers = { 'if-match': etag }
      for (const refused of [
        await call(method, path, { body: changed(3), headers }, 1),
        await call('DELETE', path, { headers }),
      ]) {
        expect(refused).toMatchObject({
          status: 412,
          etag: current,
          body: {
            type: '/docs/guide/problems/precondition-failed',
            code: 'PRECONDITION_FAILED',
            detail: 'Read the record again, and send the change with its new ETag.',
          },
        })
      }
      expect(turnOf((await call('GET', path)).body)).toBe(2)
      expect(await call('DELETE', path, { headers: { 'if-match': '*' } })).toMatchObject({ status: 204 })
      for (const gone of ['DELETE', method]) {
        const body = gone === 'DELETE' ? {} : { body: changed(4) }
        const refused = await call(gone, path, { ...body, headers: { 'if-match': current ?? '' } })
        expect(refused).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } })
      }
      expect((await call('GET', path)).status).toBe(404)
    })

    test('of many with one tag one is carried out', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { path, etag } = await make(`raced-${round}`)
        const headers = { 'if-match': etag }
        const answers = await Promise.all(
          writers.map((writer) => call(method, path, { body: changed(writer), headers }, writer)),
        )
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412, 412])
        const winner = answers.findIndex(({ status }) => status === 200)
        expect(turnOf((await call('GET', path, {}, 1)).body)).toBe(winner)
        const removals = await Promise.all(
          writers.map((writer) =>
            call('DELETE', path, { headers: { 'if-match': answers[winner]?.etag ?? '' } }, writer),
          ),
        )
        expect(removals.map(({ status }) => status).toSorted()).toEqual([204, 412, 412, 412, 412, 412])
      }
    })
  })

  test.each(['roles', 'routes'])(
    'PUT of %s with If-None-Match: * creates, and replaces nothing',
    async (what) => {
      const kind = kinds.find(({ list }) => list.endsWith(what))
      const options = { body: kind?.changed(1), headers: { 'if-none-match': '*' } }
      const path = `/manage/${what}/only-new`
      expect(await call('PUT', path, options)).toMatchObject({ status: 201, etag: expect.any(String) })
      expect(await call('PUT', path, options, 1)).toMatchObject({ status: 412 })
    },
  )

  test('a dry run of a role keeps to the condition, too', async () => {
    await call('POST', '/manage/roles', { body: { name: 'dry', authorities: [] } })
    const path = '/manage/roles/dry?dry_run=true'
    const body = { authorities: [] }
    expect(await call('PUT', path, { body, headers: { 'if-match': '"x"' } })).toMatchObject({ status: 412 })
    const { etag } = await call('GET', '/manage/roles/dry')
    expect(await call('PUT', path, { body, headers: { 'if-match': etag ?? '' } })).toMatchObject({
      status: 200,
    })
  })
})
