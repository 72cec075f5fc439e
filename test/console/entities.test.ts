/** Designing data in the console: definitions, plans, versions, drift, adopted tables, the diagram. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  startConsoleJourney,
  startConsoleOn,
} from '../support/console-journey.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testLimits } from '../support/test-limits.ts'

const statements = [
  'create table artist (artist_id integer not null primary key, name text not null)',
  'create table album (album_id integer not null primary key, artist_id integer not null references artist(artist_id))',
  'create table keyless (a text)',
]

const pallet = {
  name: 'Pallet',
  attributes: {
    identifier: { field_name: 'id', field_type: 'string' },
    local_fields: [
      { field_name: 'size', field_type: 'integer' },
      { field_name: 'label', field_type: 'string' },
    ],
  },
}

describe.runIf(hasBrowser)('entities in the console', () => {
  let journey: ConsoleJourney
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: { product: 'sqlite'; file: string; readConnections: number } & typeof testLimits

  beforeAll(async () => {
    folder = await temporaryFolder()
    database = {
      product: 'sqlite',
      file: join(folder.path, 'music.sqlite'),
      readConnections: 2,
      ...testLimits,
    }
    await runStatements(database, statements)
    journey = await startConsoleJourney('--db_product', 'sqlite', '--db_name', database.file)
    const examples = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
    await journey.call('POST', '/manage/entities', examples)
    await journey.call('POST', '/apis/tenants', { id: 't1' })
    await journey.addAccount('reader', [{ regex: '/manage/entities(/.*)?', methods: ['GET'] }])
    await journey.addAccount('nobody', [])
  })
  afterAll(async () => {
    await journey?.close()
    await folder?.remove()
  })

  const definitionOf = async (name: string) =>
    ((await journey.call('GET', `/manage/entities/${name}`)) as { definition: object }).definition
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const nameInputs = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
  const showPlan = (page: Page) => button(page, 'Show the plan').click()
  /** Confirms a plan by which something is lost. */
  const confirm = async (page: Page, name: string, action: string) => {
    await page.getByLabel(`Type ${name} to confirm`).fill(name)
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
    await page.getByRole('status').getByText('Done', { exact: true }).waitFor()
  }

  test('a new entity is designed as a form and as text, and nothing of it is lost', async () => {
    const { page, mistakes } = await journey.open('/entities')
    await page.getByRole('link', { name: 'Tenant' }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'entities')
    await page.getByRole('link', { name: 'New entity' }).click()
    await nameInputs(page).fill('Cable')
    await button(page, 'Add a field').click()
    await nameInputs(page).nth(1).fill('colour')
    await page.getByRole('combobox', { name: 'Allowed values' }).fill('red')
    await page.keyboard.press('Enter')
    await page.getByText('YAML', { exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Definition in YAML' })
    await text.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(
      '# what connects ports\nname: Cable\nattributes:\n  identifier: {field_name: id, field_type: string}\n  local_fields:\n    - field_name: colour\n      field_type: string\n      field_enum: [red]\nmethods: {class_methods: [cut], instance_methods: []}\n',
    )
    await page.getByLabel('Category').fill('network')
    await button(page, 'Add a reference').click()
    await page.getByRole('combobox', { name: 'Refers to the entity' }).fill('Po')
    await page.getByRole('option', { name: 'Port' }).click()
    await expect.poll(() => nameInputs(page).last().inputValue()).toBe('portId')
    await expect.poll(() => text.textContent()).toContain('# what connects ports')
    await expectAccessible(page)
    await keepPicture(page, 'entity-designer')
    await showPlan(page)
    await page.getByText('Create the table "Cable".').waitFor()
    await button(page, /statement/).click()
    await page.getByText(/create table "Cable"/).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'entity-plan')
    await button(page, 'Apply').click()
    await page.getByText('published at /apis/cables').waitFor()
    await page.getByRole('link', { name: 'Open the data' }).first().waitFor()
    await page.getByRole('dialog').getByText('Close', { exact: true }).click()
    await page.getByRole('heading', { name: 'Cable' }).waitFor()
    expect(await definitionOf('Cable')).toMatchObject({
      category: 'network',
      attributes: {
        local_fields: [{ field_name: 'colour', field_enum: ['red'] }],
        ref_fields: [
          { field_name: 'portId', field_type: 'string', ref_class: 'Port', ref_class_field: 'id' },
        ],
      },
      methods: { class_methods: ['cut'] },
    })
    expectQuiet(mistakes)
  })

  test('a design does not look as if it could only be read while that is asked', async () => {
    const { page, mistakes } = await journey.open('/entities')
    const known = Promise.withResolvers<void>()
    const isAboutUpload = (request: Request) =>
      request.url().endsWith('/whoami/access') &&
      /"POST","path":"\/manage\/entities"/.test(request.postData() ?? '')
    await page.route('**/whoami/access', async (route) => {
      if (isAboutUpload(route.request())) await known.promise
      await route.continue()
    })
    const asked = page.waitForRequest(isAboutUpload)
    await page.goto(`${journey.program.frontUrl}/console/entities/definition/Port`)
    await asked
    await page.getByRole('tab', { name: 'Design' }).waitFor()
    expect(await nameInputs(page).count()).toBe(0)
    known.resolve()
    await button(page, 'Add a field').waitFor()
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('the entity that was chosen last is referred to, even if an earlier one is read later', async () => {
    const { page, mistakes } = await journey.open('/entities/new')
    const chosen = Promise.withResolvers<void>()
    await page.route('**/manage/entities/Port', async (route) => {
      await chosen.promise
      await route.continue()
    })
    await button(page, 'Add a reference').click()
    const target = page.getByRole('combobox', { name: 'Refers to the entity' })
    await target.fill('Po')
    await page.getByRole('option', { name: 'Port' }).click()
    await target.fill('Ten')
    await page.getByRole('option', { name: 'Tenant' }).click()
    const name = nameInputs(page).last()
    await expect.poll(() => name.inputValue()).toBe('tenantId')
    const late = page.waitForResponse('**/manage/entities/Port')
    chosen.resolve()
    await (await late).finished()
    await page.getByText('YAML', { exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Definition in YAML' })
    await expect.poll(() => text.textContent()).toContain('ref_class: Tenant')
    expect(await target.inputValue()).toBe('Tenant')
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('what the gateway finds wrong stands at its field', async () => {
    const { page, mistakes } = await journey.open('/entities/new')
    await nameInputs(page).fill('1st')
    await button(page, 'Add a field').click()
    await nameInputs(page).nth(1).fill('size')
    await page.getByLabel('Default').fill('import os')
    await showPlan(page)
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await button(page, 'Back').click()
    await page.getByText('The gateway found 2 mistakes').waitFor()
    await page.getByText('1 mistake', { exact: true }).waitFor()
    for (const label of ['Name', 'Default']) {
      await expect
        .poll(() => page.getByRole('textbox', { name: label }).first().getAttribute('aria-invalid'))
        .toBe('true')
    }
    await expectAccessible(page)
    await nameInputs(page).first().fill('First')
    await page.getByText('The gateway found 1 mistake').waitFor()
    await page.getByRole('textbox', { name: 'Definition in JSON' }).fill('{"name": ')
    await page.getByText('The form shows the last definition that could be read.').waitFor()
    await expect.poll(() => button(page, 'Show the plan').isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Entities' }).last().click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await button(page, 'Leave').click()
    await page.getByRole('link', { name: 'New entity' }).waitFor()
    expectQuiet(mistakes, /status of 422/)
  })

  test('a rename keeps rows; a loss needs to be allowed, and the name typed', async () => {
    await journey.call('POST', '/manage/entities', pallet)
    await journey.call('POST', '/apis/pallets', { id: 'p1', size: 1, label: 'a' })
    const { page, mistakes } = await journey.open('/entities/definition/Pallet')
    await button(page, /^label/).click()
    await nameInputs(page).last().fill('caption')
    await page.getByText('Stored as label').waitFor()
    await button(page, 'Remove size').click()
    await showPlan(page)
    await page.getByText('The gateway refuses this').waitFor()
    await expect.poll(() => button(page, 'Apply').isDisabled()).toBe(true)
    await page.getByLabel('Allow the loss of data').click()
    await page.getByText('This is lost and cannot be restored').waitFor()
    await page.getByText('1 row loses a value.').first().waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'entity-loss')
    await expect.poll(() => button(page, 'Apply').isDisabled()).toBe(true)

    // The rows change between the plan and its confirmation.
    await journey.call('POST', '/apis/pallets', { id: 'p2', size: 2 })
    await page.getByLabel('Type Pallet to confirm').fill('Pallet')
    await button(page, 'Apply').click()
    await page.getByText('The plan has changed').waitFor()
    await page.getByText('2 rows lose a value.').first().waitFor()
    expect(await journey.call('GET', '/apis/pallets/p1')).toMatchObject({ size: 1 })
    await confirm(page, 'Pallet', 'Apply')
    expect(await journey.call('GET', '/apis/pallets/p1')).toMatchObject({ id: 'p1', caption: 'a' })
    expectQuiet(mistakes, /status of 412/)
  })

  test('an upload of someone else is not overwritten unnoticed', async () => {
    const crate = { ...pallet, name: 'Crate' }
    await journey.call('POST', '/manage/entities', crate)
    const { page, mistakes } = await journey.open('/entities/definition/Crate')
    await page.getByLabel('Category').fill('mine')
    await journey.call('POST', '/manage/entities', { ...crate, category: 'theirs' })
    await showPlan(page)
    await page.getByText('Someone else has uploaded this entity').waitFor()
    await expect.poll(() => button(page, 'Apply').isDisabled()).toBe(true)
    await page.getByLabel('Replace that version with mine').click()
    await button(page, 'Apply').click()
    await page.getByRole('status').getByText('Done', { exact: true }).waitFor()
    expect(await definitionOf('Crate')).toMatchObject({ category: 'mine' })
    expectQuiet(mistakes)
  })

  test('versions are compared, and an older one is restored', async () => {
    const box = { ...pallet, name: 'Box' }
    const wider = structuredClone(box)
    wider.attributes.local_fields.push({ field_name: 'depth', field_type: 'integer' })
    await journey.call('POST', '/manage/entities', box)
    await journey.call('POST', '/manage/entities', wider)
    const { page, mistakes } = await journey.open('/entities/definition/Box/versions')
    await page.getByText('Field depth was added (integer).').waitFor()
    await page.getByText('"field_name": "depth"').waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'entity-versions')
    await page.getByRole('link', { name: 'Restore' }).click()
    await page.getByText('This is version 1').waitFor()
    await showPlan(page)
    await page.getByText('Drop the column "depth"').first().waitFor()
    await button(page, 'Apply').click()
    await page.getByRole('status').getByText('Done', { exact: true }).waitFor()
    expect(await definitionOf('Box')).toEqual(box)
    expectQuiet(mistakes)
  })

  test('an entity is deleted after its plan, and restored from its versions', async () => {
    await journey.call('POST', '/manage/entities', { ...pallet, name: 'Barrel' })
    await journey.call('POST', '/apis/barrels', { id: 'b1' })
    const { page, mistakes } = await journey.open('/entities/definition/Barrel')
    await button(page, 'Delete').click()
    await page.getByText('"Barrel" has 1 record').waitFor()
    await page.getByLabel('Allow the loss of data').click()
    await expectAccessible(page)
    await confirm(page, 'Barrel', 'Delete')
    await page.getByRole('dialog').getByText('Close', { exact: true }).click()
    await page.getByRole('link', { name: 'Tenant' }).waitFor()
    await page.getByRole('link', { name: 'Barrel' }).waitFor({ state: 'detached' })

    await page.goto(`${journey.program.frontUrl}/console/entities/Barrel`)
    await page.getByText('There is no such entity').waitFor()
    await button(page, 'Restore').click()
    await page.getByText('Create the table "Barrel".').waitFor()
    await button(page, 'Apply').click()
    await page.getByText('published at /apis/barrels').waitFor()
    expectQuiet(mistakes, /status of 404/)
  })

  test('definitions are uploaded from files; what cannot be read is named', async () => {
    const { page, mistakes } = await journey.open('/entities/upload')
    const files = page.locator('input[type=file]')
    const yaml =
      'name: Shelf\nattributes: {identifier: {field_name: id, field_type: string}}\n---\nname: Rack\nattributes: {identifier: {field_name: id, field_type: string}}\n'
    await files.setInputFiles([
      { name: 'more.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) },
      { name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"name": ') },
    ])
    await page.getByText('1 file cannot be read').waitFor()
    await expectAccessible(page)
    await button(page, 'Remove the files').click()
    await files.setInputFiles([
      { name: 'more.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) },
    ])
    await showPlan(page)
    await page.getByText('Create the table "Rack".').waitFor()
    await button(page, 'Apply').click()
    await page.getByText('published at /apis/shelves').waitFor()
    expectQuiet(mistakes)
  })

  test('drift is marked in the list, explained, and repaired', async () => {
    await journey.call('POST', '/manage/entities', { ...pallet, name: 'Bin' })
    await runStatements(database, ['alter table "Bin" drop column "label"'])
    const { page, mistakes } = await journey.open('/entities')
    await page.getByRole('listitem').filter({ hasText: 'Bin' }).getByRole('link', { name: 'Drift' }).click()
    await page.getByText('The column "label" does not exist.').waitFor()
    await expectAccessible(page)
    await button(page, 'Show the plan to repair the table').click()
    await page.getByLabel('Allow the loss of data').click()
    await page.getByText('Add the column "label"').first().waitFor()
    await expectAccessible(page)
    await button(page, 'Apply').click()
    await page.getByRole('status').getByText('Done', { exact: true }).waitFor()
    expect(await journey.call('GET', '/manage/drift')).toEqual([])
    expectQuiet(mistakes)
  })

  test('tables are adopted, but for those that cannot be', async () => {
    const { page, mistakes } = await journey.open('/entities/adopt?table=album')
    await page.getByText('1 table chosen').waitFor()
    await button(page, 'Choose all found').click()
    await expectAccessible(page)
    await button(page, 'Show the definitions').click()
    await page.getByText('Not every table can be adopted').waitFor()
    await expectAccessible(page)
    await button(page, 'Leave out 1 table').click()
    await page.getByText('/apis/albums').waitFor()
    await keepPicture(page, 'entity-adopt')
    await button(page, 'Adopt 2 tables').click()
    await page.getByText('2 tables are entities now').waitFor()
    expect(await journey.call('GET', '/apis/albums')).toEqual([])
    expectQuiet(mistakes, /status of 409/)
  })

  test('of more than a thousand tables, a thousand are chosen at once', async () => {
    const product = products.find(({ name }) => name === 'SQLite')
    if (product === undefined) return
    const numbers = Array.from({ length: 1001 }, (_, index) => `${10_000 + index}`)
    const many = await startConsoleOn(
      product,
      numbers.map((number) => `create table t${number} (id integer primary key)`),
    )
    const { page, mistakes } = await many.open('/entities/adopt')
    await button(page, 'Choose all found').click()
    await page.getByText('1000 tables chosen').waitFor()
    await page.getByText('At most 1000 tables are adopted at once.').waitFor()
    await page.getByRole('searchbox', { name: 'Search for tables' }).fill('t11000')
    await expect.poll(() => page.getByRole('checkbox', { name: 't11000' }).isDisabled()).toBe(true)
    await button(page, 'Show the definitions').click()
    await button(page, 'Adopt 1000 tables').waitFor()
    await expectAccessible(page)
    expectQuiet(mistakes)
    await many.close()
  })

  test('the diagram shows how tables refer to each other, as a picture and as a list', async () => {
    const { page, mistakes } = await journey.open('/entities/diagram')
    await page.getByRole('link', { name: 'Port' }).waitFor()
    await keepPicture(page, 'entity-diagram')
    await page.getByRole('combobox', { name: 'Focus on' }).fill('Ten')
    await page.getByRole('option', { name: 'Tenant' }).click()
    await page.getByRole('link', { name: 'album' }).waitFor({ state: 'detached' })
    await page.getByText('tenantId').waitFor()
    await expectAccessible(page)
    await page.getByText('List', { exact: true }).click()
    const port = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Port' }) })
    await port.getByText('tenantId → id').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Port' }).click()
    await page.getByRole('tab', { name: 'Design' }).waitFor()
    expectQuiet(mistakes)
  })

  test('someone who may only read sees no button that would be refused', async () => {
    const { page, mistakes } = await journey.open('/entities', { account: 'reader' })
    await page.getByRole('link', { name: 'Tenant' }).click()
    await page.getByLabel('Category').waitFor()
    await expect.poll(() => page.getByLabel('Category').getAttribute('readonly')).not.toBeNull()
    for (const name of ['Show the plan', 'Delete', 'Add a field'])
      await expect.poll(() => button(page, name).count()).toBe(0)
    await page.getByRole('link', { name: 'Entities' }).last().click()
    await page.getByRole('link', { name: 'Diagram' }).waitFor()
    for (const name of ['New entity', 'Upload files', 'Adopt tables']) {
      await expect.poll(() => page.getByRole('link', { name }).count()).toBe(0)
    }
    expectQuiet(mistakes)

    const nobody = await journey.open('/', { account: 'nobody' })
    await nobody.page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => nobody.page.getByRole('link', { name: 'Entities' }).count()).toBe(0)
  })

  test('a plan is told in Japanese, with the sentences of the gateway', async () => {
    const { page, mistakes } = await journey.open('/entities/upload', { language: 'ja' })
    const yaml = 'name: Crane\nattributes: {identifier: {field_name: id, field_type: string}}\n'
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'crane.yaml', mimeType: 'application/yaml', buffer: Buffer.from(yaml) }])
    await button(page, '計画を表示').click()
    await page.getByText('テーブルを作成します。 変わる行はありません。').waitFor()
    expect(await page.getByText('Create the table "Crane".').getAttribute('lang')).toBe('en')
    await expectAccessible(page)
    await keepPicture(page, 'plan-in-japanese')
    expectQuiet(mistakes)
    await page.close()
  })

  test('everything fits on a phone, in Japanese and in the dark', async () => {
    const view = { device: 'phone', language: 'ja', colorScheme: 'dark' } as const
    for (const [path, text] of [
      ['/entities', 'Tenant'],
      ['/entities/definition/Port', 'operationStatus'],
      ['/entities/definition/Port/versions', 'admin'],
      ['/entities/definition/Port/drift', 'テーブルは定義どおりです'],
      ['/entities/diagram', 'Port'],
      ['/entities/upload', '定義のアップロード'],
    ] as const) {
      const { page, mistakes } = await journey.open(path, view)
      await page.getByText(text).filter({ visible: true }).first().waitFor()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
      await keepPicture(page, `phone${path.replaceAll('/', '-')}`)
      expectQuiet(mistakes)
      await page.close()
    }
  })
})
