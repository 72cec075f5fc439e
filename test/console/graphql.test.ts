/** GraphiQL in the console and at the gateway. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  password,
  startConsoleJourney,
} from '../support/console-journey.ts'

describe.runIf(hasBrowser)('GraphiQL', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney()
    const definitions = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
    await journey.call('POST', '/manage/entities', definitions)
    await journey.call('POST', '/apis/tenants', [{ id: 'acme' }])
    await journey.addAccount('half', [{ regex: '/graphql/Tenant', methods: ['POST'] }])
  })
  afterAll(() => journey?.close())

  /** Opens GraphiQL of the gateway, logged on. */
  async function openGateway(page: Page, account: string): Promise<void> {
    await page.goto(`${journey.program.url}/graphql`)
    await page.getByLabel('Username').fill(account)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log on', exact: true }).click()
    await page.locator('.graphiql-query-editor .CodeMirror').waitFor()
  }

  async function enter(page: Page, query: string): Promise<void> {
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(query)
  }

  const shown = (page: Page, text: string) => page.locator('.graphiql-query-editor').getByText(text)
  const wrong =
    '# note\nquery A($n: String = "x", $b: Int = 1) { Tenant(asc: "id") @include(if: true) { edges { node { ...F idx } } } }\nfragment F on Tenant_ { id }'

  /** Looks at each part of GraphiQL in turn. */
  async function lookAround(page: Page, name: string): Promise<void> {
    const look = async (part: string) => {
      await expectAccessible(page)
      await keepPicture(page, `${name}-${part}`)
    }
    await page.locator('.graphiql-query-editor .CodeMirror').waitFor()
    await look('first')
    await enter(page, wrong)
    await page.keyboard.press('Control+Enter')
    await page.locator('.graphiql-response').getByText('Cannot query field').waitFor()
    await look('response')
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByRole('link', { name: 'Tenant_', exact: true }).click()
    await page.getByRole('link', { name: 'portCollection', exact: true }).waitFor()
    await look('docs')
    await page.getByRole('button', { name: 'Show History' }).click()
    await page.getByRole('button', { name: 'Clear', exact: true }).waitFor()
    await look('history')
    await page.getByRole('button', { name: 'Hide History' }).click()
    await page.getByRole('button', { name: 'New tab' }).click()
    await page.getByRole('button', { name: 'Variables' }).click()
    await look('tabs')
    await page.getByRole('button', { name: 'Open settings dialog' }).click()
    await page.getByRole('dialog').waitFor()
    await look('settings')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open short keys dialog' }).click()
    await page.getByRole('dialog').waitFor()
    await look('keys')
    await page.keyboard.press('Escape')
  }

  const views = [
    { place: 'console', device: 'desktop', colorScheme: 'dark', language: 'en' },
    { place: 'console', device: 'phone', colorScheme: 'light', language: 'ja' },
    { place: 'gateway', device: 'desktop', colorScheme: 'light', language: 'en' },
    { place: 'gateway', device: 'phone', colorScheme: 'dark', language: 'en' },
  ] as const
  test.each(views)('no part of it has faults: $place, $device, $colorScheme', async ({ place, ...view }) => {
    const { page, mistakes } = await journey.open(place === 'console' ? '/graphql' : '/', view)
    if (place === 'gateway') await openGateway(page, 'admin')
    await lookAround(page, `graphql-${place}-${view.device}-${view.colorScheme}`)
    if (place === 'console') expectQuiet(mistakes, /status of 400/)
    await page.context().close()
  })

  test('what a query costs is explained', async () => {
    const { page, mistakes } = await journey.open('/graphql')
    await enter(page, '{ Tenant { totalCount } }')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.locator('.graphiql-execute-button').click()
    await page.locator('.graphiql-response').getByText('"explain"').waitFor()
    await page.locator('.graphiql-response').getByText('"plan"').first().waitFor()
    await keepPicture(page, 'graphql-explain')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('queries are saved with their variables for each account, opened again and deleted', async () => {
    const { page, mistakes } = await journey.open('/graphql')
    await enter(page, 'query Named($id: GenericScalar) { Tenant(id: $id) { totalCount } }')
    await page.getByRole('button', { name: 'Variables' }).click()
    await page.locator('.graphiql-editor-tool .CodeMirror').first().click()
    await page.keyboard.insertText('{"id": "acme"}')
    await page.getByRole('button', { name: 'Show Saved Queries' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Named')
    await page.getByRole('textbox', { name: 'Name' }).fill('One tenant')
    await page.getByRole('button', { name: 'Save the query' }).click()
    await page.getByRole('button', { name: 'Replace the saved query' }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'graphql-saved')
    await page.reload()
    await page.getByRole('button', { name: 'Show Saved Queries' }).click()
    await enter(page, '{ __typename }')
    await page.getByRole('button', { name: 'Open One tenant' }).click()
    await shown(page, 'Named').waitFor()
    await page.locator('.graphiql-execute-button').click()
    await page.locator('.graphiql-response').getByText('"totalCount": 1').waitFor()

    const other = await journey.open('/graphql', { account: 'half' })
    await other.page.getByRole('button', { name: 'Show Saved Queries' }).click()
    await other.page.getByText('There are none yet.').waitFor()
    expectQuiet(other.mistakes)
    await other.page.context().close()

    await page.getByRole('button', { name: 'Delete One tenant' }).click()
    await page.getByText('There are none yet.').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('two accounts that log on in one browser do not see each other’s queries', async () => {
    const { page } = await journey.open('/')
    await openGateway(page, 'admin')
    await shown(page, 'portType').waitFor()
    await enter(page, '{ Port { totalCount } }')
    await page.getByRole('button', { name: 'Show Saved Queries' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await page.getByRole('button', { name: 'Save the query' }).click()
    await page.getByRole('button', { name: 'Open Mine' }).waitFor()
    await page.getByRole('button', { name: 'Log off' }).click()
    await openGateway(page, 'half')
    await shown(page, 'Tenant').first().waitFor()
    await page.getByRole('button', { name: 'Show Saved Queries' }).click()
    await page.getByText('There are none yet.').waitFor()
    await page.context().close()
  })
})
