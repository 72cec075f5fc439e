/** The same done with many records in the console. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  password,
  startConsoleOn,
} from '../support/console-journey.ts'
import { mainProduct } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'

interface Task {
  readonly id: string
  readonly title: string
  readonly state: string | null
  readonly isUrgent: boolean | null
}

describe.runIf(hasBrowser).each(mainProduct('PostgreSQL'))(
  'many records in the console, $name',
  (product) => {
    let journey: ConsoleJourney

    beforeAll(async () => {
      journey = await startConsoleOn(product)
      await journey.call('POST', '/manage/entities', [
        definition('Task', {
          local: [
            field('title', 'string', { field_nullable: false }),
            field('state', 'string', { field_enum: ['open', 'done'] }),
            field('isUrgent', 'boolean'),
          ],
        }),
        definition('Part', { local: [field('name', 'string')], refs: [reference('wholeId', 'Part')] }),
        definition('Note', { local: [field('text', 'text')], refs: [reference('taskId', 'Task')] }),
      ])
      await journey.addAccount('reader', [{ regex: '/apis/tasks(/.*)?', methods: ['GET'] }])
      await journey.addAccount('writer', [
        { regex: '/graphql/Task', methods: ['POST'] },
        { regex: '/apis/tasks/.*', methods: ['PUT'] },
      ])
      await journey.addAccount('changer', [
        { regex: '/graphql/Task', methods: ['POST'] },
        { regex: '/apis/tasks/.*', methods: ['PATCH'] },
      ])
    })
    beforeEach(async () => {
      for (const path of ['/apis/notes', '/apis/tasks']) {
        for (const { id } of (await journey.call('GET', path)) as readonly Task[]) {
          await journey.call('DELETE', `${path}/${id}`)
        }
      }
      const made = Array.from({ length: 120 }, (_, index) => {
        const number = String(index + 1).padStart(3, '0')
        return { id: `t${number}`, title: `Task ${number}`, state: 'open', isUrgent: index % 2 === 0 }
      })
      await journey.call('POST', '/apis/tasks', made)
      await journey.call('POST', '/apis/notes', { id: 'n1', text: 'x', taskId: 't002' })
    })
    afterAll(() => journey?.close())

    const tasks = async () => (await journey.call('GET', '/apis/tasks?asc=id')) as readonly Task[]
    const box = (page: Page, name: string) =>
      page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
    const select = async (page: Page, ...names: readonly string[]) => {
      for (const name of names) await box(page, name).click()
    }

    test('rows are selected one by one, as a range, by keys, by page, and all that match', async () => {
      const { page, mistakes } = await journey.open('/data/Task')
      await select(page, 't001')
      await box(page, 't004').click({ modifiers: ['Shift'] })
      await page.getByText('4 rows are selected').waitFor()
      await select(page, 't002')
      await page.getByText('3 rows are selected').waitFor()
      await page.getByRole('gridcell', { name: 't010', exact: true }).click()
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Shift+Space')
      await page.getByText('6 rows are selected').waitFor()
      await keepPicture(page, 'bulk')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Next page' }).click()
      await select(page, 't051')
      await page.getByText('7 rows are selected').waitFor()
      await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
      await page.getByText('56 rows are selected').waitFor()
      await page.getByRole('button', { name: 'Select all 120 that the filters find' }).click()
      await page.getByText('120 rows are selected').waitFor()
      await page.getByRole('button', { name: 'Select none' }).click()
      await page.getByRole('region', { name: 'Selected rows' }).waitFor({ state: 'detached' })
      expectQuiet(mistakes)
      await page.context().close()
    })

    test('selected records are deleted, except those that others refer to or have changed, and come back', async () => {
      const { page, mistakes } = await journey.open('/data/Task')
      await select(page, 't001', 't002', 't003', 't004')
      await journey.call('PATCH', '/apis/tasks/t003', { title: 'Changed by another' })
      await journey.call('DELETE', '/apis/tasks/t004')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('4 records will be deleted.').waitFor()
      await page.getByText('This can be undone right afterwards.').waitFor()
      await expectAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Show as' }).click()
      await page.getByText('curl -X DELETE "$GATEHOUSE_URL"/apis/tasks/t004').waitFor()
      await page.getByRole('dialog', { name: 'The same without the console' }).getByLabel('Close').click()
      await page.getByRole('button', { name: 'Delete 4 records' }).click()
      await page.getByText('1 record was deleted.').waitFor()
      await page.getByText('3 records were not written.').waitFor()
      await page.getByText('Someone has changed it since it was shown.').waitFor()
      await page.getByText('It no longer exists.').waitFor()
      await page.getByText('Records refer to this Task.').waitFor()
      await keepPicture(page, 'bulk-outcome')
      await expectAccessible(page)
      expect((await tasks()).slice(0, 2).map(({ id }) => id)).toEqual(['t002', 't003'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('1 record is as it was.').waitFor()
      expect((await tasks())[0]).toMatchObject({
        id: 't001',
        title: 'Task 001',
        state: 'open',
        isUrgent: true,
      })
      expectQuiet(mistakes, /status of (404|409|412)/)
      await page.context().close()
    })

    test('a tree of records is deleted, and comes back', async () => {
      const parts = Array.from({ length: 8 }, (_, index) => ({
        id: `p${index}`,
        name: `Part ${index}`,
        wholeId: index === 0 ? null : `p${index - 1}`,
      }))
      for (const part of parts) await journey.call('POST', '/apis/parts', part)
      const { page } = await journey.open('/data/Part')
      await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Delete 8 records' }).click()
      await page.getByText('8 records were deleted.').waitFor()
      expect(await journey.call('GET', '/apis/parts')).toEqual([])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('8 records are as they were.').waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
      const back = (await journey.call('GET', '/apis/parts?asc=id')) as readonly object[]
      expect(back).toEqual(parts.map((part) => expect.objectContaining(part)))
      await page.context().close()
    })

    test('whoever may only write whole records does not reset what they did not read', async () => {
      const { page } = await journey.open('/data/Task', { account: 'writer' })
      await page.getByRole('button', { name: /of \d+ columns/ }).click()
      await page.getByRole('checkbox', { name: 'title' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('columnheader', { name: 'title' }).waitFor({ state: 'detached' })
      await select(page, 't001')
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByRole('combobox', { name: 'Fields to change' }).click()
      await page.getByRole('option', { name: 'state' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'state: null' }).click()
      await page.getByRole('button', { name: 'Change 1 record' }).click()
      await page.getByText('hidden columns were not read').waitFor()
      expect((await tasks())[0]).toMatchObject({ title: 'Task 001', state: 'open' })
      await page.context().close()
    })

    test('all that match are changed, in one or several fields, and changed back', async () => {
      const { page, mistakes } = await journey.open(
        '/data/Task?filters=[{"key":"isUrgent","op":"==","val":1}]',
      )
      await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
      await page.getByRole('button', { name: 'Select all 60 that the filters find' }).click()
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByText('60 records get these values.').waitFor()
      await page.getByRole('combobox', { name: 'Fields to change' }).click()
      await page.getByRole('option', { name: 'state' }).click()
      await page.getByRole('option', { name: 'title' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'title' }).fill('All the same')
      await page.getByRole('combobox', { name: 'state' }).click()
      await page.getByRole('option', { name: 'done' }).click()
      await keepPicture(page, 'bulk-change')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Change 60 records' }).click()
      await page.getByText('60 records have the new values.').waitFor()
      const changed = (await tasks()).filter(
        ({ title, state }) => title === 'All the same' && state === 'done',
      )
      expect(changed).toHaveLength(60)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('60 records are as they were.').waitFor()
      expect(
        (await tasks()).filter(({ title, state }) => /^Task/.test(title) && state === 'open'),
      ).toHaveLength(120)
      expectQuiet(mistakes)
      await page.context().close()
    })

    test('rows of another list cannot be selected while those that were searched are read', async () => {
      const { page, mistakes } = await journey.open('/data/Task')
      await box(page, 't001').waitFor()
      const answered = Promise.withResolvers<void>()
      await page.route('**/gateway/graphql', async (route) => {
        if (route.request().postData()?.includes('Task 003')) await answered.promise
        await route.continue()
      })
      await page.getByRole('searchbox', { name: 'Find text, then Enter' }).fill('Task 003')
      await page.keyboard.press('Enter')
      await page.locator('[role="grid"][aria-busy="true"]').waitFor()
      await page.getByRole('gridcell', { name: 't010', exact: true }).click()
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      expect(await box(page, 't002').isDisabled()).toBe(true)
      expect(await box(page, 'all rows of this page').isDisabled()).toBe(true)
      const next = page.getByRole('button', { name: 'Next page' })
      expect(await next.getAttribute('aria-disabled')).toBe('true')
      answered.resolve()
      await page.getByRole('gridcell', { name: 't010', exact: true }).waitFor({ state: 'detached' })
      await select(page, 'all rows of this page')
      await page.getByText('1 row is selected').waitFor()
      expectQuiet(mistakes)
      await page.context().close()
    })

    test('what the gateway refuses is told in its words', async () => {
      const { page } = await journey.open('/data/Task')
      await select(page, 't001', 't002')
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByRole('combobox', { name: 'Fields to change' }).click()
      await page.getByRole('option', { name: 'isUrgent' }).click()
      await page.keyboard.press('Escape')
      await page.route('**/gateway/apis/tasks/t001', async (route) => {
        const isChange = route.request().method() === 'PATCH'
        await route.continue(isChange ? { postData: JSON.stringify({ isUrgent: 'perhaps' }) } : {})
      })
      const action = page.getByRole('button', { name: 'Change 2 records' })
      await expect.poll(() => action.isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'isUrgent: null' }).click()
      await action.click()
      await page.getByText('1 record has the new values.').waitFor()
      await page.getByText('"perhaps" was sent').waitFor()
      const urgent = (await tasks()).slice(0, 2)
      expect(urgent.map(({ isUrgent }) => isUrgent)).toEqual([true, null])
      await page.context().close()
    })

    test('more than can be undone are changed only after their number is typed', async () => {
      const more = Array.from({ length: 900 }, (_, index) => ({ id: `m${index}`, title: 'More' }))
      await journey.call('POST', '/apis/tasks', more)
      const { page } = await journey.open('/data/Task')
      await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
      await page.getByRole('button', { name: 'Select all 1,020 that the filters find' }).click()
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByText('This cannot be undone').waitFor()
      await page.getByRole('combobox', { name: 'Fields to change' }).click()
      await page.getByRole('option', { name: 'state' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'state: null' }).click()
      const action = page.getByRole('button', { name: 'Change 1,020 records' })
      await expect.poll(() => action.isDisabled()).toBe(true)
      await page.getByRole('textbox', { name: 'Type 1020 to confirm' }).fill('1020')
      await expect.poll(() => action.isDisabled()).toBe(false)
      await page.context().close()
      const rest = more.values()
      const lane = async () => {
        for (const { id } of rest) await journey.call('DELETE', `/apis/tasks/${id}`)
      }
      await Promise.all([lane(), lane(), lane(), lane()])
    })

    test('many are deleted only after their number is typed; stopping leaves the rest as it is', async () => {
      const { page } = await journey.open('/data/Task?filters=[{"key":"id","op":"!=","val":"t002"}]')
      await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
      await page.getByRole('button', { name: 'Select all 119 that the filters find' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      const action = page.getByRole('button', { name: 'Delete 119 records' })
      await expect.poll(() => action.isDisabled()).toBe(true)
      await page.getByRole('textbox', { name: 'Type 119 to confirm' }).fill('119')
      let deleted = 0
      const held: (() => void)[] = []
      await page.route('**/gateway/apis/tasks/*', async (route) => {
        if (route.request().method() === 'DELETE') {
          deleted += 1
          if (deleted > 8) await new Promise<void>((resolve) => held.push(resolve))
        }
        await route.continue()
      })
      await action.click()
      await page.getByText('8 of 119 rows').waitFor()
      await expect.poll(() => held.length).toBe(4)
      await page.getByRole('button', { name: 'Stop' }).click()
      for (const go of held) go()
      await page.getByText('12 records were deleted.').waitFor()
      await page.getByText('107 records are as they were: nothing was sent for them.').waitFor()
      expect(await tasks()).toHaveLength(108)
      await page.context().close()
    })

    test('records that were added since they were counted are not deleted unasked', async () => {
      const { page } = await journey.open('/data/Task?filters=[{"key":"id","op":"!=","val":"t002"}]')
      await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
      await page.getByRole('button', { name: 'Select all 119 that the filters find' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('textbox', { name: 'Type 119 to confirm' }).fill('119')
      await journey.call('POST', '/apis/tasks', { id: 't121', title: 'Late' })
      await page.getByRole('button', { name: 'Delete 119 records' }).click()
      await page.getByText('There are 120 records by now').waitFor()
      expect(await tasks()).toHaveLength(121)
      await expectAccessible(page)
      await page.getByRole('textbox', { name: 'Type 120 to confirm' }).fill('120')
      await page.getByRole('button', { name: 'Delete 120 records' }).click()
      await page.getByText('120 records were deleted.').waitFor()
      expect((await tasks()).map(({ id }) => id)).toEqual(['t002'])
      await page.context().close()
    })

    test('a session that ends does not take the report, nor the undo', async () => {
      const { page } = await journey.open('/data/Task', { isNewLogin: true })
      await select(page, 't001', 't003', 't004', 't005', 't006', 't007', 't008')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      let deletions = 0
      await page.route('**/gateway/apis/tasks/*', async (route) => {
        if (route.request().method() === 'DELETE') {
          deletions += 1
          if (deletions === 4) await page.context().clearCookies()
        }
        await route.continue()
      })
      await page.getByRole('button', { name: 'Delete 7 records' }).click()
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByLabel('Username').fill('admin')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByText('Your session ended meanwhile').waitFor()
      const left = (await tasks()).length
      expect(left).toBeLessThan(120)
      expect(left).toBeGreaterThan(113)
      await expectAccessible(page)
      await keepPicture(page, 'bulk-session')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('as it was.').or(page.getByText('are as they were.')).waitFor()
      expect(await tasks()).toHaveLength(120)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await page.reload()
      await page.getByRole('gridcell', { name: 't002', exact: true }).waitFor()
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
      await page.context().close()
    })

    test('an undo whose answers are lost is tried again, and creates each record once', async () => {
      const { page } = await journey.open('/data/Task')
      await select(page, 't001', 't003', 't004', 't005', 't006', 't007', 't008')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Delete 7 records' }).click()
      await page.getByText('7 records were deleted.').waitFor()
      await page.route('**/gateway/apis/tasks', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('0 records are as they were.').waitFor()
      await page.getByText('it is unknown whether it was written').first().waitFor()
      await page.unroute('**/gateway/apis/tasks')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('7 records are as they were.').waitFor()
      expect(await tasks()).toHaveLength(120)
      await page.context().close()
    })

    test('a connection that fails ends it, and says what is unknown', async () => {
      const { page } = await journey.open('/data/Task')
      await select(page, 't001', 't003', 't004', 't005', 't006', 't007', 't008')
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.route('**/gateway/apis/tasks/*', (route) =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      )
      await page.getByRole('button', { name: 'Delete 7 records' }).click()
      await page.getByText('0 records were deleted.').waitFor()
      await page.getByText('it is unknown whether it was written').first().waitFor()
      await page.getByText('nothing was sent for').waitFor()
      await page.context().close()
    })

    test('someone who may only read is offered nothing; someone who may only change does not delete', async () => {
      const reader = await journey.open('/data/Task', { account: 'reader' })
      await reader.page.getByRole('gridcell', { name: 't001', exact: true }).waitFor()
      await expect.poll(() => reader.page.getByRole('checkbox').count()).toBe(0)
      expectQuiet(reader.mistakes)
      await reader.page.context().close()
      const changer = await journey.open('/data/Task', { account: 'changer' })
      await select(changer.page, 't001')
      await changer.page.getByRole('button', { name: 'Change', exact: true }).waitFor()
      await expect
        .poll(() => changer.page.getByRole('button', { name: 'Delete', exact: true }).count())
        .toBe(0)
      await changer.page.context().close()
    })

    test('is the same on a phone, in the dark, in Japanese', async () => {
      const view = { device: 'phone', colorScheme: 'dark', language: 'ja' } as const
      const { page, mistakes } = await journey.open('/data/Task', view)
      await page.getByRole('checkbox', { name: 't001 を選択' }).tap()
      await page.getByText('1 行を選択中').waitFor()
      await keepPicture(page, 'bulk-ja')
      await expectAccessible(page)
      await page.getByRole('button', { name: '削除', exact: true }).click()
      await page.getByText('1 件のレコードを削除します。').waitFor()
      await expectAccessible(page)
      expectQuiet(mistakes)
      await page.context().close()
    })
  },
)
