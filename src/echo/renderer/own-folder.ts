/**
 * A folder for what the browser keeps while it runs. It has a socket that this process listens on for as long as it
 * lives: a folder whose socket nobody answers on is left over from a process that was killed, whatever became of the
 * number of that process.
 */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface OwnFolder {
  readonly path: string
  /** Removes it with all that is in it. */
  remove(): Promise<void>
}

const prefix = 'gatehouse-browser-'
const socketName = 'alive'

/** Makes a folder that only this user can read. */
export async function makeOwnFolder(): Promise<OwnFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  const server = createServer((caller) => caller.destroy())
  // Where a system has no such sockets, or the path is too long for one, nobody clears away what is left over.
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve())
    server.listen(join(path, socketName), () => resolve())
  })
  server.unref()
  return {
    path,
    async remove() {
      await new Promise((resolve) => server.close(resolve))
      await removeFolder(path)
    },
  }
}

/** Removes the folders of processes of this user that ended without doing it. */
export async function removeLeftFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  const folders = names.filter((name) => new RegExp(`^${prefix}\\w{6}$`).test(name))
  await Promise.all(
    folders.map(async (name) => {
      const path = join(tmpdir(), name)
      if ((await isOfThisUser(path)) && (await isLeft(path))) await removeFolder(path)
    }),
  )
}

async function isOfThisUser(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isDirectory() === true && stats.uid === process.getuid?.()
}

function isLeft(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(join(path, socketName))
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
}

async function removeFolder(path: string): Promise<void> {
  // Processes of the browser may still write while they end.
  await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
}
