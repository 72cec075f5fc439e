import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder, and how to remove it with all that was put into it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** A new folder that this process takes for the system's one for temporary files until it is removed. */
export async function ownTemporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const { path, remove } = await temporaryFolder()
  const before = process.env.TMPDIR
  process.env.TMPDIR = path
  return {
    path,
    async remove() {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
      await remove()
    },
  }
}
