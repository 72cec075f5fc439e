/** Builds the gateway from its settings and starts it: the only place that constructs its parts. */
import { randomBytes, randomUUID } from 'node:crypto'
import { openAccess } from '../access/access.ts'
import { type BootstrappedAccount, bootstrap } from '../access/bootstrap.ts'
import type { Database } from '../database/dialect.ts'
import { observeStatements } from '../database/observe-statements.ts'
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts'
import type { OperationLimits } from '../graphql/operation/operation-limits.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { createReverseProxy } from '../http/proxy/proxy.ts'
import { addRoutes, isServed } from '../http/routes.ts'
import { createHttpServer } from '../http/server.ts'
import type { Observer } from '../observe/events.ts'
import { openStore } from '../store/store.ts'
import { createTimeOrderedIds } from '../util/time-ordered-id.ts'
import { createUuidV7 } from '../util/uuid-v7.ts'
import { protect } from './protect.ts'
import { accountRoutes } from './routes/accounts.ts'
import { apiRouteRoutes } from './routes/api-routes.ts'
import { auditRoutes } from './routes/audit.ts'
import { entityDefinitionRoutes } from './routes/entity-definitions.ts'
import { graphqlRoutes } from './routes/graphql.ts'
import { logonRoutes } from './routes/logon.ts'
import { publishedApiRoutes } from './routes/published-apis.ts'
import { roleRoutes } from './routes/roles.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { serveUpstreamApis } from './routes/upstream-apis.ts'
import { serveSchema } from './serve-schema.ts'
import { readServedSchema } from './served-schema.ts'
import { translateDatabaseError } from './translate-database-error.ts'
import { createUpstreams } from './upstreams.ts'

export interface GatewaySettings {
  readonly database: DatabaseOptions
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The address that clients use, where it is another. */
  readonly baseUrl?: string
  readonly tokenTtlSeconds: number
  readonly bodyLimitBytes: number
  readonly graphqlLimits: OperationLimits
  /** For the account that the first start makes. */
  readonly bootstrap: { readonly password?: string; readonly apiKey?: string }
  readonly observe: Observer
}

/** A gateway that accepts requests. */
export interface Gateway {
  /** For example `http://127.0.0.1:9000`. */
  readonly address: string
  /** The account that this start made, with its secrets; absent when there were accounts. */
  readonly bootstrapped?: BootstrappedAccount
  readonly tableCount: number
  /** The GraphQL schema as text. */
  schemaText(): string
  /** Finishes the requests that are running, then gives everything back. */
  close(): Promise<void>
}

export async function startGateway(settings: GatewaySettings): Promise<Gateway> {
  const { observe } = settings
  const database = observeStatements(await openDatabase(settings.database), observe)
  try {
    return await startOn(database, settings)
  } catch (error) {
    await database.driver.close()
    throw error
  }
}

async function startOn(database: Database, settings: GatewaySettings): Promise<Gateway> {
  const { observe, tokenTtlSeconds } = settings
  const now = () => new Date()
  const store = await openStore(database)
  const proxy = createReverseProxy()
  const upstreams = createUpstreams(proxy, observe)
  const access = await openAccess({
    store,
    tokenTtlSeconds,
    now,
    randomBytes,
    observe,
    apiRoutesRead: (routes) => upstreams.follow(routes),
  })
  const schema = await serveSchema(() => readServedSchema(database, store, settings.graphqlLimits), observe)

  let started = false
  const links = settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }
  const server = createHttpServer({
    bodyLimitBytes: settings.bodyLimitBytes,
    observe,
    accountOf: ({ caller }) => caller?.username,
    translateError: translateDatabaseError,
  })
  const routes = [
    ...healthRoutes({ isReady: async () => started && (await answers(database)) }),
    ...logonRoutes({ access }),
    ...roleRoutes({ roles: access.roles, ...links }),
    ...accountRoutes({ accounts: access.accounts, ...links }),
    ...apiRouteRoutes({ apiRoutes: access.apiRoutes, ...links }),
    ...tokenRoutes({ tokens: access.tokens }),
    ...auditRoutes({ access }),
    ...entityDefinitionRoutes({
      database,
      store,
      now,
      uuid: randomUUID,
      nextId: createTimeOrderedIds(now, randomBytes),
      observe,
      schemaChanged: () => schema.changed(),
      ...links,
    }),
    ...publishedApiRoutes({
      database,
      now,
      uuid: randomUUID,
      nextInstance: createUuidV7(now, randomBytes),
      baseUrl: settings.baseUrl ?? '',
      published: () => schema.current().published,
    }),
    ...graphqlRoutes({ database, snapshot: () => schema.current().snapshot, observe }),
  ]
  protect(server, access, (path) => isServed(routes, path))
  serveUpstreamApis(server, { access, upstreams, baseUrl: settings.baseUrl, observe })
  addRoutes(server, routes)
  const address = await server.listen({ host: settings.host, port: settings.port })
  // Only now, when nothing can keep the secrets that it makes from being shown.
  const bootstrapped = await bootstrap({ store, now, randomBytes, ...settings.bootstrap })
  await access.reload()
  started = true
  return {
    address,
    ...(bootstrapped && { bootstrapped }),
    tableCount: schema.current().snapshot.model.entities.size,
    schemaText: () => schema.current().snapshot.sdl,
    async close() {
      proxy.endStreams()
      await server.close()
      upstreams.close()
      proxy.close()
      await database.driver.close()
    },
  }
}

async function answers({ driver }: Database): Promise<boolean> {
  const rows = await driver.read(
    (connection) => connection.query({ sql: 'select 1', parameters: [] }),
    'records',
  )
  return rows.length === 1
}
