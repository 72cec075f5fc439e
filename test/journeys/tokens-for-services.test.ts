import { afterAll, beforeAll, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let running: TestGateway
const [product] = products

beforeAll(async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  running = await startTestGateway(product)
  const { request } = running
  const services = [{ regex: '/manage/tokens', methods: ['POST'] }]
  const readers = [{ regex: '/graphql', methods: ['GET'] }]
  await request('POST', '/manage/roles', { body: { name: 'service', authorities: services } })
  await request('POST', '/manage/roles', { body: { name: 'reader', authorities: readers } })
  const robin = { username: 'robin', password: 'a long pass phrase', role: 'reader', metadata: { desk: 4 } }
  await request('POST', '/manage/accounts', { body: robin })
})
afterAll(() => running.close())

test('a service gets a token for an account, with the rights of that account', async () => {
  const answer = await running.request('POST', '/manage/tokens', { body: { account: 'robin' } })
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      'x-xaas-auth-token': expect.stringMatching(/^ght_/),
      expire: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      limited: false,
      role: { name: 'reader', authorities: [{ regex: '/graphql$', methods: ['GET'] }] },
      roles: [{ name: 'reader', authorities: [{ regex: '/graphql$', methods: ['GET'] }] }],
    },
  ])
  const token = (answer.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  const whoami = await running.request('GET', '/whoami', { token })
  expect(whoami.body).toMatchObject({ username: 'robin', metadata: { desk: 4 }, account_expire: null })
  expect((await running.request('GET', '/graphql', { token })).status).toBe(200)
  const beyond = await running.request('POST', '/manage/tokens', { token, body: { account: 'admin' } })
  expect([beyond.status, beyond.body]).toEqual([401, {}])
  expect(running.events).toContainEqual({
    kind: 'LogonSucceeded',
    account: 'robin',
    by: 'admin',
    address: '127.0.0.1',
    requestId: expect.any(String),
  })
})

test.each([
  ['an account that is not there', { account: 'nobody' }, 404],
  ['no account', {}, 422],
  ['a key that is not known', { account: 'robin', password: 'x' }, 422],
])('%s is refused', async (_what, body, status) => {
  expect((await running.request('POST', '/manage/tokens', { body })).status).toBe(status)
})

test('no one without a token gets one', async () => {
  const answer = await running.request('POST', '/manage/tokens', { token: null, body: { account: 'robin' } })
  expect(answer.status).toBe(401)
})
