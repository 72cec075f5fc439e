/** The documentation that a gateway and a web front serve. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guideFolder } from '../../src/bin/guide-folder.ts'
import { errorKinds } from '../../src/errors/errors.ts'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { products } from '../support/products.ts'
import { startTestFront } from '../support/test-front.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('There is no product to test on.')
  gateway = await startTestGateway(product, undefined, { guideFolder })
})
afterAll(() => gateway?.close())

const get = (address: string) => fetch(address, { redirect: 'manual' })

test('every link of every page leads to a page, a file or a heading, without a token', async () => {
  const pages = new Map<string, string>()
  const wanted: [from: string, to: string][] = [['', `${gateway.url}/docs/guide`]]
  for (const [from, to] of wanted) {
    const { origin, pathname, hash } = new URL(to)
    if (origin !== gateway.url) continue
    if (!pages.has(pathname)) {
      const response = await get(origin + pathname)
      const text = await response.text()
      expect([from, pathname, response.status]).toEqual([from, pathname, 200])
      pages.set(pathname, text)
      const isPage = response.headers.get('content-type') === 'text/html; charset=utf-8'
      for (const [, link = ''] of isPage
        ? text.matchAll(/(?:href|src|data-index|data-root)="([^"]+)"/g)
        : []) {
        if (!/^(?:https?|mailto|data):/.test(link)) {
          wanted.push([pathname, new URL(link.replaceAll('&amp;', '&'), origin + pathname).href])
        }
      }
    }
    if (hash !== '') {
      const id = decodeURIComponent(hash.slice(1))
      expect([from, to, pages.get(pathname)?.includes(`id="${id}"`)]).toEqual([from, to, true])
    }
  }
  expect(pages.size).toBeGreaterThan(100)
})

test('each error has a page that says what to do', async () => {
  for (const [code, { title }] of Object.entries(errorKinds)) {
    const response = await get(
      `${gateway.url}/docs/guide/problems/${code.toLowerCase().replaceAll('_', '-')}`,
    )
    const text = await response.text()
    expect([code, response.status]).toEqual([code, 200])
    for (const part of [`>${code}</h1>`, title, 'Why it comes', 'What to do']) expect(text).toContain(part)
  }
})

test('a page runs no foreign code, and what is no page is a problem', async () => {
  const { headers } = await get(`${gateway.url}/docs/guide/glossary`)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  for (const path of [
    '/docs/guide/',
    '/docs/guide/nothing',
    '/docs/guide/index',
    '/docs/guide/search.json/x',
  ]) {
    const response = await get(gateway.url + path)
    expect([path, response.status, await response.json()]).toMatchObject([
      path,
      404,
      { code: 'NOT_FOUND', detail: 'The documentation has no such page. It begins at /docs/guide.' },
    ])
  }
})

test('a web front serves it where the application has nothing', async () => {
  const front = await startTestFront({ guideFolder })
  const claimed = await startTestFront({
    guideFolder,
    content: { patterns: ['/docs/*'] },
    files: { 'docs/guide/glossary': 'our own' },
  })
  try {
    const page = '/docs/guide/problems/login-required'
    expect(await (await get(front.url + page)).text()).toBe(await (await get(gateway.url + page)).text())
    expect(await (await get(`${claimed.url}/docs/guide/glossary`)).text()).toBe('our own')
    expect(await (await get(claimed.url + page)).text()).not.toContain('LOGIN_REQUIRED')
  } finally {
    await front.close()
    await claimed.close()
  }
})

test.skipIf(!hasBrowser)(
  'in a browser it is found by words, fits a phone, and is dark where that is wanted',
  async () => {
    const browser = await startBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' })
      const mistakes = watchPage(page, gateway.url)
      await page.goto(`${gateway.url}/docs/guide/reference/errors`)
      await page.getByRole('searchbox', { name: 'Search' }).fill('api key token')
      await page.locator('#found a', { hasText: 'TOKEN_INVALID' }).click()
      await page.getByRole('heading', { name: 'TOKEN_INVALID' }).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(24, 24, 27)')
      expect(mistakes).toEqual({ complaints: [], strangers: [] })
      if (process.env.SHOTS !== undefined) await page.screenshot({ path: process.env.SHOTS })
    } finally {
      await browser.close()
    }
  },
)
