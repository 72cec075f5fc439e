/** What is entered in the console, and not saved yet: it survives the end of the session, and does not overwrite others unseen. */
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

interface UnsavedForm {
  readonly path: string
  /** The name of an input, what is entered there, and what it has afterwards. */
  readonly input: string
  readonly text: string
  /** Enters what else the button needs. */
  readonly enterOthers?: (page: Page) => Promise<void>
  /** The button that calls the gateway. */
  readonly button: string
}

const forms: readonly UnsavedForm[] = [
  { path: '/roles/new', input: 'Name', text: 'helper', button: 'Create a role' },
  { path: '/roles/named/robin', input: 'Path expression 1', text: '/apis/tenants', button: 'Save' },
  {
    path: '/routes/new',
    input: 'Path',
    text: '/weather/*',
    enterOthers: (page) => page.getByRole('textbox', { name: 'Name' }).fill('weather'),
    button: 'Save',
  },
  { path: '/routes/edit/maps', input: 'Path', text: '/charts/*', button: 'Save' },
  {
    path: '/accounts/new',
    input: 'Username',
    text: 'newcomer',
    async enterOthers(page) {
      await page.getByLabel('Roles').first().fill('robin')
      await page.keyboard.press('Enter')
    },
    button: 'Create an account',
  },
  { path: '/accounts/named/robin', input: 'Metadata', text: '{"shop": "Lethbridge"}', button: 'Save' },
  { path: '/entities/new', input: 'Name', text: 'Ticket', button: 'Show the plan' },
  { path: '/entities/definition/Port', input: 'Category', text: 'network', button: 'Show the plan' },
  {
    path: '/entities/upload',
    input: 'Or paste definitions',
    text: '{"name": "Ticket", "attributes": {"identifier": {"field_name": "id", "field_type": "string"}}}',
    button: 'Show the plan',
  },
]

describe.runIf(hasBrowser)('what is not saved yet in the console', () => {
  let journey: ConsoleJourney
  const port = {
    name: 'Port',
    attributes: { identifier: { field_name: 'id', field_type: 'string' }, local_fields: [], ref_fields: [] },
  }
  const maps = { name: 'maps', path: '/maps/*', methods: ['GET'], target: 'http://127.0.0.1:9' }

  beforeAll(async () => {
    journey = await startConsoleJourney()
    await journey.addAccount('robin', [{ regex: '/apis/ports', methods: ['GET'] }])
    await journey.call('POST', '/manage/routes', maps)
    await journey.call('POST', '/manage/entities', port)
  })
  afterAll(() => journey?.close())

  const inputOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true }).first()

  /** The session ends with the next call: that of the button, or of a form that asks while it is filled in. */
  async function endSession(page: Page, button: string): Promise<void> {
    await page.context().clearCookies()
    const ended = page.getByText('Your session has ended.')
    const press = () =>
      page
        .getByRole('button', { name: button, exact: true })
        .click({ timeout: 1000 })
        .catch(() => undefined)
    await expect
      .poll(async () => {
        if (!(await ended.isVisible())) await press()
        return ended.isVisible()
      })
      .toBe(true)
  }

  async function logInAgain(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
  }

  test.each(forms)('is there again after the session has ended: $path', async (form) => {
    const { path, input, text, enterOthers, button } = form
    const { page } = await journey.open(path, { isNewLogin: true })
    await inputOf(page, input).fill(text)
    await enterOthers?.(page)
    await endSession(page, button)
    await logInAgain(page)
    await page.getByText('What you had entered before you were logged out is back.').waitFor()
    const entered = () =>
      inputOf(page, input).evaluate(
        (element: { readonly value?: string; readonly textContent: string | null }) =>
          element.value ?? element.textContent,
      )
    await expect.poll(entered).toBe(text)
    await expectAccessible(page)
    await page.context().close()
  })

  test('a route that someone else has changed is not overwritten unseen', async () => {
    const { page } = await journey.open('/routes/edit/maps')
    await inputOf(page, 'Path').fill('/charts/*')
    await journey.call('PUT', '/manage/routes/maps', { ...maps, methods: ['GET', 'POST'] })
    await page.getByRole('button', { name: 'Save' }).click()
    const newer = page.getByRole('alert').filter({ hasText: 'Someone else has changed it meanwhile' })
    await newer.getByText('+     "POST"').waitFor()
    await keepPicture(page, 'route-conflict')
    await expectAccessible(page)
    expect(await journey.call('GET', '/manage/routes/maps')).toMatchObject({ path: '/maps/*' })
    await newer.getByRole('button', { name: 'Load what is stored' }).click()
    await newer.waitFor({ state: 'detached' })
    await expect.poll(() => inputOf(page, 'Path').inputValue()).toBe('/maps/*')

    await inputOf(page, 'Path').fill('/charts/*')
    await journey.call('PUT', '/manage/routes/maps', maps)
    await page.getByRole('button', { name: 'Save' }).click()
    await newer.getByRole('button', { name: 'Replace it with mine' }).click()
    await page.getByRole('heading', { name: 'Routes' }).waitFor()
    expect(await journey.call('GET', '/manage/routes/maps')).toMatchObject({
      path: '/charts/*',
      methods: ['GET', 'POST'],
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => journey.call('GET', '/manage/routes/maps'))
      .toMatchObject({ path: '/maps/*', methods: ['GET'] })
    await page.context().close()
  })

  test('a route that someone else changes at the moment of saving is not overwritten unseen, nor deleted', async () => {
    const { page, mistakes } = await journey.open('/routes/edit/maps')
    await inputOf(page, 'Path').fill('/charts/*')
    await page.route('**/manage/routes/maps', async (call) => {
      if (call.request().method() === 'PUT')
        await journey.call('PUT', '/manage/routes/maps', { ...maps, methods: ['GET', 'DELETE'] })
      await call.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    const newer = page.getByRole('alert').filter({ hasText: 'Someone else has changed it meanwhile' })
    await newer.getByText('+     "DELETE"').waitFor()
    expect(await journey.call('GET', '/manage/routes/maps')).toMatchObject({ path: '/maps/*' })
    await page.unroute('**/manage/routes/maps')
    await newer.getByRole('button', { name: 'Load what is stored' }).click()
    await newer.waitFor({ state: 'detached' })

    await journey.call('PUT', '/manage/routes/maps', { ...maps, path: '/atlas/*' })
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Someone else has changed it meanwhile, so it was not deleted.').waitFor()
    await expect.poll(() => inputOf(page, 'Path').inputValue()).toBe('/atlas/*')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The route is deleted.').waitFor()
    await journey.call('PUT', '/manage/routes/maps', maps)
    expectQuiet(mistakes, /status of 412/)
    await page.context().close()
  })

  test('of an account only what was edited is written, and nothing over what someone else has written there', async () => {
    await journey.call('POST', '/manage/roles', { name: 'second', authorities: [] })
    await journey.call('POST', '/manage/accounts', { username: 'dana', password, role: 'robin' })
    const { page } = await journey.open('/accounts/named/dana')
    await inputOf(page, 'Metadata').fill('{"shop": "Lethbridge"}')
    await journey.call('PATCH', '/manage/accounts/dana', { role: ['robin', 'second'] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The account dana is saved.').waitFor()
    expect(await journey.call('GET', '/manage/accounts/dana')).toMatchObject({
      role: ['robin', 'second'],
      metadata: { shop: 'Lethbridge' },
    })

    await inputOf(page, 'Metadata').fill('{"shop": "Woodridge"}')
    await journey.call('PATCH', '/manage/accounts/dana', { metadata: { shop: 'Calgary' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Someone else has changed it meanwhile').waitFor()
    await page.getByText('+     "shop": "Calgary"').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Replace it with mine' }).click()
    await expect
      .poll(() => journey.call('GET', '/manage/accounts/dana'))
      .toMatchObject({ metadata: { shop: 'Woodridge' } })
    await page.context().close()
  })

  test('leaving a form asks first', async () => {
    const { page } = await journey.open('/routes/edit/maps')
    await inputOf(page, 'Path').fill('/elsewhere')
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Leave' })
      .click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.context().close()
  })
})
