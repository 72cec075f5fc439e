import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { products } from '../support/products.ts'

const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))

function start(...flags: readonly string[]): { readonly child: ChildProcess; text(): string } {
  const child = spawn(process.execPath, [program, 'gateway', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => {
      text += piece.toString()
    })
  }
  return { child, text: () => text }
}

/** Waits until something was said so many times. */
async function untilSaid(text: () => string, what: RegExp, times: number): Promise<readonly string[]> {
  for (;;) {
    const found = [...text().matchAll(what)].map(([, value = '']) => value)
    if (found.length >= times) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL'),
  (product) => {
    test('several processes serve one port, and another one comes for one that ends', async () => {
      const { options, remove } = await product.createDatabase()
      const { host, port, user, name } = options as unknown as Record<string, string>
      const { child, text } = start(
        ...['--db_product', 'postgresql', '--db_host', `${host}`, '--db_port', `${port}`],
        ...['--db_user', `${user}`, '--db_name', `${name}`, '--port', '0', '--workers', '2'],
      )
      try {
        await untilSaid(text, /"kind":"(Started)"/g, 2)
        const [url] = await untilSaid(text, /^Gateway +(\S+)$/gm, 1)
        expect(text().match(/It is not shown again|it is not shown again/g)).toHaveLength(1)
        expect(text().match(/^Gatehouse /gm)).toHaveLength(1)
        expect((await fetch(`${url}/healthz`)).status).toBe(200)

        const workers = await childrenOf(child)
        expect(workers).toHaveLength(2)
        process.kill(workers[0] ?? 0, 'SIGKILL')
        await untilSaid(text, /"kind":"(Started)"/g, 3)
        expect(text()).toContain('"kind":"WorkerEnded","reason":"SIGKILL"')
        expect((await fetch(`${url}/healthz`)).status).toBe(200)

        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        expect(await exited).toEqual([0, null])
        expect(text().match(/"kind":"Stopped"/g)).toHaveLength(2)
      } finally {
        child.kill('SIGKILL')
        await remove()
      }
    })
  },
)

async function childrenOf({ pid }: ChildProcess): Promise<readonly number[]> {
  const list = spawn('ps', ['-o', 'pid=', '--ppid', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const pieces: Buffer[] = await list.stdout.toArray()
  return Buffer.concat(pieces).toString().trim().split(/\s+/).map(Number)
}

test('several processes on a SQLite file are refused', async () => {
  const { child, text } = start('--db_product', 'sqlite', '--db_name', ':memory:', '--workers', '2')
  expect(await once(child, 'close')).toEqual([2, null])
  expect(text()).toContain('workers: more than one needs a database server')
})
