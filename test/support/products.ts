import { join } from 'node:path'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A database of a test's own, empty. */
export interface TestDatabase {
  readonly options: DatabaseOptions
  remove(): Promise<void>
}

/** A database product that tests run on. */
export interface TestProduct {
  readonly name: string
  createDatabase(): Promise<TestDatabase>
}

const sqlite: TestProduct = {
  name: 'SQLite',
  async createDatabase() {
    const folder = await temporaryFolder()
    const file = join(folder.path, 'data.sqlite')
    return { options: { product: 'sqlite', file, readConnections: 2 }, remove: folder.remove }
  },
}

/** The products that this machine has. */
export const products: readonly TestProduct[] = [sqlite]
