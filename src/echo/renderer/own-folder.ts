/**
 * A folder for the browser's files. It contains a socket on which this process listens while it runs: if nothing
 * answers on the socket, the folder is left over from a killed process, even if the process id is in use again.
 */
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface OwnFolder {
  readonly path: string
  /** Removes the folder with its contents. */
  remove(): Promise<void>
}

const prefix = 'gatehouse-browser-'
const socketName = 'alive'

/** Creates a folder that only this user can read. */
export async function makeOwnFolder(): Promise<OwnFolder> {
  const path = await mkdtemp(join(tmpdir(), prefix))
  const server = createServer((caller) => caller.destroy())
  // If the system has no such sockets, or the path is too long for one, leftovers are not removed.
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

/** Removes the folders that ended processes of this user left. */
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
  // Ending processes of the browser may still write.
  await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
}
