import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser, type PageMistakes, startBrowser, watchPage } from '../support/browser.ts'
import { graphiqlFolder } from '../support/page-folders.ts'
import { allCases } from '../support/part-of.ts'
import { startProxy } from '../support/prefix-proxy.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const example = new URL('../../examples/tenants-and-ports.json', import.meta.url)
const password = 'a long pass phrase'

describe.skipIf(!hasBrowser)('GraphiQL in a browser', () => {
  let running: TestGateway
  let browser: Browser
  let page: Page
  let mistakes: PageMistakes

  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    running = await startTestGateway(product, undefined, { graphiqlFolder })
    const definitions: unknown = JSON.parse(await readFile(example, 'utf8'))
    await created('/manage/entities', definitions)
    await created('/apis/tenants', [{ id: 'acme' }, { id: 'umbrella' }])
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1300, height: 800 } })
    mistakes = watchPage(page, running.url)
    await page.goto(`${running.url}/graphql`)
  })
  afterEach(() => page.close())

  async function created(path: string, body: unknown): Promise<unknown> {
    const answer = await running.request('POST', path, { body })
    expect(answer.status).toBe(201)
    return answer.body
  }

  async function logOn(account: { username: string; password: string }): Promise<void> {
    await page.getByLabel('Username').fill(account.username)
    await page.getByLabel('Password').fill(account.password)
    await page.getByRole('button', { name: 'Log on', exact: true }).click()
  }

  function logOnAsAdmin(): Promise<void> {
    return logOn({ username: 'admin', password: running.password })
  }

  /** An account with its own role that takes these authorities. */
  async function account(username: string, authorities: readonly unknown[]) {
    await created('/manage/roles', { name: username, authorities })
    await created('/manage/accounts', { username, password, role: username })
    return { username, password }
  }

  const expectAlert = (message: string) => page.getByRole('alert').filter({ hasText: message }).waitFor()
  const result = () => page.getByRole('region', { name: 'Result Window' })

  /** Types a query into the editor, whose completion closes brackets by itself, and runs it. */
  async function run(query: string): Promise<void> {
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(query)
    await page.keyboard.press('Control+Enter')
  }

  test('one logs on, runs a query, and reads about the types', async () => {
    await logOnAsAdmin()
    await run('{ Tenant(asc: "id") { totalCount edges { node { id } } } }')
    await result().getByText('umbrella').waitFor()
    expect(JSON.parse(await shownResult(page))).toEqual({
      data: {
        Tenant: { totalCount: 2, edges: [{ node: { id: 'acme' } }, { node: { id: 'umbrella' } }] },
      },
    })

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByRole('link', { name: 'Port_Connection', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Tenant_', exact: true }).click()
    await page.getByRole('link', { name: 'portCollection', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Open settings dialog' }).click()
    await page.getByRole('dialog').getByText('Theme').waitFor()
    await expect.poll(() => page.getByText('Persist headers').count()).toBe(0)
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
  })

  test('a button adds how the database has worked to the response', async () => {
    await logOnAsAdmin()
    await run('{ Tenant { totalCount } }')
    await result().getByText('"totalCount"').waitFor()
    expect(JSON.parse(await shownResult(page))).toEqual({ data: { Tenant: { totalCount: 2 } } })
    const button = page.getByRole('button', { name: /^Explain/ })
    await button.click()
    expect(await button.getAttribute('aria-pressed')).toBe('true')
    await run('{ Tenant { totalCount } }')
    await result().getByText('"explain"').waitFor()
    expect(JSON.parse(await shownResult(page))).toEqual({
      data: { Tenant: { totalCount: 2 } },
      extensions: {
        explain: {
          milliseconds: expect.any(Number),
          statements: [
            expect.objectContaining({
              sql: expect.stringContaining('count'),
              rows: 1,
              plan: expect.any(Array),
            }),
          ],
        },
      },
    })
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
  })

  test.runIf(allCases)('its editor, menus and dialogs keep to the content security policy', async () => {
    await logOnAsAdmin()
    const editor = page.locator('.graphiql-query-editor .CodeMirror')
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('{ Tenant { edges { node { i')
    await page.locator('.CodeMirror-hints').getByText('id', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('xx ')
    await page.locator('.CodeMirror-lint-mark-error').first().hover()
    await page.locator('.CodeMirror-lint-tooltip').getByText('Cannot query field "ixx"').waitFor()

    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('query A { __typename } query B { Tenant { totalCount } }')
    await page.getByRole('button', { name: 'Prettify' }).click()
    await page.locator('.graphiql-execute-button[aria-haspopup="menu"]').click()
    await page.getByRole('menuitem', { name: 'B', exact: true }).click()
    await result().getByText('"totalCount"').waitFor()

    await page.getByRole('button', { name: 'Show History' }).click()
    await page.getByRole('button', { name: 'New tab' }).click()
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByRole('combobox').fill('portColl')
    await page.getByRole('option', { name: 'portCollection' }).first().click()
    await page.getByText('Port_Connection').first().waitFor()
    await page.getByRole('button', { name: 'Open short keys dialog' }).click()
    await page.getByRole('dialog').getByText('Short Keys').first().waitFor()
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
  })

  test.runIf(allCases)('the token is kept for this tab until one logs off, and ends then', async () => {
    await logOnAsAdmin()
    await page.getByText('admin', { exact: true }).waitFor()
    await page.reload()
    await run('{ __typename }')
    await result().getByText('"Query"').waitFor()

    const sent = page.waitForRequest(`${running.url}/logoff`)
    await page.getByRole('button', { name: 'Log off' }).click()
    const token = (await sent).headers()['x-xaas-auth-token'] ?? ''
    await page.getByLabel('Username').waitFor()
    expect((await running.request('GET', '/whoami', { token })).status).toBe(401)
    await page.reload()
    await page.getByLabel('Username').waitFor()
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
  })

  test.runIf(allCases)('one can come with a token', async () => {
    await page.getByRole('button', { name: 'Use a token instead' }).click()
    await page.getByLabel('Token').fill('nonsense')
    await page.getByRole('button', { name: 'Use the token' }).click()
    await expectAlert('This token was never given, or has ended.')
    await page.getByLabel('Token').fill(` ${running.token} `)
    await page.getByRole('button', { name: 'Use the token' }).click()
    await page.getByText('admin', { exact: true }).waitFor()
    expect(page.url()).toBe(`${running.url}/graphql`)
  })

  test('a refused logon says so, and one can try again', async () => {
    await logOn({ username: 'admin', password: 'wrong' })
    await expectAlert('The username or password is wrong.')
    await logOnAsAdmin()
    await page.getByText('admin', { exact: true }).waitFor()
  })

  test.runIf(allCases)(
    'a token that ends leads back to the form, and the query is still there after the next logon',
    async () => {
      const robin = await account('robin', [{ regex: '/graphql', methods: ['POST'] }])
      await logOn(robin)
      await run('{ Tenant(first: 1) { edges { node { id } } } }')
      await result().getByText('"acme"').waitFor()
      const ended = await running.request('DELETE', '/manage/tokens?account=robin')
      expect([ended.status, ended.body]).toEqual([200, { ended: 1 }])
      await page.keyboard.press('Control+Enter')
      await expectAlert('This token was never given, or has ended.')
      await logOn(robin)
      await page.locator('.graphiql-query-editor').getByText('Tenant').waitFor()
    },
  )

  test.runIf(allCases)('it works below a path of a proxy', async () => {
    const proxy = await startProxy('/gate', running.url)
    try {
      await page.goto(`${proxy.url}/gate/graphql`)
      await logOnAsAdmin()
      await run('{ __typename }')
      await result().getByText('"Query"').waitFor()
    } finally {
      proxy.close()
    }
  })

  test.runIf(allCases)('an account whose role does not allow it is told so', async () => {
    await logOn(await account('kim', [{ regex: '/apis/.*', methods: ['GET'] }]))
    await page.getByText('kim', { exact: true }).waitFor()
    await result().getByText('The role of this account does not allow POST on /graphql.').waitFor()
  })

  test('where /graphql is public, no one has to log on', async () => {
    await created('/manage/routes', {
      name: 'open-graphql',
      path: '/graphql',
      methods: ['GET', 'POST'],
      scope: 'public',
    })
    try {
      await page.reload()
      await run('{ Tenant { totalCount } }')
      await result().getByText('"totalCount"').waitFor()
      await page.getByRole('button', { name: 'Log on', exact: true }).click()
      await page.getByRole('button', { name: 'Go on without logging on' }).click()
      await page.getByRole('button', { name: 'Log on', exact: true }).click()
      await logOnAsAdmin()
      await page.getByText('admin', { exact: true }).waitFor()
      expect(mistakes).toEqual({ complaints: [], strangers: [] })
    } finally {
      await running.request('DELETE', '/manage/routes/open-graphql')
    }
  })
})

describe.skipIf(!hasBrowser)('GraphiQL where the schema is hidden', () => {
  let running: TestGateway
  let browser: Browser

  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    const settings = { graphiqlFolder, graphqlRequests: { hidesSchema: true } }
    running = await startTestGateway(product, undefined, settings)
    const authorities = [{ regex: '/graphql', methods: ['POST'] }]
    await running.request('POST', '/manage/roles', { body: { name: 'reader', authorities } })
    const robin = { username: 'robin', password, role: 'reader' }
    await running.request('POST', '/manage/accounts', { body: robin })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await running?.close()
  })

  test('the page says so, and runs queries', async () => {
    const page = await browser.newPage()
    const mistakes = watchPage(page, running.url)
    await page.goto(`${running.url}/graphql`)
    await page.getByLabel('Username').fill('robin')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log on', exact: true }).click()
    await page.getByText('The schema is not shown to your role').waitFor()
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('region', { name: 'Result Window' }).getByText('"Query"').waitFor()
    expect(JSON.parse(await shownResult(page))).toEqual({ data: { __typename: 'Query' } })
    expect(mistakes).toEqual({ complaints: [], strangers: [] })
    await page.close()
  })
})

/** The text of the result, without the signs beside it that fold it. */
async function shownResult(page: Page): Promise<string> {
  const lines = await page.locator('.result-window .CodeMirror-line').allInnerTexts()
  return lines.join('\n').replaceAll('\u00a0', ' ')
}
