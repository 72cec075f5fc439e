/** A log-in, calls of the backend and attacks of another site, in a real browser: it says itself where requests come from. */
import { createServer, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseTarget } from '../../src/proxy/target.ts'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { products } from '../support/products.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const application = `<!doctype html><title>App</title><p id="out"></p>
<script>
  document.getElementById('out').textContent = 'ran'
</script>
<script src="/app-BkX93kd1.js"></script>`

describe.runIf(hasBrowser)('in a browser', () => {
  let gateway: TestGateway
  let front: TestFront
  let evil: Server
  let evilUrl = ''
  let browser: Browser
  let url = ''
  /** How much later it is for the front, in milliseconds. */
  let passed = 0

  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    gateway = await startTestGateway(product)
    const target = parseTarget(gateway.url)
    if ('mistake' in target) throw new Error(target.mistake)
    const timeouts = { connect: 1000, response: 5000, idle: 5000 }
    front = await startTestFront({
      now: () => new Date(Date.now() + passed),
      gateway: { address: gateway.url },
      backend: { proxyPath: '/backend', target, tokenHeader: 'X-Xaas-Auth-Token', timeouts },
      providers: [
        { name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: true },
      ],
      content: { patterns: ['/', '/tenants/:tenant'] },
      files: { 'index.html': application, 'app-BkX93kd1.js': 'window.loaded = true', 'favicon.ico': '' },
    })
    url = front.front.baseUrl
    evil = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      if (request.url === '/frames') {
        response.end(`<iframe src="${url}/"></iframe><iframe src="${url}/auth/gateway"></iframe>`)
        return
      }
      response.end(`<img src="${url}/logout"><a id="out" href="${url}/logout">click</a>
        <form id="post" method="post" action="${url}/backend/manage/roles" enctype="text/plain"><input name="x" value="y"><button>call</button></form>
        <form id="logout" method="post" action="${url}/logout"><button>leave</button></form>`)
    })
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve))
    const address = evil.address()
    evilUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    evil.closeAllConnections()
    evil.close()
    await front.close()
    await gateway.close()
  })

  async function logIn(): Promise<Page> {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${url}/auth?returnTo=/tenants/acme%3Ftab%3Dports`)
    await fillIn(page)
    return page
  }

  async function fillIn(page: Page): Promise<void> {
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(gateway.password)
    await page.getByLabel('API key').fill(gateway.apiKey)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${url}/tenants/acme?tab=ports`)
  }

  /** Runs in the page: what a call is answered. */
  const call = (page: Page, path: string, method = 'GET', document?: object) =>
    page.evaluate(
      async ([path, method, body]) => {
        const headers = body === undefined ? {} : { 'content-type': 'application/json' }
        const response = await fetch(path ?? '', { method: method ?? '', headers, body: body ?? null })
        const text = await response.text()
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
      },
      [path, method, document === undefined ? undefined : JSON.stringify(document)] as const,
    )

  test('the application runs, knows its session and calls its backend', async () => {
    const page = await logIn()
    const mistakes = watchPage(page, url)
    await page.reload()
    await expect.poll(() => page.textContent('#out')).toBe('ran')
    expect(await page.evaluate('window.loaded')).toBe(true)
    const session = await call(page, '/session')
    expect([session.status, session.body.auth.account_id, session.body.query, session.body.params]).toEqual([
      200,
      'admin',
      { tab: 'ports' },
      { tenant: 'acme' },
    ])
    expect(JSON.stringify(session.body)).not.toContain('ght_')
    expect(await page.evaluate('document.cookie')).toBe('')
    expect((await call(page, `${session.body.backend}/whoami`)).body.username).toBe('admin')
    const role = { name: 'from-a-browser', authorities: [] }
    expect((await call(page, '/backend/manage/roles', 'POST', role)).status).toBe(201)
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
    expect((await call(page, '/logout', 'POST')).status).toBe(204)
    expect((await call(page, '/session')).status).toBe(401)
    await page.context().close()
  })

  test('a second tab has the same session, and a log-out in one of them ends both', async () => {
    const page = await logIn()
    const second = await page.context().newPage()
    await second.goto(`${url}/`)
    const [one, other] = [await call(page, '/session'), await call(second, '/session')]
    expect([other.status, other.body.id]).toEqual([200, one.body.id])
    await second.goto(`${url}/logout`)
    await second.waitForURL(`${url}/`)
    expect((await call(page, '/session')).status).toBe(401)
    expect((await call(page, '/backend/whoami')).status).toBe(401)
    await page.reload()
    expect((await call(page, '/session')).body.login).toBe('/auth/gateway')
    await page.context().close()
  })

  test('the back button after a log-out opens nothing again', async () => {
    const page = await logIn()
    const cookie = async () =>
      (await page.context().cookies()).find(({ name }) => name === 'gatehouse')?.value ?? ''
    const before = await cookie()
    expect((await call(page, '/backend/whoami')).status).toBe(200)
    await page.goto(`${url}/logout`)
    await page.waitForURL(`${url}/`)
    await page.goBack()
    expect(page.url()).toBe(`${url}/tenants/acme?tab=ports`)
    expect((await call(page, '/session')).status).toBe(401)
    expect((await call(page, '/backend/whoami')).status).toBe(401)
    // Nor does the form of the log-in, to which one comes by going back further.
    await page.goBack()
    const submit = page.getByRole('button', { name: 'Log in' })
    if ((await submit.count()) > 0) expect(await page.getByLabel('Password').inputValue()).toBe('')
    expect([before.length, (await cookie()) === before]).toEqual([43, false])
    await page.context().close()
  })

  test('a session that is over is begun again by a log-in, which leads back', async () => {
    const page = await logIn()
    const { id } = (await call(page, '/session')).body
    passed += 31 * 60_000
    const over = await call(page, '/session')
    expect([over.status, over.body.login]).toEqual([401, '/auth/gateway'])
    expect((await call(page, '/backend/whoami')).status).toBe(401)
    await page.goto(`${url}${over.body.login}?returnTo=${encodeURIComponent('/tenants/acme?tab=ports')}`)
    await fillIn(page)
    const session = await call(page, '/session')
    expect([session.status, session.body.id === id]).toEqual([200, false])
    await page.context().close()
  })

  test('I13 no page of another site shows one of ours in a frame', async () => {
    const page = await logIn()
    const complaints = watchPage(page, url).complaints
    await page.goto(`${evilUrl}frames`)
    await expect.poll(() => complaints.filter((text) => text.includes('frame-ancestors')).length).toBe(2)
    await page.context().close()
  })

  test('another site can neither call the backend nor log anybody out', async () => {
    const page = await logIn()
    const isLoggedIn = async () => {
      await page.goto(url)
      return (await call(page, '/session')).status === 200
    }
    for (const button of ['call', 'leave']) {
      await page.goto(evilUrl)
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        page.getByRole('button', { name: button }).click(),
      ])
      await page.waitForLoadState()
      expect(answer.status()).toBe(403)
      expect(await isLoggedIn()).toBe(true)
    }
    await page.goto(evilUrl)
    await page.click('#out')
    await page.waitForURL(`${url}/logout`)
    await expect.poll(() => page.textContent('h1')).toBe('Log out?')
    expect(await isLoggedIn()).toBe(true)
    await page.goto(evilUrl)
    await page.click('#out')
    await page.getByRole('link', { name: 'Log out' }).click()
    await page.waitForURL(`${url}/`)
    expect(await isLoggedIn()).toBe(false)
    await page.context().close()
  })
})
