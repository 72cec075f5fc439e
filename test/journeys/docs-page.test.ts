import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser, type PageMistakes, startBrowser, watchPage } from '../support/browser.ts'
import { expectAccessible, keepPicture } from '../support/console-journey.ts'
import { oneTimeCode } from '../support/one-time-code.ts'
import { docsFolder } from '../support/page-folders.ts'
import { allCases } from '../support/part-of.ts'
import { startProxy } from '../support/prefix-proxy.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const example = new URL('../../examples/tenants-and-ports.json', import.meta.url)
const password = 'a long pass phrase'

async function start(): Promise<TestGateway> {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  const running = await startTestGateway(product, undefined, { docsFolder })
  const body: unknown = JSON.parse(await readFile(example, 'utf8'))
  expect((await running.request('POST', '/manage/entities', { body })).status).toBe(201)
  return running
}

describe('/docs', () => {
  let running: TestGateway
  beforeAll(async () => {
    running = await start()
  })
  afterAll(() => running.close())

  test('needs a role like any path; a browser without a token gets a page without data', async () => {
    const asked = async (accept: string, token?: string | null) => {
      const answer = await running.request('GET', '/docs', {
        headers: { accept },
        ...(token === undefined ? {} : { token }),
      })
      return [answer.status, answer.headers.get('content-type')]
    }
    const html = 'text/html; charset=utf-8'
    const problem = 'application/problem+json'
    expect(await asked('*/*', null)).toEqual([401, problem])
    expect(await asked('application/json', null)).toEqual([401, problem])
    expect(await asked('text/html', null)).toEqual([200, html])
    expect(await asked('text/html', 'unknown')).toEqual([401, problem])
    expect(await asked('*/*')).toEqual([200, html])
    const page = await running.request('GET', '/docs', { headers: { accept: 'text/html' }, token: null })
    expect(page.body).not.toMatch(/Port|Tenant/)
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })
})

describe.skipIf(!hasBrowser)('/docs in a browser', () => {
  let running: TestGateway
  let browser: Browser
  let page: Page
  let mistakes: PageMistakes

  beforeAll(async () => {
    running = await start()
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    mistakes = watchPage(page, running.url)
    await page.goto(`${running.url}/docs`)
  })
  afterEach(() => page.close())

  async function logOn(account: { username: string; password: string }): Promise<void> {
    await page.getByLabel('Username').fill(account.username)
    await page.getByLabel('Password').fill(account.password)
    await page.getByRole('button', { name: 'Log on', exact: true }).click()
  }

  const asAdmin = () => logOn({ username: 'admin', password: running.password })

  async function account(username: string, authorities: readonly unknown[]) {
    await running.request('POST', '/manage/roles', { body: { name: username, authorities } })
    await running.request('POST', '/manage/accounts', { body: { username, password, role: username } })
    return { username, password }
  }

  test('shows the operations of an entity, and calls them', async () => {
    await asAdmin()
    await page.getByRole('link', { name: 'Port' }).click()
    await page.locator('#createPort').waitFor()
    expect(await page.locator('details').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      ...['listPort', 'createPort', 'queryPort', 'getPort', 'replacePort', 'changePort', 'deletePort'],
    ])
    const creation = page.locator('#createPort')
    await creation.locator('summary').first().click()
    await creation.getByText('One of "Processing", "Completed", "Cancelled", null.').waitFor()
    await creation.getByLabel('Body').fill('{"id": "p1", "name": "uplink", "portType": "trunk"}')
    await creation.getByRole('button', { name: 'Send POST' }).click()
    const answer = creation.getByRole('group', { name: 'Response' })
    await answer.getByText('201 Created').waitFor()
    await answer.getByText('Headers').click()
    await answer.getByText('location: /apis/ports/p1').waitFor()

    const reading = page.locator('#getPort')
    await reading.locator('summary').first().click()
    await reading.getByLabel('id path').fill('p1')
    await reading.getByRole('button', { name: 'Send GET' }).click()
    await reading.getByRole('group', { name: 'Response' }).getByText('"portType": "trunk"').waitFor()
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
  })

  test.runIf(allCases)('the samples of a call do what the page does', async () => {
    await asAdmin()
    await page.goto(`${running.url}/docs#published/Port`)
    const changing = page.locator('#createPort')
    await changing.locator('summary').first().click()
    const token = await page.evaluate('JSON.parse(sessionStorage.getItem("gatehouse-session")).token')
    const run = async (sample: string, id: string, command: readonly string[]) => {
      const name = `it's "${id}" $HOME\\`
      await changing.getByLabel('Body').fill(JSON.stringify({ id, name, portType: 'x', isActivated: true }))
      await changing.getByRole('button', { name: sample, exact: true }).click()
      const text = await changing.locator('pre').first().innerText()
      const [program = '', ...words] = command
      const script = text.replace("'…'", 'process.env.TOKEN')
      await promisify(execFile)(program, [...words, script], {
        env: { ...process.env, TOKEN: String(token) },
      })
      const { body } = await running.request('GET', `/apis/ports/${id}`)
      expect(body).toMatchObject({ id, name, portType: 'x', isActivated: true })
    }
    await run('curl', 'by-curl', ['sh', '-c'])
    await run('JavaScript', 'by-script', [process.execPath, '--input-type=module', '-e'])
    const hasPython = spawnSync('python3', ['--version']).status === 0
    if (hasPython) await run('Python', 'by-python', ['python3', '-c'])
  })

  test.runIf(allCases)(
    'every request ends, and the page has no faults: large, small, light and dark',
    async () => {
      const pending = new Set<string>()
      page.on('request', (request) => pending.add(request.url()))
      page.on('requestfinished', (request) => pending.delete(request.url()))
      await asAdmin()
      await page.getByRole('link', { name: 'Port' }).waitFor()
      await expect.poll(() => [...pending]).toEqual([])
      await page.getByRole('link', { name: 'Port' }).click()
      await page.locator('#listPort summary').first().click()
      await page.getByRole('button', { name: 'Send GET' }).click()
      await page.getByText('200 OK').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const width of [1200, 390]) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 800 })
          await expectAccessible(page)
          await keepPicture(page, `docs-${width}-${colorScheme}`)
        }
      }
      await page.getByRole('link', { name: '← All APIs' }).click()
      await expectAccessible(page)
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(800)
    },
  )

  test('shows upstream routes and the own API of the gateway to those who may read of them', async () => {
    const upstream = { name: 'shop', path: '/shop/*', methods: ['GET'], target: 'http://127.0.0.1:9' }
    await running.request('POST', '/manage/routes', { body: upstream })
    await asAdmin()
    await page.getByRole('link', { name: 'Upstream' }).click()
    await page.getByRole('link', { name: 'shop' }).click()
    await page.getByText('/shop/{rest}').waitFor()
    await page.getByRole('link', { name: 'Gateway' }).click()
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.locator('#listRoles').waitFor()
    await page.locator('#createRole summary').first().click()
    await page.locator('#createRole').getByText('Fields of authorities').first().click()
    await expectAccessible(page)
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
  })

  test('shows an account only what it may call, and nothing where it may not see the page', async () => {
    await logOn(
      await account('reader', [
        { regex: '/openapi.json|/docs', methods: ['GET'] },
        { regex: '/apis/tenants', methods: ['GET'] },
      ]),
    )
    await page.getByRole('link', { name: 'Tenant' }).click()
    await page.locator('#listTenant').waitFor()
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0)
    expect(await page.locator('details').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      'listTenant',
    ])
    await page.getByRole('button', { name: 'Log off' }).click()
    await logOn(await account('outsider', [{ regex: '/openapi.json', methods: ['GET'] }]))
    await expect
      .poll(() => page.getByRole('alert').innerText())
      .toBe('The role of this account does not allow GET on /docs.')
  })

  test('asks for what password managers know; for the API key only without page_logon', async () => {
    const fields = () =>
      page.locator('input').evaluateAll((all) => all.map((one) => [one.name, one.autocomplete]))
    const username = ['username', 'username']
    const secret = ['password', 'current-password']
    await page.getByLabel('Username').waitFor()
    expect(await fields()).toEqual([username, secret])

    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    const strict = await startTestGateway(product, undefined, { docsFolder, pageLogon: false })
    try {
      await page.goto(`${strict.url}/docs`)
      await page.getByLabel('API key').fill(strict.apiKey)
      expect(await fields()).toEqual([['apiKey', 'off'], username, secret])
      await logOn({ username: 'admin', password: strict.password })
      await page.getByText('There is no published API that this account may call.').waitFor()
    } finally {
      await strict.close()
    }
  })

  test.runIf(allCases)('asks for the code of a second factor after the password', async () => {
    const ada = await account('ada', [{ regex: '/openapi.json|/docs', methods: ['GET'] }])
    const logOnByRequest = await running.request('POST', '/manage/tokens', { body: { account: 'ada' } })
    const token = (logOnByRequest.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
    const own = (method: string, body: object) =>
      running.request(method, '/whoami/second-factor', { token, body })
    const { secret } = (await own('POST', { password: ada.password })).body as { readonly secret: string }
    const active = await own('PATCH', { code: oneTimeCode(secret, new Date()) })
    const { recovery_codes: codes } = active.body as { readonly recovery_codes: readonly string[] }

    await logOn(ada)
    await page.getByText('The account “ada” has a second factor.').waitFor()
    const code = page.getByLabel('Code, or a recovery code')
    await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code')
    await code.fill('wrong')
    await page.getByRole('button', { name: 'Log on', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'This code is wrong, was used before' }).waitFor()
    await code.fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByText('ada', { exact: true }).waitFor()
  })

  test.runIf(allCases)('works below its own path', async () => {
    const proxy = await startProxy('/gate', running.url)
    try {
      await page.goto(`${proxy.url}/gate/docs`)
      await asAdmin()
      await page.getByRole('link', { name: 'Tenant' }).click()
      const list = page.locator('#listTenant')
      await list.locator('summary').first().click()
      await list.getByText(`curl -X GET ${proxy.url}/gate/apis/tenants`).waitFor()
      await list.getByRole('button', { name: 'Send GET' }).click()
      await list.getByText('200 OK').waitFor()
    } finally {
      proxy.close()
    }
  })
})
