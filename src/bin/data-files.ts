/** Creates files and folders for data, readable only by their owner: they hold hashes and business data. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Whether something existed already. */
export type Presence = 'found' | 'made'

/**
 * Creates a folder with its parents, readable only by its owner. An existing one stays as it is. Node's `recursive` is
 * not used: it never returns if a folder cannot be created, as in /proc.
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

/** Creates an empty database file, readable only by its owner, if it does not exist. Files beside it get its mode. */
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

/** Makes a file readable only by its owner; it may have been copied here with other permissions. */
export function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    const belongsToAnother = error instanceof Error && 'code' in error && error.code === 'EPERM'
    if (!belongsToAnother) throw error
  }
}

/** Writes a file that only its owner can read. Atomic, so that an interrupted start leaves no partial file. */
export function writeForOwner(path: string, text: string): void {
  const fresh = `${path}.new`
  writeFileSync(fresh, text, { mode: 0o600 })
  renameSync(fresh, path)
}
