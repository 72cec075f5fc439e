/**
 * A warm one-page PDF by `/echo` against the browser library alone, and `/session` while 20 files are made at a time:
 * `npm run bench echo`. Needs Chromium at /usr/bin/chromium.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { startFrontProgram } from './program.ts'
import { median, percentile } from './statistics.ts'

const pairs = Number(process.argv[2] ?? 40)
const html = `<!doctype html><style>body{font:11pt sans-serif}td{border:1px solid #999}</style><h1>Invoice</h1>
<table>${Array.from({ length: 25 }, (_, n) => `<tr><td>Item ${n}<td>${n * 12.5}`).join('')}</table>`

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'))
await mkdir(join(folder, 'app'))
await writeFile(join(folder, 'app', 'index.html'), '<!doctype html><title>App</title>')
const config = {
  front: {
    content: { root: join(folder, 'app') },
    echo: {
      timeout: '60s',
      templates: { invoice: { format: 'html', text: html, page: { margin: '10mm' } } },
    },
  },
}
await writeFile(join(folder, 'gatehouse.yaml'), JSON.stringify(config))
const program = await startFrontProgram(['--config', join(folder, 'gatehouse.yaml')])

async function byEcho(): Promise<void> {
  const response = await fetch(`${program.url}/echo?template=invoice&filename=x.pdf`)
  const bytes = await response.arrayBuffer()
  if (!response.ok || bytes.byteLength < 1000) throw new Error(`/echo answered ${response.status}.`)
}

/** As the library's own documentation does it: a new page for each file. */
async function bare(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  await page.setContent(html)
  await page.pdf({
    format: 'A4',
    printBackground: true,
    margin: { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' },
  })
  await page.close()
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function sessionTimes(milliseconds: number): Promise<readonly number[]> {
  const times: number[] = []
  const first = await fetch(`${program.url}/session`)
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    times.push(
      await timeOf(async () => (await fetch(`${program.url}/session`, { headers: { cookie } })).text()),
    )
    await pause(5)
  }
  return times
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  for (let warming = 0; warming < 3; warming += 1) {
    await byEcho()
    await bare(browser)
  }
  const times = { echo: [] as number[], bare: [] as number[] }
  for (let pair = 0; pair < pairs; pair += 1) {
    // The order changes, and each begins when the other's work has drained.
    const turns = [
      async () => times.echo.push(await timeOf(byEcho)),
      async () => times.bare.push(await timeOf(() => bare(browser))),
    ]
    for (const turn of pair % 2 === 0 ? turns : turns.toReversed()) {
      await turn()
      await pause(400)
    }
  }
  const ratio = median(times.echo) / median(times.bare)
  console.log(`Node.js ${process.version}, ${browser.version()}, ${pairs} pairs`)
  console.log(
    `a warm pdf of one page: ${median(times.echo).toFixed(0)} ms by /echo, ${median(times.bare).toFixed(0)} ms by the library alone (${ratio.toFixed(2)} times)`,
  )
  const idle = await sessionTimes(10_000)
  let running = true
  let made = 0
  const clients = Array.from({ length: 20 }, async () => {
    while (running) {
      await byEcho()
      made += 1
    }
  })
  await pause(1000)
  const busy = await sessionTimes(20_000)
  running = false
  await Promise.all(clients)
  const show = (all: readonly number[]) =>
    `${all.length} answers, median ${median(all).toFixed(1)} ms, p99 ${percentile(all, 0.99).toFixed(1)} ms`
  console.log(`/session idle: ${show(idle)}`)
  console.log(
    `/session with 20 files at a time (${made} made): ${show(busy)}; p99 ${(percentile(busy, 0.99) / percentile(idle, 0.99)).toFixed(2)} times`,
  )
} finally {
  await browser.close()
  await program.stop()
  await rm(folder, { recursive: true })
}
