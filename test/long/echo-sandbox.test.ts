import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { type Canary, hostilePage, leavingPages, refreshingPage, startCanary } from '../support/canary.ts'
import { echoOf } from '../support/echo-template.ts'
import { hasPoppler, readPdf } from '../support/pictures.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'

describe.skipIf(!hasBrowser || !hasPoppler)(
  'K7, K8: a hostile page reaches nothing',
  { timeout: 300_000 },
  () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let canary: Canary
    let running: TestFront
    let hostile = ''
    let leaving: readonly string[] = []
    beforeAll(async () => {
      folder = await temporaryFolder()
      canary = await startCanary()
      const secret = join(folder.path, 'secret.html')
      await writeFile(secret, 'SECRET-OF-A-FILE')
      hostile = hostilePage(canary.port, secret)
      leaving = leavingPages(canary.port, secret)
      const edge = `<script>document.body.append('SCRIPT-RAN')</script><img src="http://127.0.0.1:${canary.port}/edge" onerror="fetch('http://127.0.0.1:${canary.port}/edge-script');document.body.append('SCRIPT-RAN')"><iframe src="file://${secret}"></iframe><b style="background:url(http://127.0.0.1:${canary.port}/edge-style)">EDGE</b>`
      const templates = {
        hostile: {
          format: 'html',
          engine: 'plain',
          text: hostile,
          page: { header: edge, footer: edge, margin: '30mm' },
        },
        raw: { format: 'html', text: '{{{html}}}' },
        escaped: { format: 'html', text: '<p>{{html}}</p>', page: { header: '{{html}}' } },
        picture: {
          format: 'svg',
          text: `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">{{{html}}}</svg>`,
        },
      }
      running = await startTestFront({ echo: echoOf({ templates, timeout: '1m' }) })
    })
    afterAll(async () => {
      await running?.close()
      await canary?.close()
      await folder?.remove()
    })

    async function make(template: string, ending: string, html = hostile) {
      const response = await fetch(`${running.url}/echo`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          template,
          params: template === 'hostile' ? {} : { html },
          filename: `x.${ending}`,
        }),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, bytes }
    }

    test('the canary sings where nothing protects it', async () => {
      const browser = await startBrowser()
      const trap = await startCanary()
      try {
        const page = await browser.newPage()
        await page.goto(trap.serve(hostilePage(trap.port, '/etc/hostname')), { waitUntil: 'commit' })
        await expect.poll(() => new Set(trap.hits).size, { timeout: 120_000 }).toBeGreaterThan(45)
      } finally {
        await browser.close()
        await trap.close()
      }
    })

    test.each(['hostile', 'raw', 'picture', 'escaped'])('as %s', async (template) => {
      for (const ending of ['pdf', 'png']) {
        const { status, bytes } = await make(template, ending)
        expect([template, ending, status, bytes.includes('SECRET')]).toEqual([template, ending, 200, false])
        if (ending !== 'pdf' || template === 'escaped') continue
        const file = join(folder.path, `${template}.pdf`)
        await writeFile(file, bytes)
        const { text } = await readPdf(file)
        expect(text).toContain('VISIBLE')
        expect(text).not.toMatch(/SECRET-OF|SCRIPT-RAN|CANARY-CONTENT|root:|STORED/)
      }
      await wait(500)
      expect(canary.hits).toEqual([])
    })

    test('which has a fallback shows it for what is not loaded', async () => {
      const address = `http://127.0.0.1:${canary.port}`
      const page = `<!doctype html><img alt="ALTERNATIVE" src="${address}/image"><object data="${address}/object">FALLBACK</object>`
      const { status, bytes } = await make('raw', 'pdf', page)
      const file = join(folder.path, 'absent.pdf')
      await writeFile(file, bytes)
      const { text } = await readPdf(file)
      expect([status, text.includes('ALTERNATIVE'), text.includes('FALLBACK')]).toEqual([200, true, true])
    })

    test('which navigates away by itself', async () => {
      for (const page of leaving) {
        const { status, bytes } = await make('raw', 'pdf', page)
        expect([page, status]).toEqual([page, 200])
        const file = join(folder.path, 'leaving.pdf')
        await writeFile(file, bytes)
        expect((await readPdf(file)).text.trim()).toBe('VISIBLE')
      }
      await wait(500)
      expect(canary.hits).toEqual([])
    })

    test.each(['0', '0; url=about:blank', '0; url=about:srcdoc'])(
      'which navigates to an empty one by itself is drawn before, or refused: %s',
      async (content) => {
        const page = refreshingPage(content)
        for (const ending of ['pdf', 'png']) {
          const { status, bytes } = await make('raw', ending, page)
          if (status === 200) {
            const visible = await make('raw', ending, '<!doctype html><p>VISIBLE</p>')
            expect(bytes.length).toBeGreaterThanOrEqual(visible.bytes.length)
            continue
          }
          expect({ status, ...JSON.parse(bytes.toString()) }).toMatchObject({
            status: 503,
            code: 'RENDERER_FAILED',
            detail: 'The page navigates away by itself: remove its <meta http-equiv="refresh">.',
          })
        }
      },
    )
  },
)
