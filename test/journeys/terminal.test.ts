/** Commands at a terminal: questions, colours, progress, and help as wide as it. */

import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { products } from '../support/products.ts'
import { atTerminal } from '../support/pseudo-terminal.ts'
import { runCommand } from '../support/run-command.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const [product] = products
if (product === undefined) throw new Error('There is no product.')
const controlStart = '\u001b'

describe.runIf(process.platform === 'linux')('at a terminal', () => {
  let gateway: TestGateway
  let environment: Record<string, string>
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    environment = {
      GATEHOUSE_URL: gateway.url,
      GATEHOUSE_USERNAME: 'admin',
      GATEHOUSE_PASSWORD: gateway.password,
      GATEHOUSE_API_KEY: gateway.apiKey,
    }
  })
  afterAll(() => gateway.close())
  const makeRole = (name: string) =>
    runCommand(['role', 'create', name, '--regex', '/apis/x', '--methods', 'GET'], gateway)
  const exists = async (name: string) =>
    (await gateway.request('GET', `/manage/roles/${name}`)).status === 200

  test('deleting asks, and only yes goes ahead', async () => {
    await makeRole('asked')
    const plain = { ...environment, NO_COLOR: '1' }
    for (const response of ['', 'n', 'what?']) {
      const run = atTerminal(['role', 'delete', 'asked'], plain)
      await run.shows(/\[y\/N\] /)
      run.type(response)
      expect(await run.ended).toMatchObject({
        exitCode: 1,
        plain: expect.stringMatching(
          /^Delete the role “asked”, which allows \/apis\/x\? \[y\/N\] .*\nNothing was changed\.\n$/,
        ),
      })
      expect(await exists('asked')).toBe(true)
    }
    const run = atTerminal(['role', 'delete', 'asked'], plain)
    await run.shows(/\[y\/N\] /)
    run.type('y')
    expect(await run.ended).toMatchObject({
      exitCode: 0,
      plain: expect.stringMatching(/\? \[y\/N\] y\nThe role “asked” is deleted\.\n$/),
    })
    expect(await exists('asked')).toBe(false)
  })

  test('Ctrl-C and the end of the input are no', async () => {
    await makeRole('kept')
    for (const key of ['\u0003', '\u0004']) {
      const run = atTerminal(['role', 'delete', 'kept'], environment)
      await run.shows(/\[y\/N\] /)
      run.type(key)
      expect(await run.ended).toMatchObject({
        exitCode: 1,
        plain: expect.stringContaining('Nothing was changed.'),
      })
      expect(await exists('kept')).toBe(true)
    }
  })

  test('--yes goes ahead without a question, and so does a command without a terminal', async () => {
    await makeRole('agreed')
    expect(
      await atTerminal(['role', 'delete', 'agreed', '--yes', '--color=never'], environment).ended,
    ).toMatchObject({
      exitCode: 0,
      plain: 'The role “agreed” is deleted.\n',
    })
    await makeRole('scripted')
    expect(await runCommand(['role', 'delete', 'scripted'], gateway)).toEqual({
      exitCode: 0,
      output: 'The role “scripted” is deleted.',
      errors: '',
    })
    expect((await runCommand(['role', 'show', 'scripted', '--yes'], gateway)).errors).toBe(
      '--yes: unknown option',
    )
  })

  test('an upload that loses data says which, and asks', async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const file = join(folder.path, 'box.json')
    await gateway.request('POST', '/manage/entities', {
      body: definition('Box', { local: [field('note', 'string', { field_nullable: true })] }),
    })
    expect((await gateway.request('POST', '/apis/boxes', { body: { id: 'b', note: 'n' } })).status).toBe(201)
    await writeFile(file, JSON.stringify(definition('Box', { local: [] })))
    const run = atTerminal(['entity', 'apply', file, '--allow_destructive'], environment)
    await run.shows(/Rows lose data:[\s\S]*"note"[\s\S]*Go ahead\?.* \[y\/N\] /)
    run.type('n')
    expect((await run.ended).exitCode).toBe(1)
    expect((await gateway.request('GET', '/apis/boxes/b')).body).toMatchObject({ note: 'n' })
  })

  test('colours, unless they are not wanted', async () => {
    const shown = async (words: readonly string[], more: Record<string, string> = {}) => {
      const end = await atTerminal(['role', 'list', ...words], { ...environment, ...more }).ended
      return end.shown
    }
    const bold = new RegExp(`${controlStart}\\[1mNAME +METHODS +PATHS${controlStart}\\[22m\\n`)
    expect(await shown([])).toMatch(bold)
    expect(await shown(['--color=always'], { NO_COLOR: '1' })).toMatch(bold)
    for (const plain of [
      shown([], { NO_COLOR: '1' }),
      shown(['--color=never']),
      shown(['--color', 'never'], { FORCE_COLOR: '1' }),
    ]) {
      expect(await plain).toMatch(/NAME +METHODS +PATHS\nadmin /)
      expect(await plain).not.toContain(`${controlStart}[1m`)
    }
  })

  test('a response that takes long shows what is waited for, in one line that goes', async () => {
    const waiting = Promise.withResolvers<void>()
    const server = createServer(async (_, response) => {
      await waiting.promise
      response.writeHead(404).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const run = atTerminal(['role', 'list'], { ...environment, GATEHOUSE_URL: url, NO_COLOR: '1' })
    await run.shows(new RegExp(`\\r${controlStart}\\[KWaiting for ${url} … \\d+ s\\r`))
    waiting.resolve()
    const { shown } = await run.ended
    expect(shown).toMatch(new RegExp(`\\r${controlStart}\\[K\\r${url} is not a gateway`))
  })

  test('help is as wide as the terminal, and in colours', async () => {
    const { shown } = await atTerminal(['up', '--help', '--all']).ended
    expect(shown).toContain(`${controlStart}[1mGateway: GraphQL (in a configuration file under “gateway:”)`)
    const short = (await atTerminal(['up', '--help']).ended).shown
    expect(short.split('\n').length).toBeLessThan(60)
    expect(short).toContain('“gatehouse up --help --all” prints all options')
  })
})
