import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)

/** A disk of a test's own, with little space. */
export interface SmallDisk {
  readonly path: string
  /** Takes all the space that is left. */
  fill(): Promise<void>
  /** Gives it back. */
  clear(): Promise<void>
  remove(): Promise<void>
}

/** Mounts one; undefined where this user may not. */
export async function mountSmallDisk(size: string): Promise<SmallDisk | undefined> {
  const folder = await temporaryFolder()
  const { path } = folder
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  } catch {
    await folder.remove()
    return undefined
  }
  const filling = join(path, 'filling')
  return {
    path,
    async fill() {
      const file = await open(filling, 'a')
      try {
        for (const bytes of [65_536, 4096, 512, 1]) {
          const piece = Buffer.alloc(bytes, 'x')
          for (let written = bytes; written === bytes; ) {
            const space = await file.write(piece).catch((error: NodeJS.ErrnoException) => {
              if (error.code !== 'ENOSPC') throw error
              return { bytesWritten: 0 }
            })
            written = space.bytesWritten
          }
        }
      } finally {
        await file.close()
      }
    },
    clear: () => rm(filling, { force: true }),
    async remove() {
      // A process that was ended a moment ago may hold a file still.
      await run('umount', ['--lazy', path])
      await folder.remove()
    },
  }
}
