import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { type Gateway, startGateway } from '../../src/gateway/gateway.ts'
import type { GatewaySettings } from '../../src/gateway/settings.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import type { TestDatabase, TestProduct } from './products.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

/** Two nodes on one database. */
export interface TwoGateways {
  readonly first: TestGateway
  readonly second: Gateway
  readonly options: DatabaseOptions
  close(): Promise<void>
}

/** Starts the first node, which makes the first account, and then the other. */
export async function startTwoGateways(
  product: TestProduct,
  prepare?: (options: DatabaseOptions) => Promise<void>,
  settings: Partial<GatewaySettings> = {},
): Promise<TwoGateways> {
  let created: TestDatabase | undefined
  const shared: TestProduct = {
    ...product,
    async createDatabase(wanted) {
      created = await product.createDatabase(wanted)
      return created
    },
  }
  const first = await startTestGateway(shared, prepare, settings)
  if (created === undefined) throw new Error('there is no database')
  const { options } = created
  const second = await startNode(options, settings)
  return {
    first,
    second,
    options,
    async close() {
      await second.close()
      await first.close()
    },
  }
}

/** Another node on a database. */
export function startNode(
  database: DatabaseOptions,
  settings: Partial<GatewaySettings> = {},
): Promise<Gateway> {
  return startGateway({
    database,
    waitsForDatabase: false,
    host: '127.0.0.1',
    port: 0,
    tokenTtlSeconds: 3600,
    bodyLimitBytes: 1_000_000,
    graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
    passwordCost: cheapPasswords,
    bootstrap: {},
    observe: () => undefined,
    ...settings,
  })
}
