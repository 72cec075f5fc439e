/** Builds the gateway from its settings and starts it: the only place that constructs its parts. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type BootstrappedAccount, bootstrap } from '../access/bootstrap.ts'
import { appErrorOf } from '../database/app-error-of.ts'
import type { DatabaseOptions } from '../database/open-database.ts'
import type { SchemaSettings } from '../graphql/snapshot.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { createReverseProxy, type ReverseProxy } from '../http/proxy/proxy.ts'
import { addRoutes, isServed, type Route } from '../http/routes.ts'
import { createHttpServer } from '../http/server.ts'
import type { Observer } from '../observe/events.ts'
import { createTimeOrderedIds } from '../util/time-ordered-id.ts'
import { createUuidV7 } from '../util/uuid-v7.ts'
import { followChanges } from './follow-changes.ts'
import { readGraphiqlPage } from './graphiql-page.ts'
import { protect } from './protect.ts'
import { openRecords, type Records } from './records.ts'
import { accountRoutes } from './routes/accounts.ts'
import { apiRouteRoutes } from './routes/api-routes.ts'
import { auditRoutes } from './routes/audit.ts'
import { entityDefinitionRoutes } from './routes/entity-definitions.ts'
import { explainAccessRoutes } from './routes/explain-access.ts'
import { graphqlRoutes } from './routes/graphql.ts'
import { logonRoutes } from './routes/logon.ts'
import { publishedApiRoutes } from './routes/published-apis.ts'
import { roleRoutes } from './routes/roles.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { serveUpstreamApis } from './routes/upstream-apis.ts'
import { createUpstreams, type Upstreams } from './upstreams.ts'
import { whenReachable } from './when-reachable.ts'

export interface GatewaySettings {
  readonly database: DatabaseOptions
  /** Where the gateway keeps its own records; absent for the same database. */
  readonly store?: DatabaseOptions
  /** Whether a database that cannot be reached at the start is waited for; otherwise the start fails. */
  readonly waitsForDatabase: boolean
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The address that clients use, where it is another. */
  readonly baseUrl?: string
  readonly tokenTtlSeconds: number
  readonly bodyLimitBytes: number
  readonly graphql: SchemaSettings
  /** Folder of the built GraphiQL page; absent where browsers get none. */
  readonly graphiqlFolder?: string
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
  const proxy = createReverseProxy()
  const upstreams = createUpstreams(proxy, settings.observe)
  try {
    const { records, port } = await openWhenReachable(settings, upstreams)
    try {
      return await serve({ records, proxy, upstreams }, { ...settings, port })
    } catch (error) {
      await records.close()
      throw error
    }
  } catch (error) {
    upstreams.close()
    proxy.close()
    throw error
  }
}

async function openWhenReachable(
  settings: GatewaySettings,
  upstreams: Upstreams,
): Promise<{ readonly records: Records; readonly port: number }> {
  const { waitsForDatabase, host, port, observe } = settings
  const open = () => openRecords({ ...settings, apiRoutesRead: (routes) => upstreams.follow(routes) })
  if (!waitsForDatabase) return { records: await open(), port }
  const { result, port: chosen } = await whenReachable(open, { host, port, observe })
  return { records: result, port: chosen }
}

interface Parts {
  readonly records: Records
  readonly proxy: ReverseProxy
  readonly upstreams: Upstreams
}

async function serve({ records, proxy, upstreams }: Parts, settings: GatewaySettings): Promise<Gateway> {
  const { observe } = settings
  const { database, store, access, schema } = records
  const now = () => new Date()
  let started = false
  const links = settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }
  const server = createHttpServer({
    bodyLimitBytes: settings.bodyLimitBytes,
    observe,
    accountOf: ({ caller }) => caller?.username,
    translateError: appErrorOf,
  })
  const isOwn = (path: string): boolean => isServed(routes, path)
  const routes: readonly Route[] = [
    ...healthRoutes({ isReady: async () => started && (await records.answer()) }),
    ...logonRoutes({ access }),
    ...roleRoutes({ roles: access.roles, ...links }),
    ...accountRoutes({ accounts: access.accounts, ...links }),
    ...apiRouteRoutes({ apiRoutes: access.apiRoutes, ...links }),
    ...tokenRoutes({ tokens: access.tokens }),
    ...auditRoutes({ access }),
    ...explainAccessRoutes({ access, isOwn }),
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
    ...graphqlRoutes({
      database,
      snapshot: () => schema.current().snapshot,
      observe,
      isPublic: () => access.isPublic('POST', '/graphql'),
      ...(settings.graphiqlFolder === undefined
        ? {}
        : { page: await readGraphiqlPage(settings.graphiqlFolder) }),
    }),
  ]
  protect(server, access, isOwn)
  serveUpstreamApis(server, { access, upstreams, baseUrl: settings.baseUrl, observe })
  addRoutes(server, routes)
  const address = await server.listen({ host: settings.host, port: settings.port })
  // Only now, when nothing can keep the secrets that it makes from being shown.
  const bootstrapped = await bootstrap({ store, now, randomBytes, ...settings.bootstrap })
  await access.reload()
  const following = followChanges({
    store,
    version: records.version,
    changed: async () => {
      await Promise.all([access.reload(), schema.changed()])
    },
    lost: () => access.distrust(),
    observe,
  })
  started = true
  return {
    address,
    ...(bootstrapped && { bootstrapped }),
    tableCount: schema.current().snapshot.model.entities.size,
    schemaText: () => schema.current().snapshot.sdl,
    async close() {
      following.stop()
      proxy.endStreams()
      await server.close()
      upstreams.close()
      proxy.close()
      await records.close()
    },
  }
}
