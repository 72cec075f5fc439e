import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { applicationFolder } from '../support/application-folder.ts'
import { hasBrowser } from '../support/browser.ts'
import { type StartedFront, startFrontProgram } from '../support/start-program.ts'
import { ownTemporaryFolder } from '../support/temporary-folder.ts'

describe.skipIf(!hasBrowser)('K11: what a killed web front leaves', () => {
  let temporary: Awaited<ReturnType<typeof ownTemporaryFolder>>
  let application: Awaited<ReturnType<typeof applicationFolder>>
  beforeAll(async () => {
    application = await applicationFolder()
    temporary = await ownTemporaryFolder()
  })
  afterAll(async () => {
    await temporary.remove()
    await application.remove()
  })

  const foldersOfBrowsers = async () =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('gatehouse-browser-')).sort()

  /** How many processes, of whatever parent, work in a folder of a browser. */
  async function processesIn(folder: string): Promise<number> {
    const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const lines = await Promise.all(
      numbers.map((number) => readFile(`/proc/${number}/cmdline`, 'utf8').catch(() => '')),
    )
    return lines.filter((line) => line.includes(folder)).length
  }

  async function start(name: string): Promise<StartedFront> {
    const templates = { page: { format: 'html', text: '<h1>x</h1>' } }
    const front = { port: 0, content: { root: application.root }, echo: { templates, timeout: '2m' } }
    const started = await startFrontProgram(join(application.path, `${name}.yaml`), { front })
    onTestFinished(async () => void (await started.stop('SIGKILL')))
    return started
  }

  async function makePdf({ address }: StartedFront): Promise<void> {
    const response = await fetch(`http://${address}/echo?template=page&filename=x.pdf`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    await response.arrayBuffer()
  }

  test('is removed by the next one, and nothing else is', async () => {
    const lives = await start('lives')
    await makePdf(lives)
    const ofLiving = await foldersOfBrowsers()
    const killed = await start('killed')
    await makePdf(killed)
    expect(await foldersOfBrowsers()).toHaveLength(2)
    const [ofKilled = ''] = (await foldersOfBrowsers()).filter((name) => !ofLiving.includes(name))
    expect(await processesIn(ofKilled)).toBeGreaterThan(0)
    await killed.stop('SIGKILL')
    await expect.poll(() => processesIn(ofKilled), { timeout: 120_000 }).toBe(0)
    expect(await foldersOfBrowsers()).toHaveLength(2)

    // A folder of another kind, one that is being made, and a way to somewhere else.
    await mkdir(join(tmpdir(), 'gatehouse-browser-mine'))
    await mkdir(join(tmpdir(), 'gatehouse-browser-aaaaaa'))
    await writeFile(join(application.path, 'alive'), '')
    await symlink(application.path, join(tmpdir(), 'gatehouse-browser-bbbbbb'))
    const others = ['gatehouse-browser-aaaaaa', 'gatehouse-browser-bbbbbb', 'gatehouse-browser-mine']

    const next = await start('next')
    await expect.poll(foldersOfBrowsers, { timeout: 120_000 }).toEqual([...ofLiving, ...others].sort())
    await makePdf(next)
    await makePdf(lives)
    expect(await next.stop('SIGTERM')).toBe(0)
    expect(await foldersOfBrowsers()).toEqual([...ofLiving, ...others].sort())
    expect(await lives.stop('SIGTERM')).toBe(0)
    expect(await foldersOfBrowsers()).toEqual(others)
  })
})
