/** The templates of the web front in the console. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, hasBrowser } from '../support/browser.ts'
import {
  type ConsoleJourney,
  expectAccessible,
  expectQuiet,
  keepPicture,
  startConsoleJourney,
} from '../support/console-journey.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const letter = `<!doctype html><html lang="en"><head><title>Letter</title><style>h1 { color: #003; }</style></head>
<body style="font-family: serif"><h1>Dear {{name}}</h1><p style="color: #700">Yours</p><script>document.title = 'run'</script></body></html>`

describe.runIf(hasBrowser)('templates in the console', () => {
  let journey: ConsoleJourney
  let withoutBrowser: ConsoleJourney
  let plain: ConsoleJourney
  let folder: Awaited<ReturnType<typeof temporaryFolder>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const config = join(folder.path, 'gatehouse.json')
    const templates = {
      letter: { format: 'html', text: letter },
      mark: {
        format: 'svg',
        text: '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><text y="20">{{a}}</text></svg>',
      },
      ports: {
        format: 'csv',
        text: 'name\n{{#each ports}}{{name}}\n{{/each}}',
        schema: { type: 'object', required: ['ports'] },
      },
    }
    const start = async (browser: string) => {
      await writeFile(config, JSON.stringify({ front: { echo: { templates, browser, sandbox: false } } }))
      return startConsoleJourney('--config', config)
    }
    journey = await start(chromiumPath)
    withoutBrowser = await start(join(folder.path, 'no-browser'))
    await withoutBrowser.addAccount('nobody', [])
    plain = await startConsoleJourney()
  })
  afterAll(async () => {
    await journey?.close()
    await withoutBrowser?.close()
    await plain?.close()
    await folder?.remove()
  })

  test('someone fills a template, sees what comes out, and downloads it', async () => {
    const { page, mistakes } = await journey.open('/templates')
    await page.getByRole('link', { name: 'letter' }).waitFor()
    await expectAccessible(page)
    await keepPicture(page, 'templates')
    await page.getByRole('searchbox', { name: 'Find a template' }).fill('por')
    await page.getByText('Templates: 1').waitFor()
    await page.getByRole('link', { name: 'ports' }).click()
    const params = page.getByRole('textbox', { name: 'Params as JSON' })
    await params.fill('[1]')
    await page.getByText('It must be a JSON object.').waitFor()
    await params.fill('{}')
    await page.getByRole('button', { name: 'Make the file' }).click()
    await page.getByRole('alert').getByText('/params').waitFor()
    await expectAccessible(page)
    await params.fill('{"ports": [{"name": "=uplink"}]}')
    await page.getByRole('textbox', { name: 'Name of the file' }).fill('Häfen')
    await page.getByRole('button', { name: 'Make the file' }).click()
    await page.getByText("'=uplink").waitFor()
    await page.getByText("gatehouse echo ports --params params.json --out 'Häfen.csv'").waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const file = await download
    expect([file.suggestedFilename(), await readFile(await file.path(), 'utf8')]).toEqual([
      'Häfen.csv',
      "name\n'=uplink\n",
    ])
    expectQuiet(mistakes, /status of 400/)
    await page.context().close()
  })

  test('a page is shown with its styles and without its scripts; an image is shown', async () => {
    const { page, mistakes } = await journey.open('/templates/letter')
    await page.getByRole('textbox', { name: 'Params as JSON' }).fill('{"name": "<b>Ada</b>"}')
    await page.getByRole('button', { name: 'Make the file' }).click()
    const shown = page.frameLocator('iframe[title="Preview of letter.html"]')
    await shown.getByText('Dear <b>Ada</b>').waitFor()
    const colourOf = (selector: string) =>
      shown.locator(selector).evaluate((element) => element.computedStyleMap().get('color')?.toString())
    expect([await colourOf('h1'), await colourOf('p')]).toEqual(['rgb(0, 0, 51)', 'rgb(119, 0, 0)'])
    await expectAccessible(page)
    await keepPicture(page, 'template')
    await page.goto(`${journey.program.frontUrl}/console/templates/mark`)
    await page.getByRole('textbox', { name: 'Params as JSON' }).fill('{"a": "x"}')
    await page.getByRole('button', { name: 'Make the file' }).click()
    const image = page.getByRole('img', { name: 'Preview of mark.svg' })
    await image.waitFor()
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(40)
    await expectAccessible(page)
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('images and PDFs are made: one is shown, the other opened or downloaded', async () => {
    const { page, mistakes } = await journey.open('/templates/letter')
    const kind = page.getByRole('combobox', { name: 'Kind of file' })
    await kind.selectOption('png')
    await page.getByRole('button', { name: 'Make the file' }).click()
    const image = page.getByRole('img', { name: 'Preview of letter.png' })
    await expect.poll(async () => (await image.boundingBox())?.width ?? 0).toBeGreaterThan(300)
    await kind.selectOption('pdf')
    await page.getByRole('button', { name: 'Make the file' }).click()
    await page.getByRole('heading', { name: 'letter.pdf' }).waitFor()
    await page.getByRole('link', { name: 'Open' }).waitFor()
    if (
      await page.evaluate(
        () => (globalThis as { navigator?: { pdfViewerEnabled?: boolean } }).navigator?.pdfViewerEnabled,
      )
    ) {
      const shown = page.getByTitle('Preview of letter.pdf')
      await expect.poll(() => shown.getAttribute('src')).toMatch(/^blob:/)
      await expect.poll(async () => (await shown.boundingBox())?.height ?? 0).toBeGreaterThan(300)
    } else await page.getByText('shown by the browser itself').waitFor()
    await keepPicture(page, 'template-pdf')
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const file = await download
    expect([file.suggestedFilename(), (await readFile(await file.path(), 'latin1')).slice(0, 5)]).toEqual([
      'letter.pdf',
      '%PDF-',
    ])
    expectQuiet(mistakes)
    await page.context().close()
  })

  test('where files need a browser that is not there, it says what to install', async () => {
    const { page, mistakes } = await withoutBrowser.open('/templates/letter', {
      account: 'nobody',
      device: 'phone',
      colorScheme: 'dark',
      language: 'ja',
    })
    await page.getByRole('combobox', { name: 'ファイルの種類' }).selectOption('pdf')
    await page.getByRole('button', { name: 'ファイルを作成' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('ファイルを作成できませんでした').waitFor()
    await expect.poll(() => alert.innerText()).toMatch(/echo\.browser|chromium/i)
    await expectAccessible(page)
    await keepPicture(page, 'template-phone')
    expectQuiet(mistakes, /status of 501/)
    await page.context().close()
  })

  test('a web front without templates has no such area', async () => {
    const { page, mistakes } = await plain.open('/')
    await page.getByRole('link', { name: 'Status', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Templates', exact: true }).count()).toBe(0)
    await page.goto(`${plain.program.frontUrl}/console/templates`)
    await page.getByText('There are no templates').waitFor()
    expectQuiet(mistakes, /status of 404/)
    await page.context().close()
  })
})
