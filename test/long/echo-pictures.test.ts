import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../src/bin/program.ts'
import { tinyFont } from '../../src/echo/renderer/tiny-font.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { echoOf } from '../support/echo-template.ts'
import { decodePicture, drawPdf, hasFontsFor, hasPoppler, readPdf } from '../support/pictures.ts'
import { recordedInvocation } from '../support/recorded-invocation.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'

const page = `<!doctype html><html lang="{{lang}}"><style>
  body { margin: 0; background: #fff }
  .box { width: 100px; height: 100px; background: #c00000 }
  .next { break-before: page }
</style><div class="box"></div><h1>{{title}}</h1>{{#each pages}}<p class="next">{{this}}</p>{{/each}}`

/** Cherokee and Ol Chiki: scripts of which a machine rarely has fonts. */
const [tsalagi, olChiki] = ['Ꭰ', 'ᱚ']

function embedded(family: string, character: string): string {
  const bytes = tinyFont(family, character).toString('base64')
  return `@font-face { font-family: ${family}; src: url(data:font/ttf;base64,${bytes}) }`
}

const templates = {
  letter: {
    format: 'html',
    text: page,
    defaults: { title: 'Invoice', lang: 'en' },
    page: {
      size: 'A5 landscape',
      margin: '20mm',
      header: '<b style="color:#0000c0">{{title}}</b>',
      footer: 'Page {{@page}} of {{@pages}}',
    },
    image: { width: 300, scale: 2 },
  },
  card: { format: 'html', text: page, image: { width: 200, height: 150, transparent: true } },
  clear: { format: 'html', text: '<p>x</p>', image: { width: 200, height: 150, transparent: true } },
  logo: {
    format: 'html',
    text: '<style>body{margin:0}</style><img src="{{logo}}" width="60" height="60">',
    image: { width: 60 },
  },
  names: {
    format: 'html',
    text: `<title>${olChiki}</title><!-- ${olChiki} --><style>/* ${olChiki} */</style>
      <p title="${olChiki}">{{name}} é日本😀&hellip;</p>`,
    page: { footer: '{{footer}}' },
  },
  branded: {
    format: 'html',
    text: `<style>${embedded('brand', tsalagi)} p { font-family: brand }</style><p>{{name}} &#x13a0;</p>`,
  },
  mark: {
    format: 'svg',
    text: '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="{{colour}}"/></svg>',
    image: { width: 80 },
    outputs: ['png', 'svg'],
  },
}

describe.skipIf(!hasBrowser || !hasPoppler)('/echo with a headless browser', () => {
  let running: TestFront
  let browser: Browser
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
    browser = await startBrowser()
    running = await startTestFront({ echo: echoOf({ templates, timeout: '1m', maxPages: 5 }) })
  })
  afterAll(async () => {
    await running?.close()
    await browser?.close()
    await folder?.remove()
  })

  async function make(template: string, params: object, filename: string) {
    const response = await fetch(`${running.url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ template, params, filename }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const file = join(folder.path, filename)
    await writeFile(file, bytes)
    return { response, bytes, file }
  }

  test('makes a pdf with its pages, their size, header, footer, text and background', async () => {
    const { response, file, bytes } = await make(
      'letter',
      { title: 'Für <Ada>', pages: ['two', 'three'] },
      'a.pdf',
    )
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.pdf"')
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    const pdf = await readPdf(file)
    expect([pdf.pages, pdf.title, pdf.tagged]).toEqual([3, 'a', true])
    // Browsers round to pixels.
    expect(pdf.size.map((length) => Math.abs(length - (length > 500 ? 595 : 420)) <= 1)).toEqual([true, true])
    const pages = pdf.text.split('\f').map((text) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    )
    expect(pages).toEqual([
      ['Für <Ada>', 'Für <Ada>', 'Page 1 of 3'],
      ['Für <Ada>', 'two', 'Page 2 of 3'],
      ['Für <Ada>', 'three', 'Page 3 of 3'],
      [],
    ])
    const drawn = await decodePicture(browser, await drawPdf(file, 1), 'image/png')
    expect(drawn.at(70, 70)).toEqual([192, 0, 0, 255])
    expect(drawn.at(300, 200)).toEqual([255, 255, 255, 255])
  })

  test.each(['png', 'jpeg', 'jpg'])('makes a %s of the size and colours of the page', async (ending) => {
    const { response, bytes } = await make('letter', {}, `a.${ending}`)
    const type = ending === 'png' ? 'image/png' : 'image/jpeg'
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    const picture = await decodePicture(browser, bytes, type)
    expect(picture.size[0]).toBe(600)
    expect(picture.size[1]).toBeGreaterThan(200)
    expect(picture.size[1]).toBeLessThan(500)
    const [red = 0, green = 0, blue = 0] = picture.at(100, 100)
    expect(Math.max(Math.abs(red - 192), green, blue)).toBeLessThan(8)
    expect(picture.at(599, 5).every((part) => part > 250)).toBe(true)
  })

  test('an image has the height and the transparency of its template', async () => {
    const card = await decodePicture(browser, (await make('card', {}, 'c.png')).bytes, 'image/png')
    expect([card.size, card.at(150, 10)]).toEqual([
      [200, 150],
      [255, 255, 255, 255],
    ])
    const clear = await decodePicture(browser, (await make('clear', {}, 'c.png')).bytes, 'image/png')
    expect([clear.size, clear.at(150, 100)]).toEqual([
      [200, 150],
      [0, 0, 0, 0],
    ])
  })

  test('an image that is sent as data is shown', async () => {
    const green =
      '<svg xmlns="http://www.w3.org/2000/svg"><rect width="60" height="60" fill="#00c000"/></svg>'
    const logo = `data:image/svg+xml;base64,${Buffer.from(green).toString('base64')}`
    const picture = await decodePicture(browser, (await make('logo', { logo }, 'l.png')).bytes, 'image/png')
    expect(picture.at(30, 30)).toEqual([0, 192, 0, 255])
  })

  test('makes a png of an svg, which has its own outputs', async () => {
    const { bytes } = await make('mark', { colour: '#00c000' }, 'mark.png')
    const picture = await decodePicture(browser, bytes, 'image/png')
    expect([picture.size, picture.at(40, 20)]).toEqual([
      [80, 40],
      [0, 192, 0, 255],
    ])
    expect((await make('mark', {}, 'mark')).response.headers.get('content-disposition')).toContain('mark.png')
    expect((await make('mark', {}, 'mark.pdf')).response.status).toBe(400)
  })

  test.skipIf(!hasFontsFor('ja') || !hasFontsFor('und-zsye'))(
    'writes CJK and emoji with the fonts of the system',
    async () => {
      const { file } = await make('letter', { title: '請求書 日本 한국 😀', lang: 'ja' }, 'cjk.pdf')
      expect((await readPdf(file)).text).toMatch(/請求書 日本 .*😀/)
    },
  )

  test.skipIf(hasFontsFor('chr') || hasFontsFor('sat'))(
    'characters without a font are logged by their template, where they are shown',
    async () => {
      const warned = async (template: string, params: object, filename: string) => {
        const from = running.events.length
        expect((await make(template, params, filename)).response.status).toBe(200)
        return running.events
          .slice(from)
          .filter(({ kind }) => kind === 'CharactersMissing')
          .map((event) => ({ ...event, requestId: '' }))
      }
      const missing = { kind: 'CharactersMissing', requestId: '' }
      const cherokee = { ...missing, characters: ['U+13A0'], scripts: ['Cherokee'] }
      const both = { characters: ['U+1C5A', 'U+13A0'], scripts: ['Cherokee', 'Ol Chiki'] }
      const shown: readonly (readonly [readonly [string, object, string], readonly object[]])[] = [
        [['names', { name: 'Ada' }, 'a.pdf'], []],
        [['names', { name: tsalagi }, 'a.png'], [{ ...cherokee, template: 'names' }]],
        [
          ['names', { name: olChiki, footer: tsalagi }, 'a.pdf'],
          [{ ...missing, ...both, template: 'names' }],
        ],
        [['branded', { name: tsalagi }, 'a.pdf'], []],
        [
          ['branded', { name: olChiki }, 'a.pdf'],
          [{ ...missing, template: 'branded', characters: ['U+1C5A'], scripts: ['Ol Chiki'] }],
        ],
      ]
      for (const [made, events] of shown) expect(await warned(...made)).toEqual(events)
    },
  )

  test.skipIf(hasFontsFor('chr'))('gatehouse echo says which characters are missing', async () => {
    const letter = {
      format: 'html',
      text: '<p>{{name}}</p>',
      defaults: { name: tsalagi },
      image: { width: 50 },
    }
    const config = JSON.stringify({ front: { echo: { templates: { letter } } } })
    const out = join(folder.path, 'boxes.png')
    const invocation = recordedInvocation('echo', 'letter', '--out', out)
    expect(await runProgram({ ...invocation, readText: () => config })).toBe(0)
    expect(invocation.errors).toEqual([
      'The file shows boxes for characters that no font of this machine has: U+13A0 (Cherokee).',
    ])
  })

  test('K9: what is too large is refused, and the next file is made', async () => {
    const cases = [
      [
        'letter',
        { pages: Array(6).fill('x') },
        'a.pdf',
        'The file would have more than 5 pages, which is the limit (echo.maxPages).',
      ],
      [
        'letter',
        { pages: Array(2500).fill('x') },
        'a.png',
        /^The image would have 600 × \d+ pixels; 50000000 are allowed, and 16384 for an edge \(echo.maxPixels\).$/,
      ],
    ] as const
    for (const [template, params, name, detail] of cases) {
      const { response, bytes } = await make(template, params, name)
      expect([response.status, JSON.parse(bytes.toString()).code]).toEqual([413, 'FILE_TOO_LARGE'])
      expect(JSON.parse(bytes.toString()).detail).toMatch(detail)
    }
    expect((await make('letter', {}, 'a.pdf')).response.status).toBe(200)
  })
})
