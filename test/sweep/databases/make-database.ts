import type { Database } from '../../../src/database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../../../src/database/open-database.ts'
import type { TestDatabase, TestProduct } from '../../support/products.ts'
import type { DescribedDatabase } from './described-database.ts'

/** Makes a described database on a product, as a program other than ours would; undefined where it does not exist for the product. */
export async function makeDatabase(
  described: DescribedDatabase,
  product: TestProduct,
): Promise<TestDatabase | undefined> {
  const created = await product.createDatabase()
  const statements = described.statements[created.options.product]
  if (statements === undefined) {
    await created.remove()
    return undefined
  }
  await run(created.options, statements)
  const { schemas } = described
  return schemas === undefined
    ? created
    : { options: { ...created.options, schemas } as DatabaseOptions, remove: created.remove }
}

/** How many statements go into one transaction: PostgreSQL keeps locks of all that a transaction makes. */
const batchSize = 200

async function run(options: DatabaseOptions, statements: readonly string[]): Promise<void> {
  const database = await openDatabase(options)
  try {
    for (let start = 0; start < statements.length; start += batchSize)
      await runBatch(database, options.product, statements.slice(start, start + batchSize))
  } finally {
    await database.driver.close()
  }
}

async function runBatch(
  { driver }: Database,
  product: DatabaseOptions['product'],
  statements: readonly string[],
): Promise<void> {
  await driver.transaction(async (connection) => {
    // Others' programs choose what their sessions let through; WordPress, for one, keeps dates that are none.
    if (product === 'mysql')
      await connection.execute({ sql: "set session sql_mode = 'NO_ENGINE_SUBSTITUTION'", parameters: [] })
    for (const sql of statements) await connection.execute({ sql, parameters: [] })
  })
}
