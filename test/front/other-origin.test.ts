/** An application that calls the gateway on another origin, in a real browser. */
import { createServer, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frontSettings } from '../../src/bin/front-settings.ts'
import { frontCommandOptions } from '../../src/config/command-options.ts'
import { loadConfig } from '../../src/config/load.ts'
import { startWebFront, type WebFront } from '../../src/web-front/web-front.ts'
import { applicationFolder } from '../support/application-folder.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { freePort } from '../support/free-port.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

interface CallInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Runs in the page: what a call is answered, or that the browser kept it from the page. */
async function call(page: Page, address: string, init: CallInit = {}) {
  return page.evaluate(
    async ([address, init]) => {
      try {
        const response = await fetch(address, init)
        return { status: response.status, type: response.type, text: await response.text() }
      } catch {
        return 'blocked'
      }
    },
    [address, init] as const,
  )
}

describe.runIf(hasBrowser)('an application on another origin', () => {
  let gateway: TestGateway
  let front: WebFront
  let folder: Awaited<ReturnType<typeof applicationFolder>>
  let upstream: Server
  let stranger: Server
  let browser: Browser

  const listen = (server: Server) =>
    new Promise<string>((resolve) =>
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
      }),
    )

  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    const port = await freePort()
    gateway = await startTestGateway(product, undefined, { corsOrigins: [`http://localhost:${port}`] })
    upstream = createServer((request, response) => {
      let size = 0
      request.on('data', (piece: Buffer) => {
        size += piece.length
      })
      request.on('end', () => response.end(`${request.method} ${size}`))
    })
    stranger = createServer((_, response) => response.end('<!doctype html><title>Other</title>'))
    const route = { path: '/shop/*', methods: ['GET', 'PUT'], target: await listen(upstream) }
    await gateway.request('PUT', '/manage/routes/shop', { body: route })
    folder = await applicationFolder()
    const file = `port: ${port}
content: { root: ${folder.root} }
backend: { target: "${gateway.url}" }
authentication: { strategy: gateway }`.replaceAll(/^/gm, '  ')
    const { values } = loadConfig(frontCommandOptions, {
      flags: ['--config', 'front.yaml'],
      environment: {},
      readText: () => `front:\n${file}\n`,
    })
    front = await startWebFront(frontSettings(values.front, () => {}))
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    upstream.close()
    stranger.close()
    await front?.close()
    await folder?.remove()
    await gateway?.close()
  })

  test('calls REST, GraphQL, routes and uploads with the token of /session, and reads errors', async () => {
    const page = await browser.newPage()
    await page.goto(`${front.baseUrl}/auth?returnTo=/`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(gateway.password)
    await page.getByLabel('API key').fill(gateway.apiKey)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${front.baseUrl}/`)
    const session = JSON.parse(Object(await call(page, '/session')).text)
    expect(session.backend).toBe(gateway.url)
    const token = { 'x-xaas-auth-token': session.auth.accessToken }
    const json = { ...token, 'content-type': 'application/json' }
    const at = (path: string) => session.backend + path
    const role = JSON.stringify({ name: 'reader', authorities: [] })
    const query = JSON.stringify({ query: '{ __typename }' })
    const made = await call(page, at('/manage/roles'), { method: 'POST', headers: json, body: role })
    expect(made).toMatchObject({ status: 201, type: 'cors' })
    expect(await call(page, at('/graphql'), { method: 'POST', headers: json, body: query })).toEqual({
      status: 200,
      type: 'cors',
      text: '{"data":{"__typename":"Query"}}',
    })
    const upload = { method: 'PUT', headers: token, body: 'x'.repeat(300_000) }
    expect(await call(page, at('/shop/file'), upload)).toEqual({
      status: 200,
      type: 'cors',
      text: 'PUT 300000',
    })
    const refused = await call(page, at('/apis/nothing'), { headers: { 'x-xaas-auth-token': 'wrong' } })
    expect(refused).toMatchObject({ status: 401, type: 'cors' })
    const why = await page.evaluate(async (address) => {
      const { headers } = await fetch(address)
      return ['x-gatehouse-refused', 'x-request-id', 'www-authenticate'].map((name) => headers.get(name))
    }, at('/whoami'))
    expect(why).toEqual(['token', expect.stringMatching(/^[\da-f-]{36}$/), 'Bearer'])
    await page.close()
  })

  test('one that is not listed can read nothing', async () => {
    const page = await browser.newPage()
    await page.goto(await listen(stranger))
    expect(await call(page, `${gateway.url}/healthz`)).toBe('blocked')
    const headers = { 'x-xaas-auth-token': gateway.token }
    expect(await call(page, `${gateway.url}/whoami`, { headers })).toBe('blocked')
    await page.close()
  })
})
