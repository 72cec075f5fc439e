/** The console in a real browser, as `gatehouse up` serves it without any configuration. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser, watchPage } from '../support/browser.ts'
import { type StartedProgram, startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const password = 'a long pass phrase'
const apiKey = 'ghk_0123456789012345678901234567890123'

describe.runIf(hasBrowser)('the console', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let program: StartedProgram
  let browser: Browser

  beforeAll(async () => {
    folder = await temporaryFolder()
    program = await startProgram(folder.path, '--admin_password', password, '--admin_api_key', apiKey)
    const token = await logOn()
    const entities = await readFile(new URL('../../examples/tenants-and-ports.json', import.meta.url), 'utf8')
    await post('/manage/entities', entities, { 'x-xaas-auth-token': token })
    await post('/apis/tenants', '{"id": "acme"}', { 'x-xaas-auth-token': token })
    const reader = { name: 'reader', authorities: [{ regex: '/graphql', methods: ['POST'] }] }
    await post('/manage/roles', JSON.stringify(reader), { 'x-xaas-auth-token': token })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await program?.stop('SIGTERM')
    await folder?.remove()
  })

  async function post(path: string, body: string, headers: Readonly<Record<string, string>>) {
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(program.url + path, init)
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Record<string, string>
  }

  async function logOn(): Promise<string> {
    const body = JSON.stringify({ username: 'admin', password })
    return (await post('/logon', body, { 'x-xaas-api-key': apiKey }))['x-xaas-auth-token'] ?? ''
  }

  async function open(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 900 } })
    const page = await context.newPage()
    await page.goto(program.frontUrl)
    return page
  }

  async function logIn(page: Page, username = 'admin'): Promise<void> {
    await page.getByRole('link', { name: 'Log in' }).click()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText(`Logged in as ${username}`).waitFor()
  }

  const shot = async (page: Page, name: string) => {
    const folder = process.env.TEST_SCREENSHOTS
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  test('shows the entities to whoever logs in, queries them, and lets go', async () => {
    const page = await open()
    const mistakes = watchPage(page, program.frontUrl)
    await page.reload()
    await page.getByRole('heading', { name: 'You are not logged in' }).waitFor()
    expect(page.url()).toBe(`${program.frontUrl}/console/`)
    await page.goto(`${program.frontUrl}/console/at/any/depth?tab=1`)
    await page.reload()
    await page.getByRole('heading', { name: 'You are not logged in' }).waitFor()
    await shot(page, '1-out')
    await logIn(page)
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('row').allTextContents()).toEqual([
      'NamePublished atFields',
      'Port/apis/portsid, name, isActivated, vlanRanges, portType, operationStatus, tenantIdQuery',
      'Tenant/apis/tenantsid, createdAt, deletedAtQuery',
    ])
    await shot(page, '2-in')
    await page.getByRole('button', { name: 'Query Tenant' }).click()
    await page.getByRole('button', { name: 'Run' }).click()
    const answer = page.locator('output')
    await answer.getByText('acme').waitFor()
    expect(JSON.parse((await answer.textContent()) ?? '')).toMatchObject({
      data: { Tenant: { totalCount: 1, edges: [{ node: { id: 'acme' } }] } },
    })
    await shot(page, '3-answer')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'You are not logged in' }).waitFor()
    expect(mistakes.strangers).toEqual([])
    expect(mistakes.complaints).toEqual([])
    await page.context().close()
  })

  test('says what is wrong with a query', async () => {
    const page = await open()
    await logIn(page)
    await page.getByLabel('Query', { exact: true }).fill('{ Tenat { totalCount } }')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.locator('output').textContent()).toContain('Tenat')
    await shot(page, '4-error')
    await page.context().close()
  })

  test('says what a role does not allow', async () => {
    const token = await logOn()
    const account = JSON.stringify({ username: 'robin', password, role: 'reader' })
    await post('/manage/accounts', account, { 'x-xaas-auth-token': token })
    const page = await open()
    await logIn(page, 'robin')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toBe(
      'The role of this account does not allow GET on /manage/entities.',
    )
    await page.getByRole('button', { name: 'Run' }).click()
    await page.locator('output').getByText('"__typename": "Query"').waitFor()
    await shot(page, '5-reader')
    await page.context().close()
  })
})
