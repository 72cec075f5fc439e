import { join } from 'node:path'
import { DatabaseSync } from './node-sqlite.ts'

/**
 * Locks a folder for this process, until the returned function is called or the process ends in any way: the lock is
 * the operating system's. Undefined if another process has it.
 */
export function lockFolder(folder: string): (() => void) | undefined {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch {
    lock.close()
    return undefined
  }
  return () => lock.close()
}
