import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let gateway: TestGateway
let token: string

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('there is no product')
  const definitions = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
  gateway = await startTestGateway(product, withEntities(definitions))
  const authorities = [
    { regex: '/apis/ports(/.*)?', methods: ['GET', 'POST'] },
    { regex: '/apis/tenants/query', methods: ['POST'] },
    { regex: '/graphql/Port', methods: ['POST'] },
    { regex: '/shop/.*', methods: ['GET', 'POST'] },
    { regex: '/manage/roles', methods: ['GET'] },
  ]
  const routes = [
    { name: 'open', path: '/apis/tenants/:id', methods: ['GET'], scope: 'public' },
    { name: 'shop', path: '/shop/*', methods: ['GET'], target: 'http://127.0.0.1:9' },
  ]
  for (const body of routes) await gateway.request('POST', '/manage/routes', { body })
  await gateway.request('POST', '/manage/roles', { body: { name: 'reader', authorities } })
  const account = { username: 'robin', password: 'a long pass phrase', role: 'reader' }
  await gateway.request('POST', '/manage/accounts', { body: account })
  const { body } = await gateway.request('POST', '/manage/tokens', { body: { account: 'robin' } })
  token = (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
})
afterAll(() => gateway.close())

const ask = (calls: unknown, options = {}) =>
  gateway.request('POST', '/whoami/access', { body: { calls }, token, ...options })

/** Each with whether it is allowed. */
const calls: readonly (readonly [string, string, boolean])[] = [
  ['GET', '/apis/ports', true],
  ['HEAD', '/apis/ports', true],
  ['DELETE', '/apis/ports/p1', false],
  ['GET', '/apis/%70orts/p1?fields=id', true],
  ['GET', '/apis//ports', false],
  ['GET', '/apis/ports/%2e%2e/tenants', false],
  ['POST', '/apis/ports/query', true],
  // It needs GET on the list as well.
  ['POST', '/apis/tenants/query', false],
  ['GET', '/apis/tenants/t1', true],
  ['GET', '/apis/tenants', false],
  ['POST', '/graphql', true],
  ['GET', '/shop/a', true],
  ['POST', '/shop/a', false],
  ['GET', '/manage/roles', true],
  ['GET', '/manage/roles/admin', false],
  ['GET', '/whoami', true],
  ['GET', '/healthz', true],
  ['GET', '/nothing', false],
  ['get', '/manage/roles', true],
  ['FETCH', '/manage/roles', false],
]

test('each call is decided as the request is', async () => {
  const { status, body } = await ask(calls.map(([method, path]) => ({ method, path })))
  expect({ status, body }).toEqual({
    status: 200,
    body: { calls: calls.map(([method, path, allowed]) => ({ method, path, allowed })) },
  })
  for (const [method, path, allowed] of calls) {
    // These cannot be sent by this client: it mends the path.
    if (path.includes('%2e') || method === 'get' || method === 'FETCH') continue
    const answer = await gateway.request(method, path, { token, ...(method === 'POST' && { body: {} }) })
    const { code = '' } = answer.body as { readonly code?: string }
    const refused = answer.status === 401 || ['REQUEST_TARGET_REFUSED', 'METHOD_NOT_ALLOWED'].includes(code)
    expect(refused, `${method} ${path} ${answer.status}`).toBe(!allowed)
  }
})

test('it needs a valid token, and no right', async () => {
  const one = [{ method: 'GET', path: '/manage/roles' }]
  expect((await ask(one, { token: null })).status).toBe(401)
  expect((await ask(one, { token: 'ght_wrong' })).status).toBe(401)
  const all = { calls: [{ ...one[0], allowed: true }] }
  expect((await ask(one, { token: gateway.token })).body).toEqual(all)
})

test('a list is bounded', async () => {
  const call = { method: 'GET', path: '/apis/ports' }
  expect((await ask(Array(200).fill(call))).status).toBe(200)
  const problem = (await ask(Array(201).fill(call))).body
  expect(problem).toMatchObject({
    code: 'DOCUMENT_INVALID',
    errors: [{ pointer: '/calls', detail: 'This must have at most 200 in it.' }],
  })
  expect((await ask([{ method: 'GET' }])).body).toMatchObject({
    errors: [{ pointer: '/calls/0/path', detail: 'A text is required here.' }],
  })
})
