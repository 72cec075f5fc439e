import { assertInterfaceType, buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { products, type TestDatabase } from '../support/products.ts'

/** The table of trips, with a foreign key on each of `keys`. */
const trip = (keys: readonly string[]) =>
  `create table trip (
    id varchar(10) not null primary key,
    start_id varchar(10),
    end_id varchar(10),
    ${keys.map((key) => `foreign key (${key}) references city (id)`).join(', ')}
  )`

describe.each(products)('$name', (product) => {
  let created: TestDatabase
  beforeAll(async () => {
    created = await product.createDatabase()
    await run(created.options, ['create table city (id varchar(10) not null primary key)', trip(['end_id'])])
  })
  afterAll(() => created.remove())

  test('a foreign key over an earlier column takes no name that clients use', async () => {
    expect(await servedFields(created.options)).toEqual({
      trip_: ['id', 'start_id', 'end_id', 'GlobalId', 'city'],
      city_: ['id', 'GlobalId', 'tripCollection'],
    })
    await run(created.options, ['drop table trip', trip(['start_id', 'end_id'])])
    const after = {
      trip_: ['id', 'start_id', 'end_id', 'GlobalId', 'start', 'city'],
      city_: ['id', 'GlobalId', 'tripCollectionByStart_id', 'tripCollection'],
    }
    expect(await servedFields(created.options)).toEqual(after)
    expect(await servedFields(created.options)).toEqual(after)
  })
})

/** The fields of the types of tables, by type. */
async function servedFields(database: DatabaseOptions): Promise<Readonly<Record<string, readonly string[]>>> {
  const gateway = await startGateway({
    database,
    waitsForDatabase: false,
    host: '127.0.0.1',
    port: 0,
    tokenTtlSeconds: 3600,
    bodyLimitBytes: 1_000_000,
    graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
    bootstrap: {},
    observe: () => undefined,
  })
  const schema = buildSchema(await gateway.schemaText())
  await gateway.close()
  const types = schema.getPossibleTypes(assertInterfaceType(schema.getType('CustomNode')))
  return Object.fromEntries(types.map((type) => [type.name, Object.keys(type.getFields())]))
}

async function run(options: DatabaseOptions, statements: readonly string[]): Promise<void> {
  const { driver } = await openDatabase(options)
  await driver.transaction(async (connection) => {
    for (const sql of statements) await connection.execute({ sql, parameters: [] })
  })
  await driver.close()
}
