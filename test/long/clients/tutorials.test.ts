/** The tutorials, word for word: their files, their commands, what they say that is printed, and their pages in a browser. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Download, Page } from 'playwright-core'
import { preview } from 'vite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../../support/browser.ts'
import { startOpenidProvider } from '../../support/openid-provider.ts'
import { partOf } from '../../support/part-of.ts'
import { hasPoppler, readPdf } from '../../support/pictures.ts'
import { products } from '../../support/products.ts'
import { carryOut, type Tutorial } from '../../support/tutorial.ts'

const minutes = 120_000

async function carriedOut(...[page, options]: Parameters<typeof carryOut>): Promise<Tutorial> {
  const tutorial = await carryOut(page, options)
  onTestFinished(tutorial.end)
  return tutorial
}

/** Each output of the page is what its command printed; `…` stands for any text. */
function expectOutputs({ commands }: Tutorial): void {
  const promised = commands.filter(({ expected }) => expected !== undefined)
  expect(promised.length).toBeGreaterThan(0)
  for (const { command, printed, expected } of promised) {
    if (expected?.language === 'json')
      expect(JSON.parse(printed), command).toEqual(withAnyText(JSON.parse(expected.text)))
    else expect(printed, command).toBe(`${expected?.text}\n`.replace('%PDF-\n', '%PDF-'))
  }
}

/** The file that a page gives to download next; throws with what the page says if it shows a response instead. */
async function downloadOf(page: Page): Promise<Download> {
  const shown = async () => {
    const response = await page.waitForEvent('response', (one) => one.request().isNavigationRequest())
    if (response.ok()) return new Promise<never>(() => {})
    throw new Error(`${response.status()} ${await page.textContent('main')}`)
  }
  return Promise.race([page.waitForEvent('download', { timeout: minutes }), shown()])
}

/** Serves the files of a folder on a free port until the test ends; gives its origin. */
async function serveFolder(folder: string): Promise<string> {
  const server = await preview({
    root: folder,
    build: { outDir: '.' },
    preview: { port: 0, host: '127.0.0.1' },
  })
  onTestFinished(() => server.close())
  const address = server.httpServer.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

function withAnyText(value: unknown): unknown {
  if (value === '…') return expect.any(String)
  if (Array.isArray(value)) return value.map(withAnyText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withAnyText(member)]))
}

test.each(partOf(products, products.length))(
  'a to-do list on $name: three entities and two roles',
  { timeout: minutes },
  async (product) => {
    const { options, remove } = await product.createDatabase()
    onTestFinished(remove)
    const environment =
      options.product === 'sqlite'
        ? {}
        : {
            GATEHOUSE_DB_PRODUCT: options.product,
            GATEHOUSE_DB_HOST: options.host,
            GATEHOUSE_DB_PORT: String(options.port),
            GATEHOUSE_DB_NAME: options.name,
            GATEHOUSE_DB_USER: options.user,
            GATEHOUSE_DB_PASS: options.password ?? '',
          }
    expectOutputs(await carriedOut('docs/tutorials/to-do-list.md', { environment }))
  },
)

test('one application for many tenants', { timeout: minutes }, async () => {
  expectOutputs(await carriedOut('docs/tutorials/tenants.md'))
})

describe.runIf(hasBrowser)('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  const newPage = async (address: string) => {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    return { page, mistakes: watchPage(page, new URL(address).origin) }
  }

  test('GraphQL over an existing database, for a page on another origin', { timeout: minutes }, async () => {
    const excerpt = fileURLToPath(new URL('../../../examples/sakila.sql', import.meta.url))
    const tutorial = await carriedOut('docs/tutorials/films.md', {
      files: { 'sakila.sql': await readFile(excerpt, 'utf8') },
    })
    const address = tutorial.address('http://localhost:5173')
    const { page, mistakes } = await newPage(address)
    await page.goto(address)
    const films = page.locator('#films li')
    await expect.poll(() => films.count()).toBe(5)
    expect(await films.first().textContent()).toMatch(/^ACADEMY DINOSAUR \(English\): .*GUINESS/)
    await page.click('#more')
    await expect.poll(() => films.count()).toBeGreaterThan(5)
    const texts = await films.allTextContents()
    expect(texts).toEqual([...texts].sort())
    expect(mistakes.complaints).toEqual([])

    // The same page from an origin that is not named may ask, and may not read.
    const stranger = await serveFolder(join(tutorial.folder, 'site'))
    const { page: other, mistakes: refused } = await newPage(stranger)
    await other.goto(stranger)
    await expect.poll(() => refused.complaints.join('\n')).toContain('blocked by CORS policy')
    expect(await other.locator('#films li').count()).toBe(0)
  })

  test('an application with sign-in by OpenID Connect', { timeout: minutes }, async () => {
    const tutorial = await carriedOut('docs/tutorials/own-application.md', {
      given: async (address) => {
        const callback = address('http://localhost:8080/auth/staff/callback')
        const provider = await startOpenidProvider(() => [callback])
        onTestFinished(provider.close)
        return { ISSUER: provider.issuer, CLIENT_ID: provider.clientId, CLIENT_SECRET: provider.clientSecret }
      },
    })
    const address = tutorial.address('http://localhost:8080')
    const { page, mistakes } = await newPage(address)
    await page.goto(address)
    await page.click('text=Log in')
    await expect.poll(() => page.textContent('#who')).toBe('Hello Name of ada')
    await page.fill('input[name=text]', 'Water the <tulips>')
    await page.click('text=Add')
    await expect.poll(() => page.locator('#notes li').allTextContents()).toEqual(['Water the <tulips>'])
    await page.reload()
    await expect.poll(() => page.locator('#notes li').allTextContents()).toEqual(['Water the <tulips>'])
    await page.click('text=Log out')
    await expect.poll(() => page.textContent('#who')).toBe('Log in')
    expect(mistakes.complaints.filter((text) => !text.includes('401'))).toEqual([])
  })

  test('an invoice as PDF', { timeout: minutes }, async () => {
    // How long a machine under load takes for a file is not what is tested.
    const environment = { GATEHOUSE_ECHO_TIMEOUT: '60s' }
    const tutorial = await carriedOut('docs/tutorials/invoice.md', { environment })
    expectOutputs(tutorial)
    const { page } = await newPage(tutorial.address('http://localhost:8080'))
    await page.goto(tutorial.address('http://localhost:8080'))
    if (hasPoppler) {
      const { text } = await readPdf(join(tutorial.folder, 'invoice.pdf'))
      expect(text).toMatch(/^ *Invoice 2027-002\n[\s\S]*Ada & Sons\n *London\n[\s\S]*€1,250\.00/)
    }
    const [download] = await Promise.all([downloadOf(page), page.click('button')])
    expect(download.suggestedFilename()).toBe('invoice-2027-001.pdf')
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  })
})
