/** The database that a gateway creates where none is named. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { databaseSettings } from '../../src/bin/database-settings.ts'
import { gatewayCommandOptions } from '../../src/config/command-options.ts'
import { loadConfig } from '../../src/config/load.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { cheapPasswords } from '../support/cheap-passwords.ts'
import { describeOn } from '../support/describe-on.ts'
import { onPostgresqlServer } from '../support/postgresql-databases.ts'
import { onMysqlServer, products } from '../support/products.ts'

const servers = products.filter(({ name }) => name !== 'SQLite')

function settingsFor(...flags: readonly string[]): DatabaseOptions {
  const { gateway } = loadConfig(gatewayCommandOptions, { flags, environment: {}, readText: () => '' }).values
  return databaseSettings(gateway)
}

test('without a name it is “gatehouse”, and only then it is created', () => {
  const seed = ['--db_host', 'h', '--db_port', '1', '--db_user', 'u', '--db_pass', 'p']
  for (const product of ['postgresql', 'mysql']) {
    expect(settingsFor('--db_product', product, ...seed)).toMatchObject({
      name: 'gatehouse',
      createsDatabase: true,
    })
    expect(settingsFor('--db_product', product, '--db_name', 'gatehouse', ...seed)).not.toHaveProperty(
      'createsDatabase',
    )
  }
  expect(settingsFor('--db_product', 'sqlite', ...seed)).toMatchObject({ file: 'gatehouse.db' })
})

describeOn(servers, (product) => {
  const run = product.name === 'PostgreSQL' ? onPostgresqlServer : onMysqlServer

  /** Options of a database that does not exist yet. */
  async function absent(): Promise<DatabaseOptions> {
    const { options, remove } = await product.createDatabase()
    await remove()
    const name = `gatehouse_new_${randomBytes(6).toString('hex')}`
    return { ...options, name, createsDatabase: true } as DatabaseOptions
  }
  const drop = ({ name }: { readonly name?: string }) => run(`drop database if exists ${name}`)

  test('two nodes that start at once create it once, one says so, and both serve', async () => {
    const database = await absent()
    const start = () =>
      startGateway({
        database,
        waitsForDatabase: false,
        host: '127.0.0.1',
        port: 0,
        tokenTtlSeconds: 60,
        bodyLimitBytes: 1000,
        graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
        bootstrap: {},
        passwordCost: cheapPasswords,
        observe: () => undefined,
      })
    const gateways = await Promise.all([start(), start()])
    try {
      for (const { address } of gateways) expect((await fetch(`${address}/readyz`)).status).toBe(200)
      expect(gateways.filter(({ bootstrapped }) => bootstrapped !== undefined)).toHaveLength(1)
      expect(gateways.filter(({ hasNewDatabase }) => hasNewDatabase)).toHaveLength(1)
      const later = await start()
      await later.close()
      expect(later.hasNewDatabase).toBe(false)
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.close()))
      await drop(database as { readonly name?: string })
    }
  })

  test('a user who may not create it is told so', async () => {
    const database = await absent()
    const user = `limited_${randomBytes(4).toString('hex')}`
    await run(
      product.name === 'PostgreSQL'
        ? `create role ${user} login password 'limited'`
        : `create user ${user}@'%' identified by 'limited'`,
    )
    try {
      await expect(
        openDatabase({ ...database, user, password: 'limited' } as DatabaseOptions),
      ).rejects.toMatchObject({ accessFailure: 'mayNotCreate' })
    } finally {
      await run(product.name === 'PostgreSQL' ? `drop role ${user}` : `drop user ${user}@'%'`)
    }
  })
})
