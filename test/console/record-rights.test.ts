/** Roles with conditions on records: made in the console, and what an account with one sees and writes there. */
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
import { definition, field, reference } from '../support/temporary-entities.ts'

const entities = [
  definition('Tenant', { local: [field('name', 'string')] }),
  definition('Port', {
    local: [
      field('name', 'string', { field_nullable: false }),
      field('secret', 'string'),
      field('operationStatus', 'string'),
    ],
    refs: [reference('tenantId', 'Tenant')],
  }),
  definition('Parcel', {
    local: [field('name', 'string'), field('weight', 'integer'), field('meta', 'object')],
  }),
]

const conditions = {
  rows: [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }],
  fields: { read: ['id', 'name', 'tenantId', 'operationStatus'], write: ['name'] },
  set: { tenantId: { account: 'metadata.tenant' } },
}
const authority = {
  regex: '/apis/ports(/.*)?|/graphql/Port',
  methods: ['GET', 'POST', 'PATCH'],
  ...conditions,
}

describe.runIf(hasBrowser)('rights on records in the console', () => {
  let journey: ConsoleJourney

  const addAccount = (username: string, role: string) =>
    journey.call('POST', '/manage/accounts', { username, password, role, metadata: { tenant: 'a' } })

  beforeAll(async () => {
    journey = await startConsoleJourney()
    await journey.call('POST', '/manage/entities', entities)
    await journey.call(
      'POST',
      '/apis/tenants',
      ['a', 'b'].map((id) => ({ id, name: id })),
    )
    const ports = ['p1', 'p2', 'p3', 'p4'].map((id, index) => ({
      id,
      name: `port ${id}`,
      secret: `secret ${id}`,
      tenantId: index % 2 === 0 ? 'a' : 'b',
    }))
    await journey.call('POST', '/apis/ports', ports)
  })
  afterAll(() => journey?.close())

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const chooseAll = async (page: Page, name: string, values: readonly string[]) => {
    for (const value of values) {
      await page.getByRole('combobox', { name, exact: true }).or(box(page, name)).first().fill(value)
      await page.keyboard.press('Enter')
      await page.getByText(value, { exact: true }).first().waitFor()
    }
  }
  /** The list of what may be chosen covers what is below it. */
  const closeChoices = async (page: Page) => {
    await page.keyboard.press('Tab')
    await page.locator('.mantine-Popover-dropdown:visible').waitFor({ state: 'detached' })
  }
  const stored = async (name: string) => {
    const role = (await journey.call('GET', `/manage/roles/${name}`)) as { readonly authorities: unknown }
    return role.authorities
  }

  test('a role with conditions is made by mouse, corrected, saved, and shown again', async () => {
    const { page, mistakes } = await journey.open('/roles/new')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('tenant-user')
    await page.getByLabel('Add an authority').first().fill(authority.regex)
    await press(page, 'Add')
    for (const method of ['POST', 'PATCH']) {
      await page.getByRole('group', { name: 'Methods of authority 1' }).getByText(method).click()
    }
    const conditionsButton = page.getByRole('button', { name: 'Conditions on records of authority 1' })
    await conditionsButton.click()
    await press(page, 'Add a condition')
    await page.getByRole('combobox', { name: 'Field', exact: true }).or(box(page, 'Field')).first().click()
    await page.getByRole('option', { name: 'tenantId', exact: true }).click()
    await page.getByLabel('What tenantId is').selectOption('Of the account')
    await page.getByLabel('Of the account', { exact: true }).first().fill('metadata.tenant')
    await closeChoices(page)
    await page.getByRole('switch', { name: 'Restrict the fields that are read' }).check()
    await chooseAll(page, 'Fields that are read, of authority 1', [
      'id',
      'nam',
      'tenantId',
      'operationStatus',
    ])
    await page.getByRole('switch', { name: 'Restrict the fields that are written' }).check()
    await chooseAll(page, 'Fields that are written, of authority 1', ['name'])
    await page.getByLabel('Field to set, of authority 1').first().fill('tenantId')
    await press(page, 'Add a value')
    await page.getByLabel('What tenantId is').last().selectOption('Of the account')
    await page.locator('input[aria-label="Of the account"]').last().fill('metadata.tenant')
    await closeChoices(page)
    await expectAccessible(page)
    await keepPicture(page, 'role-conditions')
    await press(page, 'Create a role')
    await page
      .getByRole('listitem', { name: 'Authority 1' })
      .getByText('fields/read/1: Port has no field "nam"')
      .waitFor()
    await keepPicture(page, 'role-conditions-mistake')

    await page.getByText('As text', { exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Rows of authority 1 as JSON' })
    await text.fill('[{')
    await page.getByText('Write a list, such as').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Create a role' }).isDisabled()).toBe(true)
    await text.fill(JSON.stringify(conditions.rows))
    await page.getByText('Write a list, such as').waitFor({ state: 'detached' })
    await page
      .locator('.mantine-Pill-root', { hasText: /^nam$/ })
      .getByRole('button', { includeHidden: true })
      .click()
    await chooseAll(page, 'Fields that are read, of authority 1', ['name'])
    await press(page, 'Create a role')
    await page.getByText('The role tenant-user is created.').waitFor()
    const read = ['id', 'tenantId', 'operationStatus', 'name']
    const made = { ...authority, fields: { ...conditions.fields, read } }
    expect(await stored('tenant-user')).toEqual([made])

    await page.goto(`${journey.program.frontUrl}/console/roles/named/tenant-user`)
    const summary = page.getByText('rows where tenantId == account metadata.tenant')
    await summary.first().waitFor()
    await expect
      .poll(() => summary.first().textContent())
      .toBe(
        'rows where tenantId == account metadata.tenant; reads id, tenantId, operationStatus, name; writes name; sets tenantId',
      )
    await page.getByRole('group', { name: 'Methods of authority 1' }).getByText('PUT').click()
    await page.getByText('Changes that are not saved').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show as', exact: true }).first().click()
    await page.getByRole('dialog').getByText('gatehouse role update tenant-user --file role.yaml').waitFor()
    await page.keyboard.press('Escape')
    await press(page, 'Save')
    await page.getByText('The role tenant-user is saved.').waitFor()
    expect(await stored('tenant-user')).toEqual([{ ...made, methods: ['GET', 'POST', 'PUT', 'PATCH'] }])
    await page.goto(`${journey.program.frontUrl}/console/roles`)
    await page.getByText('rows where tenantId == account metadata.tenant').first().waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes, /status of 422/)
    await page.context().close()
  })

  test('an account with such a role sees its rows only, and writes what it may', async () => {
    await journey.call('POST', '/manage/roles', { name: 'member', authorities: [authority] })
    await addAccount('member', 'member')
    const { page, mistakes } = await journey.open('/data/Port', { account: 'member' })
    await page.getByText('port p1', { exact: true }).waitFor()
    await page.getByText('port p3', { exact: true }).waitFor()
    await expect.poll(() => page.getByText(/port p[24]|secret/).count()).toBe(0)
    await expectAccessible(page)
    await keepPicture(page, 'own-rows')
    await page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await page.getByRole('heading', { name: 'Port p1' }).waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await box(page, 'name').fill('renamed')
    await expect.poll(() => box(page, 'operationStatus').count()).toBe(0)
    await press(page, 'Save')
    await page.getByText('The record was changed.').waitFor()
    expect(await journey.call('GET', '/apis/ports/p1')).toMatchObject({
      name: 'renamed',
      secret: 'secret p1',
      tenantId: 'a',
    })
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit a record of Port' }).waitFor()
    await expectAccessible(page)
    await box(page, 'name').fill('kept')
    const narrower = { ...authority, rows: [...conditions.rows, { key: 'id', op: '!=', val: 'p1' }] }
    const readOnly = { ...authority, methods: ['GET', 'POST'] }
    await journey.call('PUT', '/manage/roles/member', {
      authorities: [readOnly, { ...narrower, methods: ['PATCH'] }],
    })
    await press(page, 'Save')
    await page.getByRole('alert').getByText('Your roles do not allow this').waitFor()
    await expect.poll(() => box(page, 'name').inputValue()).toBe('kept')
    await keepPicture(page, 'row-not-allowed')
    expect(await journey.call('GET', '/apis/ports/p1')).toMatchObject({ name: 'renamed' })
    expectQuiet(mistakes, /status of 403/)
    await page.context().close()
  })

  test('a field that is written and not read is in forms only; new records are offered with all that they need', async () => {
    const open = async (name: string, write: readonly string[]) => {
      const fields = { read: ['id', 'name'], write }
      const rights = { ...authority, rows: undefined, set: undefined, fields }
      await journey.call('POST', '/manage/roles', { name, authorities: [rights] })
      await addAccount(name, name)
      const { page, mistakes } = await journey.open('/data/Port', { account: name })
      await page.getByText('port p2', { exact: true }).waitFor()
      await expect.poll(() => page.getByText('operationStatus').count()).toBe(0)
      await keepPicture(page, `table-${name}`)
      return { page, mistakes, newRecords: await page.getByRole('link', { name: 'New record' }).count() }
    }
    const naming = await open('naming', ['name'])
    expect(naming.newRecords).toBe(1)
    await naming.page.context().close()
    const { page, mistakes, newRecords } = await open('nameless', ['operationStatus'])
    expect(newRecords).toBe(0)
    await page.getByRole('link', { name: 'Open row 2', exact: true }).click()
    await page.getByRole('heading', { name: 'Port p2' }).waitFor()
    await page.getByRole('link', { name: 'Edit' }).click()
    await box(page, 'operationStatus').fill('Completed')
    await keepPicture(page, 'unread-field')
    await expectAccessible(page)
    await press(page, 'Save')
    await page.getByText('The record was changed.').waitFor()
    expect(await journey.call('GET', '/apis/ports/p2')).toMatchObject({ operationStatus: 'Completed' })
    for (const one of [naming.mistakes, mistakes]) expectQuiet(one)
    await page.context().close()
  })

  test('a table whose key is not readable is shown, and not edited', async () => {
    const fields = { read: ['name'] }
    const keyless = { ...authority, rows: undefined, set: undefined, fields }
    await journey.call('POST', '/manage/roles', { name: 'keyless', authorities: [keyless] })
    await addAccount('keyless', 'keyless')
    const { page, mistakes } = await journey.open('/data/Port', { account: 'keyless' })
    await page.getByText('port p2', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open row 2', exact: true }).click()
    await page.getByText('port p2', { exact: true }).first().waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
    await page.goto(`${page.url()}/edit`)
    await page.getByText('Ask an administrator for the right to write these records.').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('numbers of a condition keep their digits, and a mistake says where it is', async () => {
    const rows = [{ key: 'name', op: '==', val: 'x' }]
    const plain = { regex: '/apis/ports', methods: ['GET'], rows }
    await journey.call('POST', '/manage/roles', { name: 'digits', authorities: [plain] })
    const { page, mistakes } = await journey.open('/roles/named/digits')
    await page.getByRole('button', { name: 'Conditions on records of authority 1' }).click()
    await page.getByText('As text', { exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Rows of authority 1 as JSON' })
    await text.fill('[{"key": "name", "op": "==", "val": {"now": "soon"}}]')
    await press(page, 'Save')
    await page
      .getByRole('listitem', { name: 'Authority 1' })
      .getByText('rows/0/val/now: Write a duration')
      .waitFor()
    await text.fill('[{"key": "name", "op": "in", "val": [9007199254740993, 0.12345678901234567890]}]')
    await press(page, 'Save')
    await page.getByText('The role digits is saved.').waitFor()
    const val = ['9007199254740993', '0.12345678901234567890']
    expect(await stored('digits')).toEqual([{ ...plain, rows: [{ key: 'name', op: 'in', val }] }])
    expectQuiet(mistakes, /status of 422/)
    await page.context().close()
  })

  test('conditions with ranges, texts in any case, and values inside JSON are made by mouse', async () => {
    const rows = [{ key: 'name', op: '==', val: 'x' }]
    const plain = { regex: '/apis/parcels', methods: ['GET'], rows }
    await journey.call('POST', '/manage/roles', { name: 'heavy', authorities: [plain] })
    await addAccount('harriet', 'heavy')
    const parcels = [1, 2, 3].map((weight) => ({
      id: `${weight}`,
      name: `Box ${weight}`,
      weight,
      meta: { size: { cm: weight * 10 } },
    }))
    await journey.call('POST', '/apis/parcels', parcels)
    const { page, mistakes } = await journey.open('/roles/named/heavy')
    await page.getByRole('button', { name: 'Conditions on records of authority 1' }).click()
    const choose = async (name: string, option: string) => {
      await page.getByRole('combobox', { name, exact: true }).or(box(page, name)).first().click()
      await page.getByRole('option', { name: option, exact: true }).click()
    }
    const save = async (...conditions: readonly object[]) => {
      await press(page, 'Save')
      await expect.poll(() => stored('heavy')).toEqual([{ ...plain, rows: conditions }])
    }
    const seen = async () => {
      const { page: own } = await journey.open('/data/Parcel', { account: 'harriet' })
      await own.getByRole('gridcell', { name: /^Box/ }).first().waitFor()
      const names = await own.getByRole('gridcell', { name: /^Box/ }).allTextContents()
      await own.context().close()
      return names
    }

    await choose('Field', 'weight')
    await choose('Operator', 'between')
    await page.getByRole('textbox', { name: 'From' }).fill('2')
    await page.getByRole('textbox', { name: 'To' }).fill('3')
    await save({ key: 'weight', op: 'between', val: [2, 3] })
    expect(await seen()).toEqual(['Box 2', 'Box 3'])

    await choose('Field', 'name')
    await choose('Operator', '== (any case)')
    await box(page, 'Value').fill('bOX 1')
    await save({ key: 'name', op: 'iequals', val: 'bOX 1' })
    expect(await seen()).toEqual(['Box 1'])

    await choose('Field', 'meta')
    await page.getByRole('textbox', { name: 'Path inside the JSON' }).fill('size.cm')
    await choose('Operator', '>=')
    await box(page, 'Value').fill('20')
    await expectAccessible(page)
    await keepPicture(page, 'role-conditions-json')
    await save({ key: 'meta->size.cm', op: '>=', val: 20 })
    expect(await seen()).toEqual(['Box 2', 'Box 3'])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('the tester says of a record which authorities admit it, and which fields they give', async () => {
    const regex = '/apis/ports(/.*)?'
    const { rows, fields } = conditions
    const named = { key: 'name', op: 'starts', val: 'port' }
    const reading = { regex, methods: ['GET'], rows: [...rows, named], fields: { read: ['id', 'name'] } }
    await journey.call('POST', '/manage/roles', {
      name: 'tested',
      authorities: [reading, { regex, methods: ['PATCH'], rows, fields }, { regex, methods: ['DELETE'] }],
    })
    await addAccount('tested', 'tested')
    const { page, mistakes } = await journey.open('/roles/test?account=tested')
    const ask = async (method: string) => {
      await page.getByRole('combobox', { name: 'Method' }).selectOption(method)
      await press(page, 'Test')
    }
    await page.getByRole('combobox', { name: 'Path', exact: true }).fill('/apis/ports')
    await page.keyboard.press('Escape')
    await press(page, 'Find a record of Port')
    await page.getByRole('dialog').getByRole('button', { name: /^p2/ }).click()
    await expect.poll(() => box(page, 'Record').inputValue()).toBe('p2')
    await ask('GET')
    await page.getByText('The record p2 is not admitted').waitFor()
    await page.getByText('Not met: tenantId == account metadata.tenant').waitFor()
    await page.getByText('Met: name starts "port"', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByText('Met: name starts "port"', { exact: true }).scrollIntoViewIfNeeded()
    await keepPicture(page, 'tester-record-refused')

    await journey.call('PATCH', '/apis/ports/p3', { name: 'port p3' })
    await box(page, 'Record').fill('p3')
    await ask('GET')
    await page.getByText('The record p3 is admitted').waitFor()
    await page.getByText('Fields that are read: id, name', { exact: true }).waitFor()
    await ask('PATCH')
    await page.getByText('Fields that are written: name', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByText('Fields that are written: name', { exact: true }).scrollIntoViewIfNeeded()
    await keepPicture(page, 'tester-record')
    await press(page, 'Show as')
    await page
      .getByRole('dialog')
      .getByText('gatehouse explain-access tested PATCH /apis/ports --row p3')
      .waitFor()
    await page.keyboard.press('Escape')
    await ask('DELETE')
    await page.getByText('Admits the record', { exact: true }).waitFor()
    await box(page, 'Record').fill('zz')
    await ask('PATCH')
    await page.getByRole('alert').getByText('zz').waitFor()
    expectQuiet(mistakes, /status of 404/)
    await page.context().close()
  })

  test('conditions are the same on a phone, in the dark, in Japanese', async () => {
    await journey.call('POST', '/manage/roles', { name: 'phone', authorities: [authority] })
    const view = { device: 'phone', colorScheme: 'dark', language: 'ja' } as const
    const { page, mistakes } = await journey.open('/roles/named/phone', view)
    await page.getByText('対象の行: tenantId == account metadata.tenant').waitFor()
    await page.getByRole('button', { name: '権限 1 のレコードの条件' }).click()
    await page.getByLabel('tenantId の種類').first().waitFor()
    await expectAccessible(page)
    await page.getByLabel('tenantId の種類').first().scrollIntoViewIfNeeded()
    await keepPicture(page, 'phone-role-conditions')

    await addAccount('phone', 'phone')
    await page.goto(`${journey.program.frontUrl}/console/roles/test?account=phone`)
    await page.getByRole('combobox', { name: 'パス', exact: true }).fill('/apis/ports/p2')
    await page.keyboard.press('Escape')
    await box(page, 'レコード').fill('p2')
    await press(page, '確認')
    await page.getByText('レコード p2 は対象外です').waitFor()
    await page.getByText('満たさない: tenantId == account metadata.tenant').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'phone-tester-record')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('before it is saved, a role shows what it opens and closes of records', async () => {
    const reading = {
      regex: '/apis/ports(/.*)?',
      methods: ['GET'],
      fields: { read: ['id', 'name', 'secret'] },
    }
    await journey.call('POST', '/manage/roles', { name: 'previewed', authorities: [reading] })
    await addAccount('previewed', 'previewed')
    const { page, mistakes } = await journey.open('/roles/named/previewed')
    // The fields come late: what was chosen meanwhile stays.
    const chosen = Promise.withResolvers<void>()
    await page.route('**/whoami/tables**', async (route) => {
      await chosen.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Conditions on records of authority 1' }).click()
    await page.getByText('As text', { exact: true }).click()
    // Nothing is set to a value that its field does not take.
    const set = page.getByLabel('Field to set, of authority 1').first()
    expect(await set.count()).toBe(0)
    chosen.resolve()
    await set.waitFor()
    const text = page.getByRole('textbox', { name: 'Rows of authority 1 as JSON' })
    await text.fill(JSON.stringify(conditions.rows))
    await page
      .locator('.mantine-Pill-root', { hasText: /^secret$/ })
      .getByRole('button', { includeHidden: true })
      .click()
    await press(page, 'Preview the effects')
    const records = page.getByRole('dialog').getByRole('region', { name: 'Records' })
    await records.waitFor()
    expect(await records.getByRole('list', { name: 'Port' }).textContent()).toBe(
      'Read previewed2 records are closedsecret is closed in 2 records',
    )
    await expectAccessible(page)
    await keepPicture(page, 'role-records')
    await page.keyboard.press('Escape')
    await records.waitFor({ state: 'detached' })
    await text.fill(JSON.stringify([{ key: 'name', op: '!=', val: '' }]))
    await page.getByLabel('Add an authority').first().fill('/apis/ports/.*')
    await press(page, 'Add')
    await page.getByRole('group', { name: 'Methods of authority 2' }).getByText('GET').click()
    await page.getByRole('group', { name: 'Methods of authority 2' }).getByText('PATCH').click()
    await press(page, 'Preview the effects')
    await page
      .getByRole('dialog')
      .getByText(/^The authority .* admits records by the field "name"/)
      .waitFor()
    await expectAccessible(page)
    await page.context().close()

    await journey.call('PUT', '/manage/roles/previewed', {
      authorities: [{ ...reading, rows: conditions.rows }],
    })
    const view = { device: 'phone', colorScheme: 'dark', language: 'ja' } as const
    const { page: phone, mistakes: others } = await journey.open('/roles/named/previewed', view)
    await phone.getByRole('button', { name: '権限 1 のレコードの条件' }).click()
    await phone.getByText('テキスト', { exact: false }).first().click()
    await phone.getByRole('textbox', { name: /JSON/ }).fill('[]')
    await press(phone, '影響をプレビュー')
    const shown = phone.getByRole('dialog').getByRole('region', { name: 'レコード' })
    await shown.waitFor()
    expect(await shown.getByRole('list', { name: 'Port' }).textContent()).toBe(
      '読み取り previewed2 件のレコードが許可されます',
    )
    await expectAccessible(phone)
    await keepPicture(phone, 'phone-role-records')
    expectQuiet(mistakes)
    expectQuiet(others)
    await phone.context().close()
  })

  test('a public route gets conditions by mouse, shows them in the list, and warns', async () => {
    const { page, mistakes } = await journey.open('/routes/new')
    await box(page, 'Name').fill('open-ports')
    await box(page, 'Path').fill('/graphql/Port')
    const conditionsButton = page.getByRole('button', { name: 'Conditions on records of this route' })
    expect(await conditionsButton.count()).toBe(0)
    await page.getByText('Public: anyone may call it without a token').click()
    await conditionsButton.click()
    await press(page, 'Add a condition')
    await page.getByRole('combobox', { name: 'Field', exact: true }).or(box(page, 'Field')).first().click()
    await page.getByRole('option', { name: 'tenantId', exact: true }).click()
    await page.getByLabel('Value').first().fill('a')
    await page.getByRole('switch', { name: 'Restrict the fields that are read' }).check()
    await chooseAll(page, 'Fields that are read, of this route', ['id', 'name'])
    await page.keyboard.press('Tab')
    await page.locator('.mantine-Popover-dropdown:visible').waitFor({ state: 'detached' })
    await expectAccessible(page)
    await keepPicture(page, 'route-conditions')
    await press(page, 'Save')
    await page.getByText('an entity is queried there by POST. Add the method POST.').waitFor()
    await page.getByText('rows where tenantId == "a"; reads id, name').waitFor()
    await expectAccessible(page)
    const rows = [{ key: 'tenantId', op: '==', val: 'a' }]
    const route = { name: 'open-ports', path: '/graphql/Port', methods: ['GET'], scope: 'public' }
    const kept = { ...route, rows, fields: { read: ['id', 'name'] } }
    expect(await journey.call('GET', '/manage/routes/open-ports')).toEqual(kept)

    await page.getByRole('link', { name: 'open-ports' }).click()
    await page.getByText('rows where tenantId == "a"; reads id, name').waitFor()
    await page.getByRole('group', { name: 'Methods' }).getByText('POST', { exact: true }).click()
    await conditionsButton.click()
    await page.getByText('As text', { exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Rows of this route as JSON' })
    await text.fill('[{')
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await text.fill('[]')
    await press(page, 'Save')
    const { rows: _, ...without } = kept
    await expect
      .poll(() => journey.call('GET', '/manage/routes/open-ports'))
      .toEqual({ ...without, methods: ['GET', 'POST'] })
    expectQuiet(mistakes)
    await page.context().close()

    const view = { device: 'phone', colorScheme: 'dark', language: 'ja' } as const
    const { page: phone } = await journey.open('/routes/edit/open-ports', view)
    await phone.getByRole('button', { name: 'このルート のレコードの条件' }).click()
    await phone.getByRole('switch', { name: '読み取るフィールドを制限する' }).waitFor()
    await expectAccessible(phone)
    await keepPicture(phone, 'phone-route-conditions')
    await phone.context().close()
    await journey.call('DELETE', '/manage/routes/open-ports')
  })
})
