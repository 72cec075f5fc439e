/** Makes the places where data lies so that only their owner can read them: they hold hashes and business data. */
import { chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whether something was there already. */
export type Presence = 'found' | 'made'

/**
 * Makes a folder, readable by its owner only, when it is not there, and those it lies in. One that is there
 * stays as it is. Node's `recursive` is not used: it never returns where a folder can't be made, as in /proc.
 */
export function prepareFolder(path: string): Presence {
  if (isFolder(path)) return 'found'
  const parent = dirname(path)
  if (!existsSync(parent)) prepareFolder(parent)
  mkdirSync(path, { mode: 0o700 })
  return 'made'
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Makes an empty database file, readable by its owner only, when it is not there. Files beside it get its mode. */
export function prepareDatabaseFile(path: string): Presence {
  if (path === ':memory:') return 'made'
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600))
    return 'made'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'found'
    throw error
  }
}

/** Lets only the owner read a file that somebody may have copied here with other rights. */
export function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    const belongsToAnother = error instanceof Error && 'code' in error && error.code === 'EPERM'
    if (!belongsToAnother) throw error
  }
}
