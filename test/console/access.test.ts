/** Roles, accounts, tokens, sessions and the audit in the console. */
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  startConsoleJourney,
} from '../support/console-journey.ts'

const hostile = '<img src=x onerror=alert(1)> ‮⁦'

describe.runIf(hasBrowser)('access in the console', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleJourney()
    await journey.addAccount('robin', [{ regex: '/apis/ports', methods: ['GET'] }])
    await journey.addAccount('auditor', [{ regex: '/manage/.*|/whoami.*', methods: ['GET'] }])
    await journey.addAccount('guest', [])
    await journey.call('POST', '/manage/roles', { name: hostile, authorities: [] })
  })
  afterAll(() => journey?.close())

  test('a role is made, corrected, tested, changed, undone, deleted and made again', async () => {
    const { page, mistakes } = await journey.open('/')
    await page.getByRole('link', { name: 'Roles', exact: true }).first().click()
    await page.getByRole('link', { name: hostile }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'roles')
    await page.getByRole('searchbox').fill('ROBI')
    await page.getByRole('link', { name: hostile }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'robin' }).waitFor()

    await page.getByRole('link', { name: 'Create a role' }).click()
    await page.getByRole('heading', { name: 'Create a role' }).waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('reader')
    const add = page
      .getByRole('combobox', { name: 'Add an authority' })
      .or(page.getByLabel('Add an authority'))
    await add.first().fill('graph')
    await page.getByRole('option', { name: '/graphql', exact: true }).click()
    await page.getByLabel('Path expression 1').waitFor()
    await add.first().fill('/apis/ports(')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Create a role' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByRole('listitem', { name: 'Authority 2' }).getByRole('alert').waitFor()
    await page.getByLabel('Path expression 2').fill('apis/ports')
    await page.getByRole('button', { name: 'Create a role' }).click()
    await page.getByText('The authority "apis/ports" looks wrong.').waitFor()
    await expectAccessible(page)

    await page.getByRole('combobox', { name: 'Account', exact: true }).fill('robin')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Method' }).selectOption('POST')
    await page.getByRole('combobox', { name: 'Path', exact: true }).fill('/apis/ports')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('Not allowed').waitFor()
    await page.getByText('which the account robin does not have').waitFor()
    await page.getByRole('button', { name: 'Add the missing authority' }).click()
    await expect.poll(() => page.getByLabel('Path expression 3').inputValue()).toBe('/apis/ports')
    await page.getByRole('button', { name: 'Remove authority 2' }).click()
    await page.getByText('Changes that are not saved').waitFor()
    await keepPicture(page, 'role')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The role reader is saved.').waitFor()
    expect(await journey.call('GET', '/manage/roles/reader')).toMatchObject({
      authorities: [{ regex: '/graphql' }, { regex: '/apis/ports', methods: ['POST'] }],
    })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect
      .poll(() => journey.call('GET', '/manage/roles/reader'))
      .toMatchObject({ authorities: [{ regex: '/graphql' }, { regex: 'apis/ports', methods: ['GET'] }] })
    await expect.poll(() => page.getByLabel('Path expression 2').inputValue()).toBe('apis/ports')

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The role reader is deleted.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('link', { name: 'reader' }).waitFor()
    expectQuiet(mistakes, /status of 422/)
    await page.context().close()
  })

  test('a role that someone else has changed, or that is in use, is kept', async () => {
    const { page } = await journey.open('/roles/named/robin')
    await page.getByRole('checkbox', { name: 'DELETE' }).waitFor({ state: 'attached' })
    const theirs = { authorities: [{ regex: '/apis/tenants', methods: ['GET'] }] }
    await journey.call('PUT', '/manage/roles/robin', theirs)
    await page.getByRole('group', { name: 'Methods of authority 1' }).getByText('DELETE').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const newer = page.getByRole('alert').filter({ hasText: 'Someone else has changed it meanwhile' })
    await newer.getByText('+       "regex": "/apis/tenants"').waitFor()
    await expect.poll(() => newer.evaluate((alert) => alert.matches(':focus'))).toBe(true)
    await expectAccessible(page)
    expect(await journey.call('GET', '/manage/roles/robin')).toMatchObject(theirs)
    await page.getByRole('button', { name: 'Load what is stored' }).click()
    await expect.poll(() => page.getByLabel('Path expression 1').inputValue()).toBe('/apis/tenants')

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('1 account has the role "robin".').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${journey.program.frontUrl}/console/roles/named/admin`)
    await page.getByRole('button', { name: 'Remove authority 1' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('administrator').waitFor()
    await page.context().close()
  })

  test('what is entered while a role or an account is being saved stays', async () => {
    await journey.addAccount('late', [{ regex: '/apis/ports', methods: ['GET'] }])
    const { page, mistakes } = await journey.open('/roles/named/late')
    const hold = async (path: string) => {
      const held = Promise.withResolvers<void>()
      await page.route(path, async (route) => {
        if (route.request().method() !== 'GET') await held.promise
        await route.continue()
      })
      return held
    }
    const role = await hold('**/manage/roles/late')
    const methods = page.getByRole('group', { name: 'Methods of authority 1' })
    await methods.getByText('POST', { exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await methods.getByText('PATCH', { exact: true }).click()
    role.resolve()
    await page.getByText('The role late is saved.').waitFor()
    expect(await methods.getByRole('checkbox', { name: 'PATCH' }).isChecked()).toBe(true)
    expect(await journey.call('GET', '/manage/roles/late')).toMatchObject({
      authorities: [{ regex: '/apis/ports', methods: ['GET', 'POST'] }],
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(() => journey.call('GET', '/manage/roles/late'))
      .toMatchObject({ authorities: [{ regex: '/apis/ports', methods: ['GET', 'POST', 'PATCH'] }] })

    await page.goto(`${journey.program.frontUrl}/console/accounts/named/late`)
    const account = await hold('**/manage/accounts/late')
    const metadata = page.getByRole('textbox', { name: 'Metadata' })
    await metadata.fill('{"team": "first"}')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await metadata.fill('{"team": "second"}')
    account.resolve()
    await page.getByText('The account late is saved.').waitFor()
    expect(await metadata.textContent()).toBe('{"team": "second"}')
    expect(await journey.call('GET', '/manage/accounts/late')).toMatchObject({ metadata: { team: 'first' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(() => journey.call('GET', '/manage/accounts/late'))
      .toMatchObject({ metadata: { team: 'second' } })
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a role and an account do not look as if they could only be read while that is asked', async () => {
    const { page, mistakes } = await journey.open('/')
    let known = Promise.withResolvers<void>()
    await page.route('**/whoami/access', async (route) => {
      if (/"(PUT|PATCH)"/.test(route.request().postData() ?? '')) await known.promise
      await route.continue()
    })
    const seen = async (path: string, readOnly: Locator, editable: Locator) => {
      known = Promise.withResolvers()
      const asked = page.waitForRequest(
        (request) =>
          request.url().endsWith('/whoami/access') && /"(PUT|PATCH)"/.test(request.postData() ?? ''),
      )
      await page.goto(`${journey.program.frontUrl}/console${path}`)
      await asked
      expect(await readOnly.count()).toBe(0)
      known.resolve()
      await editable.waitFor()
    }
    const remove = page.getByRole('button', { name: 'Remove authority 1' })
    await seen('/roles/named/robin', page.getByText('You may read this role, but not change it.'), remove)
    const expires = page.getByRole('switch', { name: 'The account expires' })
    await seen('/accounts/named/robin', page.getByText('Metadata', { exact: true }), expires)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('nothing can be entered into a form that goes when it is saved', async () => {
    const { page } = await journey.open('/roles/new')
    const entered = Promise.withResolvers<void>()
    await page.route('**/manage/roles', async (route) => {
      if (route.request().method() === 'POST') await entered.promise
      await route.continue()
    })
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('robin')
    await page.keyboard.press('Enter')
    await page.locator('button[data-loading]').waitFor()
    await page.keyboard.type('a')
    expect(await name.inputValue()).toBe('robin')
    entered.resolve()
    await page.getByRole('alert').getByText('robin').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('a')
    await expect.poll(() => name.inputValue()).toBe('robina')
    await page.context().close()
  })

  test('who may only read sees pages without buttons; who may nothing sees no pages', async () => {
    const { page, mistakes } = await journey.open('/roles/named/admin', { account: 'auditor' })
    await page.getByText('You may read this role, but not change it.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Save|Delete|Add/ }).count()).toBe(0)
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()

    const guest = await journey.open('/', { account: 'guest' })
    await guest.page.getByRole('link', { name: 'Overview' }).first().waitFor()
    for (const area of ['Roles', 'Accounts', 'Tokens', 'Sessions', 'Audit']) {
      await expect.poll(() => guest.page.getByRole('link', { name: area, exact: true }).count()).toBe(0)
    }
    await guest.page.context().close()
  })

  test('changes of an account are undone: its roles, its metadata, its end, and that it is disabled', async () => {
    await journey.addAccount('morgan', [])
    const account = () => journey.call('GET', '/manage/accounts/morgan')
    const before = await account()
    const { page, mistakes } = await journey.open('/accounts/named/morgan')
    const undo = () => page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('The account morgan is disabled.').waitFor()
    expect(await account()).toMatchObject({ disabled: true })
    await undo()
    await page.getByRole('button', { name: 'Disable', exact: true }).waitFor()
    expect(await account()).toEqual(before)

    await page.getByRole('switch', { name: 'The account expires' }).click()
    await page.getByLabel('New lifetime in days').fill('30')
    await page.getByRole('textbox', { name: 'Metadata' }).fill('{"team": "network"}')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The account morgan is saved.').waitFor()
    expect(await account()).toMatchObject({ expire_days: 30, metadata: { team: 'network' } })
    await undo()
    await expect.poll(account).toEqual(before)

    await journey.call('PATCH', '/manage/accounts/morgan', { expire_days: 3 })
    const limited = await account()
    await page.reload()
    await page.getByLabel('New lifetime in days').fill('90')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The account morgan is saved.').waitFor()
    expect(await account()).toMatchObject({ expire_days: 90 })
    await undo()
    await expect.poll(account).toEqual(limited)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('the audit says what each change has changed', async () => {
    const path = '/manage/roles/audited'
    await journey.call('PUT', path, { authorities: [{ regex: '/apis/a', methods: ['GET'] }] })
    await journey.call('PUT', path, { authorities: [{ regex: '/apis/a', methods: ['GET', 'POST'] }] })
    const { page, mistakes } = await journey.open('/audit')
    await page.getByRole('button', { name: 'What changed: Role audited' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Role audited' })
    await dialog.getByRole('insertion').getByText('"POST"').waitFor()
    await expect.poll(() => dialog.getByRole('deletion').allTextContents()).toEqual(['-       "GET"'])
    await expectAccessible(page)
    await keepPicture(page, 'audit')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('one of several tokens of an account ends, in the list of all and at the account', async () => {
    await journey.addAccount('two', [])
    for (const _ of [1, 2, 3]) await journey.call('POST', '/manage/tokens', { account: 'two' })
    const hashesOf = async () => {
      const tokens = (await journey.call('GET', '/manage/tokens?account=two')) as readonly { hash: string }[]
      return tokens.map(({ hash }) => hash)
    }
    const [first = '', second = '', third = ''] = await hashesOf()
    const { page, mistakes } = await journey.open('/tokens')
    for (const [path, hash] of [
      ['/tokens', first],
      ['/accounts/named/two', third],
    ] as const) {
      await page.goto(`${journey.program.frontUrl}/console${path}`)
      const button = page.getByRole('button', { name: `Log off: two ${hash.slice(0, 8)}` })
      await button.waitFor()
      await keepPicture(page, `tokens-${path.length}`)
      await expectAccessible(page)
      await button.click()
      await page.getByRole('dialog').getByText('This token ends.').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Log off', exact: true }).click()
      await button.waitFor({ state: 'detached' })
    }
    expect(await hashesOf()).toEqual([second])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('the pages are the same on a phone, in the dark, in Japanese', async () => {
    const view = { device: 'phone', colorScheme: 'dark', language: 'ja' } as const
    const { page, mistakes } = await journey.open('/roles', view)
    for (const [path, heading] of [
      ['/roles', 'ロール'],
      ['/roles/named/robin', 'robin'],
      ['/roles/new', 'ロールを作成'],
      ['/roles/test', 'アクセスを確認'],
      ['/tokens', 'トークン'],
    ]) {
      await page.goto(`${journey.program.frontUrl}/console${path}`)
      await page.getByRole('heading', { level: 1, name: heading ?? '' }).waitFor()
      await expect.poll(() => page.getByRole('status', { name: '読み込み中' }).count()).toBe(0)
      await expectAccessible(page)
      await keepPicture(page, `phone${path?.replaceAll('/', '-')}`)
    }
    expectQuiet(mistakes)
    await page.context().close()
  })
})
