/** Records in the console: created, changed and deleted. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  password,
  startConsoleOn,
} from '../support/console-journey.ts'
import { mainProduct, type TestProduct } from '../support/products.ts'

const bytes: Readonly<Record<string, string>> = { PostgreSQL: "'\\x00ff'" }

const statementsOn = ({ name, bytesType }: TestProduct) => [
  `create table stock (shop varchar(50) not null, item varchar(50) not null, amount bigint, price decimal(20,4), photo ${bytesType}, primary key (shop, item))`,
  `insert into stock values ('a/b %c', 'x,y~', 9007199254740993, '1.50', ${bytes[name] ?? "x'00ff'"})`,
  'create table loose (line integer primary key)',
  `create table article (shop varchar(20) not null, code integer not null, name varchar(50), primary key (shop, code))`,
  "insert into article values ('north', 1, 'Lamp'), ('north', 2, 'Chair'), ('south', 1, 'Table')",
  `create table sale (id integer not null primary key, shop varchar(20), code integer, amount integer,
   foreign key (shop, code) references article (shop, code))`,
  "insert into sale values (1, 'north', 1, 3)",
  `create table shelf (shop varchar(20) not null, place integer not null, code integer, primary key (shop, place),
   foreign key (shop, code) references article (shop, code))`,
  "insert into shelf values ('north', 7, 1)",
]

const field = (field_name: string, field_type: string, more: object = {}) => ({
  field_name,
  field_type,
  field_nullable: true,
  ...more,
})

const entities = [
  {
    name: 'Owner',
    attributes: {
      identifier: { field_name: 'id', field_type: 'string' },
      local_fields: [field('name', 'string')],
    },
  },
  {
    name: 'Device',
    attributes: {
      identifier: { field_name: 'id', field_type: 'string', field_immutable: true },
      local_fields: [
        field('name', 'string', { field_nullable: false }),
        field('serial', 'string', { field_unique: true }),
        field('ports', 'integer'),
        field('weight', 'float'),
        field('price', 'decimal'),
        field('active', 'boolean'),
        field('state', 'string', { field_enum: ['up', 'down'], field_default: '"up"' }),
        field('seen', 'DateTime'),
        field('bought', 'Date'),
        field('tags', 'array'),
        field('meta', 'object'),
        field('notes', 'text'),
      ],
      ref_fields: [field('ownerId', 'string', { ref_class: 'Owner', ref_class_field: 'id' })],
    },
  },
]

describe.runIf(hasBrowser).each(mainProduct('SQLite'))('editing of data in the console, $name', (product) => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleOn(product, statementsOn(product))
    await journey.call('POST', '/manage/entities', entities)
    await journey.call('POST', '/manage/entities/adopt', { tables: ['stock', 'article', 'sale', 'shelf'] })
    const owners = Array.from({ length: 45 }, (_, index) => ({ id: `o${index}`, name: `Owner ${index}` }))
    await journey.call('POST', '/apis/owners', owners)
    await journey.addAccount('reader', [{ regex: '/graphql/.*|/apis/.*', methods: ['GET'] }])
    await journey.addAccount('changer', [
      { regex: '/graphql/.*', methods: ['POST'] },
      { regex: '/apis/devices/.*', methods: ['GET', 'PATCH'] },
    ])
    await journey.addAccount('creator', [
      { regex: '/apis/devices', methods: ['POST'] },
      { regex: '/apis/devices/.*', methods: ['GET'] },
    ])
  })
  afterAll(() => journey?.close())

  const input = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('someone creates a record with the mistakes beside their fields, and takes it back', async () => {
    const { page, mistakes } = await journey.open('/data/Device')
    await page.getByRole('link', { name: 'New record' }).click()
    await page.getByRole('heading', { name: 'New record of Device' }).waitFor()
    await input(page, 'id').fill('d1')
    await input(page, 'ports').fill('many')
    await input(page, 'price').fill('12345678901234567890.0100')
    await page.getByRole('combobox', { name: 'active' }).click()
    await page.getByRole('option', { name: 'false' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('option', { name: 'false' }).click()
    await input(page, 'seen').fill('2026-01-31T10:30:00.123456+01:00')
    await input(page, 'meta').fill('{"a": [1, null]}')
    await press(page, 'serial: null')
    await press(page, 'Create')
    await page.getByText('This field is required').waitFor()
    await page.getByText('A whole number from -2147483648').waitFor()
    await page.getByText('2 fields must be corrected.').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'new-record')
    await input(page, 'ports').fill('4')
    await input(page, 'name').fill('Switch')
    await press(page, 'ownerId: find in Owner')
    await page.getByRole('button', { name: 'o0 Owner 0' }).waitFor()
    await press(page, 'Next page')
    await page.getByRole('button', { name: 'o27 Owner 27' }).waitFor()
    await page.getByRole('searchbox', { name: 'Key or name' }).fill('ner 44')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'o44 Owner 44' }).click()
    await page.getByText('→ Owner 44').waitFor()
    await press(page, 'Show as')
    await page.getByRole('dialog').getByText('"ports":4').waitFor()
    await page.keyboard.press('Escape')
    await press(page, 'Create')
    await page.getByRole('heading', { name: 'Device d1' }).waitFor()
    await page.getByText('The record was created.').waitFor()
    const {
      instance: _instance,
      xid: _xid,
      xname: _xname,
      ...stored
    } = (await journey.call('GET', '/apis/devices/d1')) as Record<string, unknown>
    expect(stored).toEqual({
      id: 'd1',
      name: 'Switch',
      serial: null,
      ports: 4,
      weight: null,
      price: '12345678901234567890.01',
      active: false,
      state: 'up',
      seen: '2026-01-31T09:30:00.123456',
      bought: null,
      tags: null,
      meta: { a: [1, null] },
      notes: null,
      ownerId: 'o44',
    })
    await press(page, 'Undo')
    await page.getByText('Undone.').waitFor()
    await expect(journey.call('GET', '/apis/devices/d1')).rejects.toThrow('404')
    expectQuiet(mistakes, /status of (404|422)/)
    await page.context().close()
  })

  /** Opens a device from its table. */
  async function openDevice(page: Page, id: string): Promise<void> {
    const filters = new URLSearchParams({ filters: JSON.stringify([{ key: 'id', op: '==', val: id }]) })
    await page.goto(`${journey.program.frontUrl}/console/data/Device?${filters}`)
    await page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await page.getByRole('heading', { name: `Device ${id}` }).waitFor()
  }

  test('whoever is late chooses field by field what stays, and can undo it', async () => {
    const device = { id: 'd2', name: 'Old', ports: 1, notes: 'one', meta: { a: 1, b: 2 } }
    await journey.call('POST', '/apis/devices', device)
    const { page, mistakes } = await journey.open('/data/Device')
    await openDevice(page, 'd2')
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByRole('heading', { name: 'Edit a record of Device' }).waitFor()
    await expect.poll(() => input(page, 'id').getAttribute('readonly')).not.toBeNull()
    await input(page, 'name').fill('Mine')
    await input(page, 'ports').fill('2')
    await input(page, 'meta').fill('{"a": 3}')
    await expectAccessible(page)
    await journey.call('PATCH', '/apis/devices/d2', { name: 'Theirs', notes: 'two' })
    await press(page, 'Save')
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed this record' })
    await dialog.waitFor()
    expect(
      await dialog.getByRole('region').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ).toEqual(['name', 'ports', 'meta', 'notes'])
    await expectAccessible(page)
    await keepPicture(page, 'conflict')
    await dialog.getByRole('radiogroup', { name: 'name: which value' }).getByText('Theirs').click()
    await press(page, 'Save this choice')
    await page.getByText('The record was changed.').waitFor()
    await page.getByRole('heading', { name: 'Device d2' }).waitFor()
    const stored = await journey.call('GET', '/apis/devices/d2')
    expect(stored).toMatchObject({ name: 'Theirs', ports: 2, notes: 'two', meta: { a: 3 } })
    await press(page, 'Undo')
    await page.getByText('Undone.').waitFor()
    const undone = await journey.call('GET', '/apis/devices/d2')
    expect(undone).toMatchObject({ name: 'Theirs', ports: 1, notes: 'two', meta: { a: 1, b: 2 } })
    expectQuiet(mistakes, /status of 412/)
    await page.context().close()
  })

  test('leaving asks; a record that is gone is told of; deleting asks, and can be undone', async () => {
    await journey.call('POST', '/apis/devices', [
      { id: 'd3', name: 'Three' },
      { id: 'd4', name: 'Four', price: '1.50', tags: ['a'] },
    ])
    const { page, mistakes } = await journey.open('/data/Device')
    await openDevice(page, 'd3')
    await page.getByRole('link', { name: 'Edit' }).click()
    await input(page, 'name').fill('Lost')
    await page.getByRole('link', { name: 'Rows of Device' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await journey.call('DELETE', '/apis/devices/d3')
    await press(page, 'Save')
    await page.getByText('It does not exist, or no longer').waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByText('This record does not exist, or no longer').waitFor()

    await openDevice(page, 'd4')
    await press(page, 'Delete')
    await page.getByRole('dialog', { name: 'Delete Device d4?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Show as' }).click()
    await page.getByRole('dialog').getByText('curl -X DELETE "$GATEHOUSE_URL"/apis/devices/d4').waitFor()
    await page.keyboard.press('Escape')
    await expectAccessible(page)
    await journey.call('PATCH', '/apis/devices/d4', { ports: 7 })
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    await confirm.click()
    await page.getByText('Someone else has changed it meanwhile').waitFor()
    // What will be deleted is looked at first.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('7', { exact: true }).waitFor()
    await press(page, 'Delete')
    await confirm.click()
    await page.getByText('The record was deleted.').waitFor()
    await expect(journey.call('GET', '/apis/devices/d4')).rejects.toThrow('404')
    await press(page, 'Undo')
    await page.getByText('Undone.').waitFor()
    expect(await journey.call('GET', '/apis/devices/d4')).toMatchObject({
      name: 'Four',
      price: '1.5',
      ports: 7,
      tags: ['a'],
    })
    expectQuiet(mistakes, /status of (404|412)/)
    await page.context().close()
  })

  test('records with odd keys and exact numbers are changed where they are', async () => {
    const { page, mistakes } = await journey.open('/data/stock')
    await page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await expect.poll(() => input(page, 'amount').inputValue()).toBe('9007199254740993')
    await expect.poll(() => input(page, 'photo').inputValue()).toBe('AP8=')
    await input(page, 'amount').fill('9007199254740995')
    await input(page, 'price').fill('12345678901.0001')
    // A key of an adopted table stays as it is.
    await expect.poll(() => input(page, 'item').getAttribute('readonly')).not.toBeNull()
    await press(page, 'Save')
    await page.getByText('The record was changed.').waitFor()
    await page.getByRole('heading', { name: 'stock a/b %c, x,y~' }).waitFor()
    expect(await journey.call('GET', '/apis/stocks')).toEqual([
      {
        shop: 'a/b %c',
        item: 'x,y~',
        amount: '9007199254740995',
        price: '12345678901.0001',
        photo: 'AP8=',
      },
    ])
    await press(page, 'Undo')
    await page.getByText('Undone.').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a key of several columns is picked as a whole, and within what stays of it', async () => {
    const { page, mistakes } = await journey.open('/data/sale/records/new')
    await input(page, 'id').fill('2')
    await press(page, 'code: find in article')
    await page.getByRole('button', { name: 'south · 1 Table' }).waitFor()
    await page.getByRole('searchbox', { name: 'Key or name' }).fill('Chai')
    await expectAccessible(page)
    await keepPicture(page, 'pick-shared')
    await page.getByRole('button', { name: 'north · 2 Chair' }).click()
    await expect
      .poll(async () => [await input(page, 'shop').inputValue(), await input(page, 'code').inputValue()])
      .toEqual(['north', '2'])
    await page.getByText('→ Chair').first().waitFor()
    await press(page, 'Create')
    await page.getByText('The record was created.').waitFor()
    expect(await journey.call('GET', '/apis/sales?asc=id')).toEqual([
      { id: 1, shop: 'north', code: 1, amount: 3 },
      { id: 2, shop: 'north', code: 2, amount: null },
    ])

    // The shop is part of the key of the record, and stays.
    await page.goto(`${journey.program.frontUrl}/console/data/shelf`)
    await page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByText('→ Lamp').first().waitFor()
    await press(page, 'code: find in article')
    await page.getByRole('button', { name: 'north · 2 Chair' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'south · 1 Table' }).count()).toBe(0)
    await page.getByRole('button', { name: 'north · 2 Chair' }).click()
    await press(page, 'Save')
    await page.getByText('The record was changed.').waitFor()
    expect(await journey.call('GET', '/apis/shelves')).toEqual([{ shop: 'north', place: 7, code: 2 }])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a text keeps the ends of its lines, in its form and in its cell', async () => {
    await journey.call('POST', '/apis/devices', { id: 'w1', name: 'Lines', notes: 'one\r\ntwo\r\n' })
    const { page, mistakes } = await journey.open('/data/Device')
    await openDevice(page, 'w1')
    await page.getByRole('link', { name: 'Edit' }).click()
    await input(page, 'notes').press('End')
    await input(page, 'notes').press('x')
    await input(page, 'notes').press('y')
    await press(page, 'Save')
    await page.getByText('The record was changed.').waitFor()
    expect(await journey.call('GET', '/apis/devices/w1')).toMatchObject({ notes: 'onexy\r\ntwo\r\n' })
    await page.getByRole('link', { name: 'Rows of Device' }).click()
    await page.getByRole('gridcell', { name: 'onexy' }).dblclick()
    const whole = page.getByRole('dialog', { name: 'Edit notes' })
    await whole.getByRole('textbox', { name: 'notes' }).fill('one\nthree')
    await whole.getByRole('button', { name: 'Save' }).click()
    await page.getByText('one ⏎ three').waitFor()
    expect(await journey.call('GET', '/apis/devices/w1')).toMatchObject({ notes: 'one\r\nthree' })
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('a record that was saved under another key is told as saved, though its page cannot be found', async () => {
    await journey.call('POST', '/apis/owners', { id: 'k1', name: 'Key' })
    const { page } = await journey.open('/data/Owner?filters=[{"key":"id","op":"==","val":"k1"}]')
    await page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await input(page, 'id').fill('k2')
    await page.route('**/gateway/graphql*', (route) =>
      route.request().postData()?.includes('k2') ? route.abort() : route.continue(),
    )
    await press(page, 'Save')
    await page.getByText('The record was changed.').waitFor()
    await page.getByRole('heading', { name: 'Owner', exact: true }).waitFor()
    expect(await journey.call('GET', '/apis/owners/k2')).toMatchObject({ name: 'Key' })
    await page.context().close()
  })

  test('a session that ends takes nothing of what was entered', async () => {
    await journey.call('POST', '/apis/devices', { id: 'd5', name: 'Five' })
    const { page } = await journey.open('/data/Device', { isNewLogin: true })
    await openDevice(page, 'd5')
    await page.getByRole('link', { name: 'Edit' }).click()
    await input(page, 'name').fill('After')
    await page.context().clearCookies()
    await press(page, 'Save')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('What you had entered before').waitFor()
    await expect.poll(() => input(page, 'name').inputValue()).toBe('After')
    await press(page, 'Save')
    await page.getByText('The record was changed.').waitFor()
    expect(await journey.call('GET', '/apis/devices/d5')).toMatchObject({ name: 'After' })
    await page.context().close()
  })

  test('nothing is offered that the roles do not allow', async () => {
    await journey.call('POST', '/apis/devices', { id: 'd6', name: 'Six' })
    const changer = await journey.open('/data/Device', { account: 'changer' })
    await openDevice(changer.page, 'd6')
    await changer.page.getByRole('link', { name: 'Edit' }).click()
    await input(changer.page, 'name').fill('Changed')
    await press(changer.page, 'Save')
    await changer.page.getByRole('button', { name: 'Undo' }).waitFor()
    await changer.page.getByRole('heading', { name: 'Device d6' }).waitFor()
    await expect.poll(() => changer.page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await changer.page.getByRole('link', { name: 'Rows of Device' }).click()
    await changer.page.getByRole('gridcell', { name: 'Changed' }).waitFor()
    await expect.poll(() => changer.page.getByRole('link', { name: 'New record' }).count()).toBe(0)
    await changer.page.context().close()

    const reader = await journey.open('/data/Device', { account: 'reader' })
    await reader.page.getByRole('link', { name: 'Open row 1', exact: true }).click()
    await reader.page.getByRole('button', { name: 'Copy as JSON' }).waitFor()
    await expect.poll(() => reader.page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
    await reader.page.goto(`${reader.page.url()}/edit`)
    await reader.page.getByText('Your roles do not allow this').waitFor()
    await reader.page.goto(`${journey.program.frontUrl}/console/data/Device/records/new`)
    await reader.page.getByText('Your roles do not allow this').waitFor()
    await reader.page.context().close()

    const creator = await journey.open('/data/Device', { account: 'creator' })
    await creator.page.getByText('Your roles do not allow you to list these records.').waitFor()
    await creator.page.getByRole('link', { name: 'New record' }).click()
    await input(creator.page, 'id').fill('d7')
    await input(creator.page, 'name').fill('Seven')
    await press(creator.page, 'Create')
    await creator.page.getByRole('heading', { name: 'Device d7' }).waitFor()
    await expect.poll(() => creator.page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await expectAccessible(creator.page)
    await creator.page.context().close()
  })

  test('values are edited in the cells of the grid, with the keyboard alone', async () => {
    await journey.call('POST', '/apis/devices', [
      { id: 'g1', name: 'One', state: 'up', active: true, ports: 1, ownerId: 'o1' },
      { id: 'g2', name: 'Two', notes: 'lines' },
    ])
    const filters = new URLSearchParams({
      filters: JSON.stringify([{ key: 'id', op: 'starts', val: 'g' }]),
      asc: 'id',
    })
    const { page, mistakes } = await journey.open(`/data/Device?${filters}`)
    const edited = (name: string) => page.getByRole('group', { name: `Edit ${name}` })
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.getByRole('gridcell', { name: 'One', exact: true }).dblclick()
    await edited('name').getByRole('textbox').fill('First')
    await press('Enter')
    await page.getByRole('gridcell', { name: 'First', exact: true }).waitFor()
    await edited('name').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('td:focus').textContent()).toBe('First')

    // The mistake is at the cell; Escape cancels.
    await press('ArrowRight', 'ArrowRight', 'F2')
    await edited('ports').getByRole('textbox').fill('many')
    await press('Enter')
    await page.getByRole('alert').getByText('A whole number').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'cell')
    await press('Escape')
    await edited('ports').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('td:focus').textContent()).toBe('1')

    // Tab saves and goes on, over what cannot be written, and to the next row.
    await press('Enter')
    await edited('ports').getByRole('textbox').fill('5')
    await press('Tab')
    await edited('weight').waitFor()
    await press('Shift+Tab')
    await edited('ports').waitFor()
    await press('Control+Delete', 'Tab')
    await edited('weight').getByRole('textbox').fill('2.5')
    await press('Tab', 'Tab')
    await edited('active').getByRole('combobox').selectOption('false')
    await press('Enter')
    await edited('active').waitFor({ state: 'detached' })
    expect(await journey.call('GET', '/apis/devices/g1')).toMatchObject({
      name: 'First',
      ports: null,
      weight: 2.5,
      active: false,
    })

    // Someone else has changed it since the grid was read.
    await journey.call('PATCH', '/apis/devices/g1', { name: 'Theirs' })
    await page.getByRole('gridcell', { name: 'First', exact: true }).dblclick()
    await expect.poll(() => edited('name').getByRole('textbox').inputValue()).toBe('Theirs')
    await press('M', 'Enter')
    await page.getByRole('gridcell', { name: 'M', exact: true }).waitFor()
    await page.getByRole('gridcell', { name: 'M', exact: true }).dblclick()
    await edited('name').getByRole('textbox').fill('Mine')
    await expect.poll(() => edited('name').getAttribute('aria-busy')).toBe('false')
    await journey.call('PATCH', '/apis/devices/g1', { name: 'Again' })
    await press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed this record' })
    await dialog.getByText('changed by both').waitFor()
    await dialog.getByRole('button', { name: 'Save this choice' }).click()
    await page.getByRole('gridcell', { name: 'Mine', exact: true }).waitFor()

    // The same for whoever types faster than the record is read.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/apis/devices/g2', async (route) => {
      await released
      await route.continue()
    })
    await page.getByRole('gridcell', { name: 'Two', exact: true }).dblclick()
    await edited('name').getByRole('textbox').fill('Quick')
    await press('Enter')
    await journey.call('PATCH', '/apis/devices/g2', { name: 'Second' })
    release()
    await dialog.getByText('Second').waitFor()
    await dialog.getByRole('button', { name: 'Take all of theirs' }).click()
    await dialog.getByRole('button', { name: 'Save this choice' }).click()
    await page.getByRole('gridcell', { name: 'Second', exact: true }).waitFor()
    await page.unroute('**/apis/devices/g2')

    // What has no place in a cell is edited in a dialog.
    await page.getByRole('gridcell', { name: 'lines', exact: true }).dblclick()
    const whole = page.getByRole('dialog', { name: 'Edit notes' })
    await whole.getByRole('textbox', { name: 'notes' }).fill('two\nlines')
    await expectAccessible(page)
    await whole.getByRole('button', { name: 'Save' }).click()
    await page.getByText('two ⏎ lines').waitFor()
    expectQuiet(mistakes, /status of (412|422)/)
    await page.context().close()
  })

  test('what is typed in a cell stays there if the rows cannot be read again', async () => {
    await journey.call('POST', '/apis/devices', [
      { id: 'k1', name: 'Kept', ports: 1 },
      { id: 'k2', name: 'Other' },
    ])
    const query = new URLSearchParams({
      filters: JSON.stringify([{ key: 'id', op: 'starts', val: 'k' }]),
      asc: 'id',
    })
    const { page, mistakes } = await journey.open(`/data/Device?${query}`)
    const edited = (name: string) => page.getByRole('group', { name: `Edit ${name}` })
    await page.getByRole('gridcell', { name: 'Kept', exact: true }).click()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await edited('ports').getByRole('textbox').fill('5')
    const refuse = (path: string, detail: string) =>
      page.route(path, (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify({ detail }),
        }),
      )
    const detail = 'The rows cannot be read now.'
    await refuse('**/graphql', detail)
    await page.keyboard.press('Tab')
    await edited('weight').getByRole('textbox').fill('2.5')
    await page.getByRole('alert').getByText(detail).waitFor()
    await edited('ports').waitFor({ state: 'detached' })
    expect(await edited('weight').getByRole('textbox').inputValue()).toBe('2.5')
    await page.unroute('**/graphql')
    await page.keyboard.press('Enter')
    await edited('weight').waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText(detail).waitFor({ state: 'detached' })
    await page.getByRole('gridcell', { name: '2.5', exact: true }).waitFor()
    expect(await journey.call('GET', '/apis/devices/k1')).toMatchObject({ ports: 5, weight: 2.5 })

    // A cell whose rights are not known says why it waits.
    await refuse('**/whoami/access', 'The rights cannot be read now.')
    await page.getByRole('gridcell', { name: 'Other', exact: true }).dblclick()
    await edited('name').getByRole('textbox').fill('Another')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The rights cannot be read now.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('gridcell', { name: 'Other', exact: true }).waitFor()
    expectQuiet(mistakes, /status of 500/)
    await page.context().close()
  })

  test('rows stay in their places while a cell is edited, whatever others write and however far one scrolls', async () => {
    const devices = Array.from({ length: 40 }, (_, index) => ({
      id: `s${String(index).padStart(3, '0')}`,
      name: `Still ${index}`,
    }))
    await journey.call('POST', '/apis/devices', devices)
    const query = new URLSearchParams({
      filters: JSON.stringify([{ key: 'name', op: 'contains', val: 'Still' }]),
      asc: 'id',
    })
    const { page, mistakes } = await journey.open(`/data/Device?${query}`)
    await page.getByRole('gridcell', { name: 'Still 3', exact: true }).dblclick()
    const input = page.getByRole('group', { name: 'Edit name' }).getByRole('textbox')
    await input.fill('Still typed')

    // Others take rows away, put one before it, and take it off the list itself; the page is read anew.
    await journey.call('DELETE', '/apis/devices/s001')
    await journey.call('POST', '/apis/devices', { id: 's0000', name: 'Still new' })
    await journey.call('PATCH', '/apis/devices/s003', { state: 'up' })
    await journey.call('PATCH', '/apis/devices/s005', { name: 'Still newer' })
    const newer = page.getByRole('gridcell', { name: 'Still newer', exact: true })
    const comeBack = `window.dispatchEvent(new Event('visibilitychange'))`
    await expect.poll(() => page.evaluate(comeBack).then(() => newer.count())).toBe(1)
    expect(await input.inputValue()).toBe('Still typed')
    expect(await page.getByRole('gridcell', { name: 'Still 1', exact: true }).count()).toBe(1)
    expect(await page.getByRole('gridcell', { name: 'Still new', exact: true }).count()).toBe(0)

    const frame = page.getByRole('grid').locator('..')
    await frame.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
    await page.getByRole('gridcell', { name: 'Still 39', exact: true }).waitFor()
    await expectAccessible(page)
    await frame.evaluate((element) => element.scrollTo({ top: 0 }))
    await page.getByRole('gridcell', { name: 'Still 0', exact: true }).waitFor()
    expect(await input.inputValue()).toBe('Still typed')

    await page.keyboard.press('Enter')
    await page.getByRole('gridcell', { name: 'Still new', exact: true }).waitFor()
    await page.getByRole('gridcell', { name: 'Still typed', exact: true }).waitFor()
    expect(await page.getByRole('gridcell', { name: 'Still 1', exact: true }).count()).toBe(0)
    expect(await journey.call('GET', '/apis/devices/s003')).toMatchObject({
      name: 'Still typed',
      state: 'up',
    })
    // Its other fields were changed meanwhile.
    expectQuiet(mistakes, /status of 412/)
    await page.context().close()
  })

  test('is the same on a phone, in the dark, in Japanese', async () => {
    const { page, mistakes } = await journey.open('/data/Device/records/new', {
      device: 'phone',
      colorScheme: 'dark',
      language: 'ja',
    })
    await page.getByRole('heading', { name: 'Device の新しいレコード' }).waitFor()
    await press(page, '作成')
    await page.getByText('個のフィールドを修正').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'new-record-phone')
    await press(page, 'ownerId: Owner から検索')
    await page.getByRole('button', { name: 'o0 Owner 0' }).waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes, /status of 422/)
    await page.context().close()
  })
})
