import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { echoOf } from '../support/echo-template.ts'
import { processTreeOf } from '../support/process-tree.ts'
import { ownTemporaryFolder } from '../support/temporary-folder.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'

const templates = {
  page: { format: 'html', text: '<h1>{{title}}</h1>' },
  // Lists in lists without any text, which would take minutes.
  endless: {
    format: 'html',
    text: '{{#with list}}{{#each .}}{{#each ../.}}{{#each ../../.}}{{#each ../../../.}}{{this}}{{/each}}{{/each}}{{/each}}{{/each}}{{/with}}',
  },
  high: { format: 'html', text: '<div style="height:1000000000px">x</div>' },
  slow: {
    format: 'html',
    text: '<style>div{filter:blur(90px) drop-shadow(0 0 80px red);background:repeating-conic-gradient(red 0 1deg,blue 0 2deg)}</style>{{#each list}}<div style="position:absolute;inset:0;opacity:.5">x</div>{{/each}}',
    image: { width: 3000, height: 3000, scale: 2 },
  },
  // Every box of a list in a list takes about a kilobyte of the browser.
  heavy: { format: 'html', text: '{{#each list}}{{#each ../list}}<b>x</b>{{/each}}{{/each}}' },
  text: { format: 'txt', text: '{{title}}' },
}

/** How many files are made to see whether they leave something behind. */
const manyFiles = Number(process.env.TEST_FILES ?? 24)

let temporary: Awaited<ReturnType<typeof ownTemporaryFolder>>
beforeAll(async () => {
  temporary = await ownTemporaryFolder()
  // Those of tests before these have been told to end.
  await vi.waitFor(async () => expect(await browserProcesses()).toEqual([]), { timeout: 20_000 })
})
afterAll(() => temporary.remove())

let running: TestFront
afterEach(() => running?.close())

async function make(template: string, filename: string, params: object = {}, signal?: AbortSignal) {
  const response = await fetch(`${running.url}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ template, filename, params }),
    ...(signal ? { signal } : {}),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isProblem = response.headers.get('content-type')?.includes('problem') ?? false
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isProblem ? JSON.parse(bytes.toString()) : {},
  }
}

const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString() === '%PDF-'

/** The processes that this one has started, but for those that have ended and wait to be seen. */
async function browserProcesses(): Promise<readonly string[]> {
  const tree = await processTreeOf(process.pid)
  return tree.flatMap((pid) => {
    try {
      const name = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? ''
      return /chrom/.test(name) ? [`${pid} ${name}`] : []
    } catch {
      return []
    }
  })
}

describe('K10: without a browser', () => {
  test('pdf, png, jpeg and jpg are 501 with what to install, and texts are made', async () => {
    running = await startTestFront({ echo: echoOf({ templates, browser: '/nowhere/chromium' }) })
    for (const ending of ['pdf', 'png', 'jpeg', 'jpg']) {
      const { status, body } = await make('page', `x.${ending}`)
      expect([status, body.code, body.detail]).toEqual([
        501,
        'RENDERER_MISSING',
        'Install Chromium (on Debian: apt-get install chromium) for files of this kind, or name a browser with echo.browser.',
      ])
    }
    expect((await make('page', 'x.html', { title: 'y' })).bytes.toString()).toBe('<h1>y</h1>')
  })
})

describe.skipIf(!hasBrowser)('the browser', { timeout: 300_000 }, () => {
  test('K9: is replaced when it is killed, while files are made and between them', async () => {
    running = await startTestFront({ echo: echoOf({ templates, timeout: '1m' }) })
    expect(isPdf((await make('page', 'x.pdf')).bytes)).toBe(true)
    const kill = async () => {
      const [first] = await browserProcesses()
      process.kill(Number.parseInt(first ?? '', 10), 'SIGKILL')
    }
    await kill()
    expect(isPdf((await make('page', 'x.pdf')).bytes)).toBe(true)
    const jobs = Array.from({ length: 6 }, () => make('page', 'x.pdf'))
    await Promise.race(jobs)
    await kill()
    const made = await Promise.all(jobs)
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const kinds = running.events.map(({ kind }) => kind).filter((kind) => /Renderer/.test(kind))
    expect(kinds).toEqual([
      'RendererStarted',
      'RendererLost',
      'RendererStarted',
      'RendererLost',
      'RendererStarted',
    ])
  })

  test('K9: a template or a page without an end is given up, and others are made', async () => {
    running = await startTestFront({
      bodyLimitBytes: 10_000_000,
      echo: echoOf({ templates, timeout: '5s', parallel: 2 }),
    })
    await make('page', 'x.pdf')
    const list = Array.from({ length: 5000 }, (_, index) => index)
    const endless = await Promise.all([make('endless', 'x.html', { list }), make('slow', 'x.png', { list })])
    expect(endless.map(({ body }) => body.code)).toEqual([
      'FILE_TIMEOUT',
      expect.stringMatching(/^(FILE_TIMEOUT|RENDERER_FAILED)$/),
    ])
    await expect.poll(async () => isPdf((await make('page', 'x.pdf')).bytes)).toBe(true)
    expect((await make('text', 'x.txt', { title: 'a' })).bytes.toString()).toBe('a')
  })

  test('K9: a page that is too high or takes too much memory is ended, and others are made', async () => {
    running = await startTestFront({ echo: echoOf({ templates, maxMemory: '400mb', timeout: '4m' }) })
    expect(isPdf((await make('page', 'x.pdf')).bytes)).toBe(true)
    expect((await make('high', 'x.pdf')).body.code).toBe('FILE_TOO_LARGE')
    const list = Array.from({ length: 1600 }, () => 0)
    const { status, body } = await make('heavy', 'x.png', { list })
    expect([status, body.code]).toEqual([503, 'RENDERER_FAILED'])
    const longer = [...list, ...list]
    const refused = await make('heavy', 'x.png', { list: longer })
    expect([refused.status, refused.body.detail]).toEqual([413, 'The page has more than 32 MB.'])
    expect(isPdf((await make('page', 'x.pdf')).bytes)).toBe(true)
    const reasons = running.events.flatMap((event) => (event.kind === 'RendererLost' ? [event.reason] : []))
    expect(reasons).toContain('A page took more memory than echo.maxMemory.')
  })

  test('refuses anyone who comes when too many wait', async () => {
    running = await startTestFront({ echo: echoOf({ templates, parallel: 1, queue: 2, timeout: '1m' }) })
    const answers = await Promise.all(Array.from({ length: 6 }, () => make('page', 'x.pdf')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503, 503])
    const refused = answers.find(({ status }) => status === 503)
    expect([refused?.body.code, refused?.headers.get('retry-after')]).toEqual(['TOO_BUSY', '5'])
  })

  test('K11: many files, half of whose clients leave, leave nothing behind', {
    timeout: 1_800_000,
  }, async () => {
    const processesBefore = await browserProcesses()
    running = await startTestFront({
      echo: echoOf({ templates, parallel: 4, queue: 1000, timeout: '5m' }),
      // Connections that are kept open for the next request are no leftovers.
      timeouts: { keepAlive: 1000 },
    })
    await make('page', 'x.pdf')
    const handlesBefore = readdirSync('/proc/self/fd').length
    let made = 0
    let left = 0
    const one = async (number: number) => {
      const controller = new AbortController()
      // Half of those who leave do so at once, so that no file is fast enough for them.
      if (number % 2 === 1) setTimeout(() => controller.abort(), number % 4 === 1 ? 0 : (number % 25) * 20)
      try {
        const { bytes } = await make('page', number % 10 === 0 ? 'x.png' : 'x.pdf', {}, controller.signal)
        if (bytes.length > 0) made += 1
      } catch {
        left += 1
      }
    }
    const numbers = Array.from({ length: manyFiles }, (_, number) => number).values()
    const client = async () => {
      for (const number of numbers) await one(number)
    }
    await Promise.all(Array.from({ length: 20 }, client))
    expect(made + left).toBe(manyFiles)
    expect(made).toBeGreaterThanOrEqual(manyFiles / 2)
    expect(left).toBeGreaterThan(manyFiles / 5)
    // Who has left is no failure of the server.
    expect(running.events.filter(({ kind }) => kind === 'RequestFailed')).toEqual([])
    // One browser with one empty page is what stays warm; Chromium keeps a process or two ready for the next ones.
    const isRenderer = async (pid: string) =>
      readFileSync(`/proc/${Number.parseInt(pid, 10)}/cmdline`, 'utf8').includes('--type=renderer')
    const renderers = async () => {
      const kinds = await Promise.all(
        (await browserProcesses()).map((pid) => isRenderer(pid).catch(() => false)),
      )
      return kinds.filter(Boolean).length
    }
    await expect.poll(renderers).toBeLessThanOrEqual(4)
    await expect
      .poll(() => readdirSync('/proc/self/fd').length, { timeout: 20_000 })
      .toBeLessThanOrEqual(handlesBefore + 5)
    await running.close()
    await expect.poll(browserProcesses).toEqual(processesBefore)
    expect(await readdir(tmpdir())).toEqual([])
  })
})
