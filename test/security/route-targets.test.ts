/** R13: where routes may lead. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { anyProduct, products } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { resolveAs } from '../support/resolve-as.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { startEcho } from '../support/upstream-servers.ts'

const refusal = (host: string) =>
  `No route may lead to "${host}": it is link-local, or the metadata service of a cloud. The operator of the gateway can allow it with --target_allow.`
const route = (target: string | readonly string[]) => ({ path: '/up/*', methods: ['GET', 'POST'], target })

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product, undefined, { targetAllow: ['169.254.7.0/24', 'metadata.goog'] })
  })
  afterAll(() => gateway.close())
  const put = (target: string | readonly string[]) =>
    gateway.request('PUT', '/manage/routes/up', { body: route(target) })

  test('R13: link-local and metadata addresses are refused when they are written, however they are spelt', async () => {
    const spelt = {
      'http://169.254.169.254/': '169.254.169.254',
      'http://2852039166/latest': '169.254.169.254',
      'http://0xa9fea9fe:80': '169.254.169.254',
      'http://[::ffff:169.254.169.254]': '::ffff:a9fe:a9fe',
      'https://[fe80::1]:8443': 'fe80::1',
      'http://[fd00:ec2::254]': 'fd00:ec2::254',
      'http://metadata.google.internal': 'metadata.google.internal',
    }
    for (const [target, host] of Object.entries(spelt)) {
      expect(await put(target)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/target', detail: refusal(host) }] },
      })
    }
    expect(await put(['http://127.0.0.1:1', 'http://169.254.169.254'])).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/target/1', detail: refusal('169.254.169.254') }] },
    })
    const body = { name: 'up', ...route('http://169.254.169.254') }
    expect((await gateway.request('POST', '/manage/routes', { body })).status).toBe(422)
    expect((await gateway.request('GET', '/manage/routes/up')).status).toBe(404)
    expect((await put(['http://169.254.7.9', 'http://metadata.goog'])).status).toBe(201)
  })
})

const [product] = products

test('R13: a name that comes to stand for such an address is unreachable from then on, in every way to ask', async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  let address = '127.0.0.1'
  resolveAs({ 'later.example': () => address })
  const gateway = await startTestGateway(product)
  onTestFinished(() => gateway.close())
  const echo = await startEcho()
  const target = `http://later.example:${new URL(echo.url).port}`
  const health = { path: '/', interval: 0.05, timeout: 1, threshold: 1 }
  await gateway.request('PUT', '/manage/routes/up', { body: route(target) })
  const get = (headers = {}) => gateway.request('GET', '/up/x', { headers })
  const openSocket = async () => {
    const lines = ['GET /up/x HTTP/1.1', 'Host: localhost', `X-Xaas-Auth-Token: ${gateway.token}`]
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ]
    return (await rawRequest(gateway.url, [...lines, ...upgrade, '', ''].join('\r\n'))).status
  }
  expect((await get()).status).toBe(200)

  address = '169.254.169.254'
  // Changed settings open connections again.
  await gateway.request('PUT', '/manage/routes/up', { body: { ...route(target), timeout: { connect: 4 } } })
  const before = echo.received.length
  expect(await get()).toMatchObject({ status: 502, body: { code: 'UPSTREAM_UNREACHABLE' } })
  expect((await get({ accept: 'text/event-stream' })).status).toBe(502)
  expect(await openSocket()).toBe(502)
  expect(echo.received.length).toBe(before)
  const judged = () => gateway.events.filter((event) => event.kind === 'TargetJudged')
  await gateway.request('PUT', '/manage/routes/up', { body: { ...route(target), health } })
  await vi.waitFor(() => expect(judged()).toMatchObject([{ judgement: 'down' }]), 20_000)
  expect(echo.received.length).toBe(before)
  address = '127.0.0.1'
  await vi.waitFor(() => expect(judged()).toMatchObject([{ judgement: 'down' }, { judgement: 'up' }]), 20_000)
})

test('R13: a target that an earlier version took is asked no more', async () => {
  if (product === undefined) throw new Error('There is no product to test on.')
  let update = async () => {}
  const gateway = await startTestGateway(product, async (options) => {
    update = async () => {
      const database = await openDatabase(options)
      const settings = JSON.stringify({ target: 'http://169.254.169.254' })
      const sql = `update gatehouse_upstream set settings = '${settings}'`
      await database.driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
      await database.driver.close()
    }
  })
  onTestFinished(() => gateway.close())
  await gateway.request('PUT', '/manage/routes/up', { body: route('http://127.0.0.1:9') })
  await update()
  await gateway.request('PUT', '/manage/routes/other', {
    body: { ...route('http://127.0.0.1:9'), path: '/other' },
  })
  expect(await gateway.request('GET', '/up/x')).toMatchObject({
    status: 502,
    body: { code: 'UPSTREAM_UNREACHABLE' },
  })
})
