/** How a reload of the schema is asked for, and what comes of it while the database is away. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { products } from '../support/products.ts'
import { runCommand } from '../support/run-command.ts'
import { runStatements } from '../support/run-statements.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestGateway } from '../support/test-gateway.ts'
import { testLimits } from '../support/test-limits.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

describe.each(products)('$name', (product) => {
  test('gatehouse schema reload', async () => {
    let statements = async (..._: readonly string[]): Promise<unknown> => undefined
    const gateway = await startTestGateway(product, async (options) => {
      statements = (...list) => runStatements(options, list)
      await statements('create table `a` (`id` integer not null primary key)')
    })
    onTestFinished(() => gateway.close())
    const run = () => runCommand(['schema', 'reload'], gateway)
    expect(await run()).toEqual({
      exitCode: 0,
      output: expect.stringMatching(
        /^The tables have not changed\.\nThe schema is version 0-[0-9a-f]{16}\.$/,
      ),
      errors: '',
    })
    await statements('create table `b` (`id` integer not null primary key)', 'drop table `a`')
    const { output } = await run()
    expect(output.replaceAll(/ of the schema "\w+"/g, '')).toMatch(
      /^appeared: table "b"\nvanished: table "a"\nThe schema is version 0-[0-9a-f]{16}\.$/,
    )
    expect(await runCommand(['schema', 'reload', 'now'], gateway)).toEqual({
      exitCode: 2,
      output: '',
      errors: 'schema reload: takes only options, and 1 word was given',
    })
  })
})

const servers = products.filter(({ runningStatements }) => runningStatements !== undefined)

describeOn(servers, (product) => {
  test('a reload while the database is away is an error, and what was served stays', async () => {
    let close = async () => {}
    let setMode: Awaited<ReturnType<typeof startFaultProxy>>['setMode'] = () => {}
    const overProxy = {
      ...product,
      async createDatabase() {
        const created = await product.createDatabase()
        const { host, port } = created.options as { readonly host: string; readonly port: number }
        await runStatements(created.options, ['create table `a` (`id` integer not null primary key)'])
        const proxy = await startFaultProxy(host, port)
        close = () => proxy.close()
        setMode = (mode) => proxy.setMode(mode)
        return {
          options: { ...created.options, port: proxy.port } as typeof created.options,
          remove: created.remove,
        }
      },
    }
    const folder = await temporaryFolder()
    const file = join(folder.path, 'store.sqlite')
    const gateway = await startTestGateway(overProxy, undefined, {
      // Anyone who asks is known all the same.
      store: { product: 'sqlite', file, readConnections: 2, ...testLimits },
      schemaPollMs: 50,
      limits: { statementTimeoutMs: 2000, waitMs: 2000 },
    })
    onTestFinished(async () => {
      setMode('pass')
      await gateway.close()
      await close()
      await folder.remove()
    })
    const before = await gateway.gateway.schemaText()
    setMode('refuse')
    const answer = (await gateway.request('POST', '/manage/schema/reload')) as Json
    expect([answer.status, answer.body.code]).toEqual([503, 'DATABASE_UNAVAILABLE'])
    expect(await gateway.gateway.schemaText()).toBe(before)
    expect(gateway.events.some(({ kind }) => kind === 'SchemaReloadFailed')).toBe(true)
    setMode('pass')
    await vi.waitUntil(async () => (await gateway.request('POST', '/manage/schema/reload')).status === 200, {
      timeout: 60_000,
    })
    expect(await gateway.graphql('{ a { edges { node { id } } } }')).toEqual({ data: { a: { edges: [] } } })
  })
})

describe('SIGHUP', () => {
  const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))

  /** Waits until something was said. */
  async function untilSaid(child: ChildProcess, what: RegExp): Promise<string> {
    let text = ''
    const said = Promise.withResolvers<string>()
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => {
        text += piece.toString()
        if (what.test(text)) said.resolve(text)
      })
    }
    return said.promise
  }

  test('a service without a terminal reads the tables again', async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const file = join(folder.path, 'data.sqlite')
    const database = { product: 'sqlite', file, readConnections: 1, ...testLimits } as const
    await runStatements(database, ['create table `a` (`id` integer not null primary key)'])
    // Its own session has no terminal, no matter who runs the test.
    const flags = ['--db_product', 'sqlite', '--db_name', file, '--port', '0', '--schema_poll', '0']
    const child = spawn(process.execPath, [program, 'gateway', ...flags], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await untilSaid(child, /"kind":"Started"/)
    await runStatements(database, ['create table `b` (`id` integer not null primary key)'])
    const told = untilSaid(child, /"kind":"SchemaChanged".*\n/)
    child.kill('SIGHUP')
    expect(await told).toMatch(/"kind":"SchemaChanged","appeared":\["table \\"b\\""\]/)
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  test('at a terminal it ends the service', async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const file = join(folder.path, 'data.sqlite')
    await writeFile(file, '')
    const command = `echo pid=$$; exec ${process.execPath} ${program} gateway --db_product sqlite --db_name ${file} --port 0`
    // It has a terminal for what it runs.
    const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const pid = Number(/pid=(\d+)/.exec(await untilSaid(child, /"kind":"Started"/))?.[1])
    const exited = once(child, 'exit')
    process.kill(pid, 'SIGHUP')
    expect(await exited).toEqual([129, null])
  })
})
