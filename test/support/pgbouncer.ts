/** PgBouncer in front of the tests' PostgreSQL server, as people share a server's few connections. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { freePort } from './free-port.ts'
import { has } from './machine.ts'
import type { TestProduct } from './products.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Whether this machine has PgBouncer. */
export const hasPgbouncer = has('PgBouncer')

export interface RunningPgbouncer {
  readonly port: number
  stop(): Promise<void>
}

/** Starts PgBouncer in transaction mode with its usual settings, but for how many of the server's sessions each database gets. */
export async function startPgbouncer(
  server: { readonly host: string; readonly port: number; readonly user: string },
  sessions: number,
): Promise<RunningPgbouncer> {
  const folder = await temporaryFolder()
  const port = await freePort()
  const file = join(folder.path, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${server.host} port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${sessions}
`,
  )
  // The program refuses to run as root.
  await chmod(folder.path, 0o755)
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], ...nobody })
  await answers(child, port)
  return {
    port,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await folder.remove()
    },
  }
}

/** A product whose databases are reached over a pooler. */
export function overPgbouncer(product: TestProduct, { port }: RunningPgbouncer): TestProduct {
  return {
    ...product,
    async createDatabase() {
      const { options, remove } = await product.createDatabase()
      return { options: { ...options, port } as DatabaseOptions, remove }
    },
  }
}

async function answers(child: ChildProcess, port: number): Promise<void> {
  let complaints = ''
  child.stderr?.on('data', (piece: Buffer) => {
    complaints += piece.toString()
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${complaints}`)
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
