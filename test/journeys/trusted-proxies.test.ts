import { expect, onTestFinished, test } from 'vitest'
import { products } from '../support/products.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

async function startGateway(trustedProxies: readonly string[]): Promise<TestGateway> {
  const [product] = products
  if (product === undefined) throw new Error('there is no product')
  const gateway = await startTestGateway(product, undefined, { trustedProxies })
  onTestFinished(() => gateway.close())
  return gateway
}

/** Statuses of wrong logons from addresses, as headers say. */
async function guess(gateway: TestGateway, addresses: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = []
  for (const address of addresses) {
    const { status } = await gateway.request('POST', '/logon', {
      body: { username: 'admin', password: 'a guess' },
      headers: { 'x-forwarded-for': address, 'x-xaas-api-key': 'wrong' },
      token: null,
    })
    statuses.push(status)
  }
  return statuses
}

const eleven = Array.from({ length: 11 }, (_, index) => `203.0.113.${index + 1}`)
const refusedAddresses = ({ events }: TestGateway) =>
  events.flatMap((event) => (event.kind === 'LogonRefused' ? [event.address] : []))

test('A13 no one else says who the client is: X-Forwarded-For changes nothing', async () => {
  const gateway = await startGateway([])
  expect(await guess(gateway, eleven)).toEqual([...Array(10).fill(401), 429])
  expect(new Set(refusedAddresses(gateway))).toEqual(new Set(['127.0.0.1']))
})

test('a proxy that is trusted says it: guesses are counted for each client', async () => {
  const gateway = await startGateway(['10.0.0.0/8', '127.0.0.1'])
  expect(await guess(gateway, [...eleven, ...Array(10).fill(eleven[0])])).toEqual([
    ...Array(20).fill(401),
    429,
  ])
  expect(refusedAddresses(gateway).slice(0, 11)).toEqual(eleven)
})

test('what a client claims to have forwarded is not believed', async () => {
  const gateway = await startGateway(['127.0.0.1'])
  await guess(gateway, ['198.51.100.1, 203.0.113.9', 'nonsense'])
  expect(refusedAddresses(gateway)[0]).toBe('203.0.113.9')
})

test('the web front says who logs in at it', async () => {
  const gateway = await startGateway(['127.0.0.1'])
  const front = await startTestFront({
    providers: [{ name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: false }],
    gateway: { address: gateway.url },
    trustedProxies: ['127.0.0.1'],
  })
  onTestFinished(() => front.close())
  const browser = new TestBrowser(front.url)
  const form = await browser.get('/auth/gateway')
  const state = /name="state" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
  const answer = await browser.request('/auth/gateway', {
    form: { state, username: 'admin', password: 'a guess', api_key: 'k' },
    headers: { 'x-forwarded-for': '203.0.113.77' },
  })
  expect(answer.status).toBe(401)
  expect(refusedAddresses(gateway)).toEqual(['203.0.113.77'])
})
