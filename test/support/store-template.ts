/** The tables of the store, made once in a process: a copy of their file takes a tenth of the work of all migrations. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testLimits } from './test-limits.ts'

let template: Promise<Buffer> | undefined

/**
 * Makes a SQLite file with the tables of the store, unless it exists. Of several callers at once one makes it, whole. On other
 * products the gateway makes the tables, as usual.
 */
export async function prepareStore(options: DatabaseOptions): Promise<void> {
  if (options.product !== 'sqlite' || existsSync(options.file)) return
  template ??= makeTemplate()
  const whole = `${options.file}.${randomUUID()}`
  await writeFile(whole, await template)
  await link(whole, options.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(whole)
}

/** Makes the tables of the store, as a gateway does. */
export async function makeStore(options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options)
  await openStore(database)
  await database.driver.close()
}

async function makeTemplate(): Promise<Buffer> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'store.sqlite')
  await makeStore({ product: 'sqlite', file, readConnections: 2, ...testLimits })
  // One file, with nothing left in a log beside it; the threads of the driver may still be closing theirs.
  const copy = join(folder.path, 'copy.sqlite')
  const opened = new DatabaseSync(file, { timeout: 30_000 })
  opened.prepare('vacuum into ?').run(copy)
  opened.close()
  // As a connection makes it, which would write it to the disk for each copy.
  const copied = new DatabaseSync(copy)
  copied.exec('pragma journal_mode = wal')
  copied.close()
  const content = await readFile(copy)
  await folder.remove()
  return content
}
