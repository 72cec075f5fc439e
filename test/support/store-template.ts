/** The tables of the store, made once in a process: a copy of their file takes a tenth of the work of all migrations. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testLimits } from './test-limits.ts'

let template: Promise<Buffer> | undefined

/** Makes a SQLite file with the tables of the store, unless it exists. On other products the gateway makes them, as usual. */
export async function prepareStore(options: DatabaseOptions): Promise<void> {
  if (options.product !== 'sqlite' || existsSync(options.file)) return
  template ??= makeTemplate()
  await writeFile(options.file, await template)
}

async function makeTemplate(): Promise<Buffer> {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'store.sqlite')
  const database = await openDatabase({ product: 'sqlite', file, readConnections: 2, ...testLimits })
  await openStore(database)
  await database.driver.close()
  const content = await readFile(file)
  await folder.remove()
  return content
}
