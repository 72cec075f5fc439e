/** The pages that people see when something is wrong, or when they log in and out: readable, and without faults of access. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseTarget } from '../../src/proxy/target.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { echoOf } from '../support/echo-template.ts'
import { faultsOf } from '../support/page-faults.ts'
import { partOf } from '../support/part-of.ts'
import { products } from '../support/products.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { startHttp } from '../support/upstream-servers.ts'

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
let gateway: TestGateway
let front: TestFront

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product)
  const target = parseTarget(gateway.url)
  if ('mistake' in target) throw new Error(target.mistake)
  const timeouts = { connect: 1000, response: 5000, idle: 5000 }
  front = await startTestFront({
    gateway: { address: gateway.url },
    backends: [
      { proxyPath: '/backend', target, isGateway: true, tokenHeader: 'X-Xaas-Auth-Token', timeouts },
    ],
    providers: [{ name: 'gateway', label: 'Staff', strategy: { kind: 'gateway' }, transparentTokens: true }],
    content: { patterns: ['/', '/tenants/:tenant'] },
  })
})
afterAll(async () => {
  await front.close()
  await gateway.close()
})

interface ReadPage {
  readonly status: number
  readonly title: string | undefined
  readonly text: string | undefined
  readonly link: string | undefined
  readonly reference: string | undefined
}

async function open(address: string, init: RequestInit = {}): Promise<ReadPage & { headers: Headers }> {
  const headers = { accept: html, ...init.headers }
  const answer = await fetch(address, { ...init, headers })
  const text = await answer.text()
  const first = (pattern: RegExp) =>
    pattern.exec(text)?.[1]?.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
  return {
    status: answer.status,
    title: first(/<h1>(.*?)<\/h1>/),
    text: first(/<p>([^<]*)<\/p>/),
    link: first(/href="(\/[^"]*)"/),
    reference: first(/Reference: ([^<]*)/),
    headers: answer.headers,
  }
}

test.each([
  ['/nowhere', 404, 'There is nothing at this path.', undefined, '/'],
  [
    '/session',
    401,
    'No one is logged in.',
    'Log in at /auth/gateway; with the parameter returnTo you come back to a page.',
    '/auth/gateway?returnTo=%2Fsession',
  ],
  [
    '/backend/apis/a?b=c',
    401,
    'No one is logged in.',
    'Log in at /auth/gateway; with the parameter returnTo you come back to a page.',
    '/auth/gateway?returnTo=%2Fbackend%2Fapis%2Fa%3Fb%3Dc',
  ],
  [
    '/session?refresh=perhaps',
    400,
    'A request parameter is not valid.',
    'The parameter "refresh" takes true or false.',
    '/',
  ],
  [
    '/auth/gateway/callback',
    404,
    'There is nothing at this path.',
    'There is nothing at this path. Logins begin at /auth/gateway.',
    '/',
  ],
])('the web front shows a page at %s: %i', async (path, status, title, text, link) => {
  const { headers, reference, ...page } = await open(front.url + path)
  expect(page).toEqual({ status, title, text, link })
  expect(reference).toBe(headers.get('x-request-id'))
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('content-security-policy')?.replaceAll(/nonce-[\w-]{22}/g, 'nonce-N')).toBe(
    "script-src 'nonce-N'; style-src 'nonce-N'; default-src 'none'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
})

const useToken =
  'Send a token in the header X-Xaas-Auth-Token. POST /logon gives one for an API key, a username and a password.'

test('the gateway shows a page for each refusal, with the same status and sentence', async () => {
  const upstream = await startHttp((_, response) => response.destroy())
  const route = { path: '/broken/*', methods: ['GET'], target: upstream.url, scope: 'public' }
  await gateway.request('PUT', '/manage/routes/broken', { body: route })
  const pages: unknown[] = []
  for (const [path, init] of [
    ['/apis/ports', {}],
    ['/logon', { headers: { 'sec-fetch-dest': 'document', 'x-xaas-auth-token': gateway.token } }],
    ['/logon', { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'x'.repeat(20_000) }],
    ['/broken/a?x=%22', {}],
    ['/a%2fb', {}],
  ] as const) {
    const { status, title, text, link } = await open(gateway.url + path, init)
    pages.push([status, title, text, link])
  }
  expect(pages).toEqual([
    [401, 'An authentication token is required.', useToken, undefined],
    [405, 'This path does not support this method.', 'This path takes POST.', undefined],
    [413, 'The request body is too large.', 'A body may have at most 16384 bytes here.', undefined],
    [502, 'The upstream API sent no valid response.', undefined, '/broken/a?x=%22'],
    [400, 'The request target is not acceptable.', expect.any(String), undefined],
  ])
})

test.each([
  ['a program', { accept: '*/*' }],
  ['a script of a page', { accept: html, 'sec-fetch-dest': 'empty' }],
  ['a picture', { accept: html, 'sec-fetch-dest': 'image' }],
  ['a program that prefers HTML, with a token', { accept: html, 'x-xaas-auth-token': 'ght_unknown' }],
  ['a program that prefers JSON', { accept: 'application/json, text/html;q=0.9' }],
  ['a request without Accept', {}],
])('%s gets the problem document', async (_, headers) => {
  const { status, headers: given } = await fetch(`${gateway.url}/apis/ports`, { headers })
  expect([status, given.get('content-type')]).toEqual([401, 'application/problem+json'])
})

test('a role that does not allow a call is answered {} in any case', async () => {
  await gateway.request('POST', '/manage/roles', { body: { name: 'none', authorities: [] } })
  const account = { username: 'robin', password: 'a long pass phrase', role: 'none' }
  const { api_key } = (await gateway.request('POST', '/manage/accounts', { body: account })).body as {
    readonly api_key: string
  }
  const logon = await gateway.request('POST', '/logon', {
    body: { username: 'robin', password: account.password },
    headers: { 'x-xaas-api-key': api_key },
  })
  const token = (logon.body as Readonly<Record<string, string>>)['x-xaas-auth-token'] ?? ''
  const headers = { accept: html, 'sec-fetch-dest': 'document', 'x-xaas-auth-token': token }
  const answer = await fetch(`${gateway.url}/apis/ports`, { headers })
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    401,
    'application/problem+json',
    '{}',
  ])
})

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  const shown: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
    ['not-found', (page) => page.goto(`${front.front.baseUrl}/nowhere`)],
    ['not-logged-in', (page) => page.goto(`${front.front.baseUrl}/session`)],
    ['no-token', (page) => page.goto(`${gateway.url}/apis/ports`)],
    ['log-in', (page) => page.goto(`${front.front.baseUrl}/auth`)],
    ['log-in-failed', failToLogIn],
    ['log-out', askToLogOut],
  ]

  async function failToLogIn(page: Page): Promise<void> {
    await page.goto(`${front.front.baseUrl}/auth`)
    await page.getByLabel('Username').fill('nobody')
    await page.getByLabel('Password').fill('wrong')
    await page.getByLabel('API key').fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
  }

  async function askToLogOut(page: Page): Promise<void> {
    await page.setContent(`<a href="${front.front.baseUrl}/logout">leave</a>`)
    await page.getByRole('link', { name: 'leave' }).click()
    await page.getByRole('heading', { name: 'Log out?' }).waitFor()
  }

  test('statuses have pages for people, without faults of access', async () => {
    const templates = await temporaryFolder()
    const file = join(templates.path, 'broken.txt')
    await writeFile(file, 'whole')
    const target = parseTarget((await startHttp(() => {})).url)
    if ('mistake' in target) throw new Error(target.mistake)
    const timeouts = { connect: 1000, response: 100, idle: 100 }
    const troubled = await startTestFront({
      backends: [{ proxyPath: '/silent', target, tokenHeader: 'X-Xaas-Auth-Token', timeouts }],
      echo: echoOf({
        reload: true,
        browser: '/bin/false',
        templates: { broken: { file }, letter: { format: 'html', text: 'x' } },
      }),
    })
    onTestFinished(async () => {
      await troubled.close()
      await templates.remove()
    })
    const limits = { requests: 1, per: 86_400 }
    const account = await createAccount(gateway, 'limited', [{ regex: '/apis/.*', methods: ['GET'] }], {
      limits,
    })
    const { baseUrl } = troubled.front
    const page = await (await browser.newContext({ bypassCSP: true })).newPage()
    const statuses: (readonly [number, string, () => Promise<unknown>])[] = [
      [
        403,
        'The request came from a page of another site.',
        async () => {
          await page.setContent(`<form method="post" action="${baseUrl}/echo"><button>send</button></form>`)
          await page.getByRole('button').click()
          await page.getByRole('heading').waitFor()
        },
      ],
      [
        503,
        'The headless browser that makes the file failed.',
        () => page.goto(`${baseUrl}/echo?template=letter&filename=a.pdf`),
      ],
      [
        500,
        'The template could not be filled.',
        async () => {
          await writeFile(file, '{{#if}')
          await page.goto(`${baseUrl}/echo?template=broken`)
        },
      ],
      [504, 'The upstream API took too long to respond.', () => page.goto(`${baseUrl}/silent/x`)],
      [
        429,
        'The account has exceeded its rate limit.',
        async () => {
          await page.setExtraHTTPHeaders({ 'x-xaas-auth-token': await logonAs(gateway, account) })
          await page.goto(`${gateway.url}/apis/none`)
          return page.goto(`${gateway.url}/apis/none`)
        },
      ],
    ]
    let answered = 0
    page.on('response', (response) => {
      if (response.request().isNavigationRequest()) answered = response.status()
    })
    const found: unknown[] = []
    const part = partOf(statuses, 3)
    for (const [status, , show] of part) {
      await show()
      await page.evaluate(axe.source)
      found.push([
        answered,
        await page.getByRole('heading').innerText(),
        await page.evaluate('axe.run().then(({ violations }) => violations)'),
      ])
      const folder = process.env.TEST_SCREENSHOTS
      if (folder) await page.screenshot({ path: `${folder}/${status}.png` })
    }
    expect(found).toEqual(part.map(([status, title]) => [status, title, []]))
  })

  test.each(partOf(shown, 6, 3))(
    '%s: axe finds no fault, light and dark, on a desktop and a phone',
    async (name, show) => {
      const context = await browser.newContext({ bypassCSP: true })
      const page = await context.newPage()
      await show(page)
      expect(await faultsOf(page, name)).toEqual([])
      await context.close()
    },
  )

  test('the pages obey their own policy and ask for nothing else', async () => {
    const page = await browser.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => complaints.push(message.text()))
    await page.goto(`${front.front.baseUrl}/nowhere`)
    const color = await page.evaluate('getComputedStyle(document.querySelector(".button")).backgroundColor')
    expect(color).toBe('rgb(26, 86, 176)')
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([`${front.front.baseUrl}/nowhere`])
    expect(complaints.filter((text) => !text.includes('status of 404'))).toEqual([])
    await page.getByRole('link', { name: 'Back to the start page' }).click()
    await page.waitForURL(`${front.front.baseUrl}/`)
    await page.close()
  })
})
