/** The pictures of the documentation: `TEST_SCREENSHOTS=docs/images/console npm run test:long -- test/console/pictures`. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
} from '../support/console-journey.ts'
import { startConsoleSample } from '../support/console-sample.ts'

interface Picture {
  readonly name: string
  /** Below the console. */
  readonly path: string
  /** What must be seen before the picture is taken. */
  readonly shows: string
  /** Brings the page into the state of the picture. */
  readonly prepare?: (page: Page) => Promise<void>
  /** What the browser complains of, since a response has that status. */
  readonly provoked?: RegExp
}

/** A file to import, with a state that there is not. */
const complaints = `subject,state,phone,refund
No subtitles,open,16033332345,
The case is broken,new,54932389890,1.50
Disc of another film,answered,38657742213,0.99
`

const params = `{ "name": "Mary Smith",
  "films": [{ "title": "ALIEN CENTER", "due": "Monday" }, { "title": "ACE GOLDFINGER", "due": "Friday" }] }
`

/** Filters of films through relations. */
const filtered = new URLSearchParams({
  edit: '',
  filters: JSON.stringify([
    { key: 'language.name', op: 'starts', val: 'Eng' },
    { key: 'film_actorCollection', op: 'some', val: [{ key: 'actor.last_name', op: '==', val: 'TRACY' }] },
  ]),
})

const pictures: readonly Picture[] = [
  { name: 'overview', path: '/', shows: 'Overview' },
  { name: 'data', path: '/data', shows: 'film_actor' },
  { name: 'rows', path: '/data/film', shows: 'ACADEMY DINOSAUR' },
  {
    name: 'filters',
    path: `/data/film?${filtered}`,
    shows: 'A row of film_actor matches if',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Field of actor' }).waitFor()
      await page.getByRole('combobox', { name: 'Field of language' }).waitFor()
    },
  },
  {
    name: 'totals',
    path: '/data/film?totals=length,rental_rate&by=rating',
    shows: 'groups',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Rows', exact: true }).click()
    },
  },
  {
    name: 'record',
    path: '/data/film',
    shows: 'ACADEMY DINOSAUR',
    prepare: async (page) => {
      await page
        .getByRole('row', { name: /ACADEMY DINOSAUR/ })
        .getByRole('link')
        .first()
        .click()
      await page.getByRole('heading', { level: 1, name: 'film 1' }).waitFor()
    },
  },
  {
    name: 'record-form',
    path: '/data/film',
    shows: 'ACADEMY DINOSAUR',
    prepare: async (page) => {
      await page
        .getByRole('row', { name: /ACADEMY DINOSAUR/ })
        .getByRole('link')
        .first()
        .click()
      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByLabel('title').fill('ACADEMY DINOSAURS')
      await page.getByRole('button', { name: 'Save' }).waitFor()
    },
  },
  {
    name: 'import',
    path: '/data/Complaint',
    shows: 'Charged twice',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Import' }).click()
      const name = 'complaints.csv'
      await page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(complaints) })
      await page.getByText('1 of the first 3 rows').waitFor()
    },
    provoked: /status of 422/,
  },
  {
    name: 'bulk-change',
    path: '/data/Complaint',
    shows: 'Charged twice',
    prepare: async (page) => {
      for (const name of ['c1', 'c2']) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByRole('combobox', { name: 'Fields to change' }).click()
      await page.getByRole('option', { name: 'state' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('combobox', { name: 'state' }).click()
      await page.getByRole('option', { name: 'closed' }).click()
      await page.getByRole('button', { name: 'Change 2 records' }).waitFor()
    },
  },
  { name: 'entities', path: '/entities', shows: 'film' },
  { name: 'design', path: '/entities/definition/film', shows: 'title' },
  {
    name: 'plan',
    path: '/entities/definition/Complaint?version=1',
    shows: 'phone',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Show the plan' }).click()
      await page.getByLabel('Allow the loss of data').click()
      await page.getByText('This is lost and cannot be restored').waitFor()
    },
    provoked: /status of 422/,
  },
  {
    name: 'versions',
    path: '/entities/definition/Complaint/versions',
    shows: 'Field refund was added (float).',
  },
  {
    name: 'adopt',
    path: '/entities/adopt?table=film_actor&table=film_category',
    shows: 'film_category',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Show the definitions' }).click()
      await page.getByText('What is stored').waitFor()
    },
  },
  { name: 'diagram', path: '/entities', shows: 'Diagram', prepare: openTab('Diagram') },
  {
    name: 'graphql',
    path: '/graphql',
    shows: 'GraphQL',
    prepare: async (page) => {
      await page.locator('.graphiql-query-editor .CodeMirror').click()
      await page.keyboard.press('Control+Enter')
      await page.locator('.graphiql-response').getByText('"edges"').first().waitFor()
    },
  },
  { name: 'apis', path: '/apis', shows: 'film' },
  {
    name: 'api',
    path: '/apis/published/film',
    shows: '/apis/films',
    prepare: async (page) => {
      const operation = page.locator('details[id^=get]')
      await operation.locator('summary').first().click()
      await operation.getByText('curl -X GET').waitFor()
    },
  },
  { name: 'roles', path: '/roles', shows: 'clerk' },
  { name: 'role', path: '/roles/named/clerk', shows: 'clerk' },
  {
    name: 'tester',
    path: '/roles/test?account=robin',
    shows: 'Test access',
    prepare: async (page) => {
      await page.getByRole('combobox', { name: 'Method' }).selectOption('DELETE')
      await page.getByRole('combobox', { name: 'Path', exact: true }).fill('/apis/films/1')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      await page.getByText('Not allowed').waitFor()
    },
  },
  { name: 'accounts', path: '/accounts', shows: 'robin' },
  { name: 'account-of-another', path: '/accounts/named/robin', shows: 'robin' },
  { name: 'tokens', path: '/tokens', shows: 'admin' },
  { name: 'sessions', path: '/sessions', shows: 'admin' },
  { name: 'audit', path: '/audit', shows: 'Role' },
  {
    name: 'template',
    path: '/templates/reminder',
    shows: 'Fill the template',
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Params as JSON' }).fill(params)
      await page.getByRole('button', { name: 'Make the file' }).click()
      await page.frameLocator('iframe').getByText('Dear Mary Smith').waitFor()
    },
  },
  { name: 'routes', path: '/routes', shows: 'weather' },
  { name: 'status', path: '/status', shows: 'Requests' },
  { name: 'configuration', path: '/configuration', shows: 'db_product' },
  { name: 'account', path: '/account', shows: 'Sessions' },
]

function openTab(name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
}

describe.runIf(hasBrowser)('the pictures of the documentation', () => {
  let journey: ConsoleJourney

  beforeAll(async () => {
    journey = await startConsoleSample()
  })
  afterAll(() => journey?.close())

  test.each(pictures)('$name', async ({ name, path, shows, prepare, provoked }) => {
    const { page, mistakes } = await journey.open(path)
    await page.getByText(shows).first().waitFor()
    await prepare?.(page)
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    await expectAccessible(page)
    await keepPicture(page, name)
    expectQuiet(mistakes, provoked)
    await page.context().close()
  })
})
