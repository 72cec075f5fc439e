/** Builds the gateway from its settings and starts it: the only place that constructs its parts. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type BootstrappedAccount, bootstrap } from '../access/administration/bootstrap.ts'
import type { AccountManagement } from '../access/administration/manage-accounts.ts'
import type { RoleManagement } from '../access/administration/manage-roles.ts'
import { appErrorOf } from '../database/app-error-of.ts'
import type { EntityParts } from '../entity/entity-parts.ts'
import { tellDrift } from '../entity/plan/find-drift.ts'
import { finishUploads } from '../entity/upload/finish-uploads.ts'
import { AppError } from '../errors/app-error.ts'
import { type CrossOrigin, createCrossOrigin } from '../http/cross-origin.ts'
import { isHealthPath } from '../http/health-path.ts'
import { addRoutes, pathsOf, RouteIndex, type ServedPath } from '../http/routes.ts'
import { createHttpServer } from '../http/server.ts'
import { type Activity, createActivity } from '../observe/activity.ts'
import type { Observer } from '../observe/events.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { createSlowStatements, type SlowStatements } from '../observe/slow-statements.ts'
import { createReverseProxy, type ReverseProxy } from '../proxy/proxy.ts'
import { createTargetGuard } from '../proxy/target-guard.ts'
import { createUuidV7 } from '../util/uuid-v7.ts'
import { createNameManagement } from './choose-names.ts'
import { followCatalog } from './follow-catalog.ts'
import { type FollowedChanges, followChanges } from './follow-changes.ts'
import { pathAdvice } from './path-advice.ts'
import { protect } from './protect.ts'
import { openRecords, type RecordSettings, type Records } from './records.ts'
import { gatewayRoutes } from './routes/gateway-routes.ts'
import { pageLogonPath } from './routes/page-logon.ts'
import { serveUpstreamApis } from './routes/upstream-apis.ts'
import { schemaVersionHeader } from './schema-version.ts'
import type { GatewaySettings } from './settings.ts'
import { createStatus } from './status.ts'
import { createUpstreams, type Upstreams } from './upstreams.ts'
import { gatewayWayOn } from './way-on.ts'
import { whenReachable } from './when-reachable.ts'

const slowStatementMs = 500

/** A gateway that accepts requests. */
export interface Gateway {
  /** For example `http://127.0.0.1:9000`. */
  readonly address: string
  /** The account that this start created, with its secrets; absent if there were accounts. */
  readonly bootstrapped?: BootstrappedAccount
  /** Whether this start created the database. */
  readonly hasNewDatabase: boolean
  readonly tableCount: number
  /** The gateway's own paths, besides upstream APIs. */
  readonly paths: readonly ServedPath[]
  readonly roles: Pick<RoleManagement, 'all' | 'create' | 'find' | 'put' | 'remove'>
  readonly accounts: Pick<AccountManagement, 'create' | 'remove'>
  /** The GraphQL schema as text. */
  schemaText(): Promise<string>
  /** Reads the tables again, here and on all nodes; if that fails it throws, and the old schema stays. */
  reloadSchema(): Promise<void>
  /** Counts events of a service in the same process in `/metrics`. */
  readonly count: Observer
  /**
   * Graceful shutdown: makes the gateway no longer ready, and accepts requests until `until` has settled. Then it ends
   * endless streams, and closes each connection after its response. Resolves when all connections are closed. No request
   * is lost.
   */
  drain(until: Promise<unknown>): Promise<void>
  /** Finishes running requests, then releases everything. */
  close(): Promise<void>
}

export async function startGateway(given: GatewaySettings): Promise<Gateway> {
  const metrics = createMetrics()
  const clock = given.now === undefined ? Date.now : () => (given.now?.() ?? new Date()).getTime()
  const activity = createActivity(clock)
  const slowStatements = createSlowStatements(given.slowStatementMs ?? slowStatementMs, clock)
  const settings: GatewaySettings = {
    ...given,
    observe(event) {
      given.observe(event)
      metrics.observe(event)
      activity.observe(event)
      slowStatements.observe(event)
    },
  }
  const targetGuard = createTargetGuard(settings.targetAllow ?? [])
  const proxy = createReverseProxy(targetGuard)
  const upstreams = createUpstreams(proxy, targetGuard, settings.observe)
  try {
    const { records, port } = await openWhenReachable({ ...settings, targetGuard }, upstreams)
    try {
      return await serve(
        { records, proxy, upstreams, metrics, activity, slowStatements },
        { ...settings, port },
      )
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
  settings: GatewaySettings & Pick<RecordSettings, 'targetGuard'>,
  upstreams: Upstreams,
): Promise<{ readonly records: Records; readonly port: number }> {
  const { waitsForDatabase, port } = settings
  const open = () => openRecords({ ...settings, apiRoutesRead: (routes) => upstreams.follow(routes) })
  if (!waitsForDatabase) return { records: await open(), port }
  const { result, port: chosen } = await whenReachable(open, {
    ...settings,
    crossOrigin: crossOriginOf(settings),
  })
  return { records: result, port: chosen }
}

function crossOriginOf({ corsOrigins = [] }: GatewaySettings): CrossOrigin | undefined {
  return corsOrigins.length === 0 ? undefined : createCrossOrigin(corsOrigins, [pageLogonPath])
}

interface Parts {
  readonly records: Records
  readonly proxy: ReverseProxy
  readonly upstreams: Upstreams
  readonly metrics: Metrics
  readonly activity: Activity
  readonly slowStatements: SlowStatements
}

async function serve(parts: Parts, settings: GatewaySettings): Promise<Gateway> {
  const { records, proxy, upstreams, metrics } = parts
  const { observe } = settings
  const { database, store, access, schema, now } = records
  let started = false
  let isDraining = false
  const schemaHeaders = () => schemaVersionHeader(schema.current().version)
  const crossOrigin = crossOriginOf(settings)
  const server = createHttpServer({
    ...settings,
    crossOrigin,
    wayOn: gatewayWayOn(settings),
    accountOf: ({ caller }) => caller?.username,
    routeOf: ({ upstreamRoute }) => upstreamRoute && `upstream ${upstreamRoute.name}`,
    // Unauthorized callers do not learn the schema version.
    responseHeaders: ({ isAllowed }) => (isAllowed ? schemaHeaders() : {}),
    translateError: appErrorOf,
  })
  const nextId = createUuidV7(now, randomBytes)
  const entityParts: EntityParts = { database, store, now, uuid: randomUUID, nextId, observe }
  const schemaChanged = () => schema.changed()
  let following: FollowedChanges | undefined
  const reloadSchema = async () => {
    const difference = await schema.reload()
    const noted = await store.transaction(async (connection) => {
      await store.changes.note(connection, 'schema')
      return store.changes.versions(connection)
    })
    // The other nodes read it too.
    following?.holds('schema', noted.schema)
    return difference
  }
  const status = createStatus({ ...records, version: settings.version, activity: parts.activity })
  const routes = await gatewayRoutes({
    ...parts,
    settings,
    entityParts,
    names: createNameManagement({
      ...{ store, access, now, nextId, observe, schemaChanged },
      naming: settings.graphql.naming,
      configured: settings.graphql.names,
      snapshot: () => schema.current().snapshot,
    }),
    status,
    isReady: async () => started && !isDraining && (await records.answer()),
    reloadSchema,
    index: () => index,
  })
  const index = new RouteIndex(routes)
  server.addHook('onRequest', (request, _reply, done) => {
    if (started || isHealthPath(request.path)) return done()
    done(new AppError('NOT_READY', { headers: { 'retry-after': '1' } }))
  })
  protect(server, access, (path) => index.isServed(path))
  serveUpstreamApis(server, {
    secrets: settings.upstreamSecrets ?? {},
    access,
    upstreams,
    baseUrl: settings.baseUrl,
    responseHeaders: schemaHeaders,
    crossOrigin,
    observe,
  })
  addRoutes(server, routes, pathAdvice(routes))
  const finisher = finishUploads(entityParts, schemaChanged)
  await finisher.first
  await tellDrift(entityParts, schema.current().snapshot.databaseSchema)
  const address = await server.listen({ host: settings.host, port: settings.port })
  await settings.listening?.(address)
  // Only now, when nothing can prevent the generated secrets from being shown.
  const bootstrapped = await bootstrap({
    store,
    now,
    randomBytes,
    passwordCost: settings.passwordCost,
    ...settings.bootstrap,
  })
  await access.reload()
  following = followChanges({
    store,
    versions: records.versions,
    changed: {
      records: () => access.reload(),
      tokens: async () => access.forgetTokens(),
      schema: () => schema.changed(),
    },
    lost: () => access.invalidate(),
    observe,
  })
  const catalog = followCatalog(schema, settings.schemaPollMs ?? 0)
  started = true
  return {
    address,
    ...(bootstrapped && { bootstrapped }),
    hasNewDatabase: database.isNew === true,
    tableCount: schema.current().snapshot.model.entities.size,
    paths: pathsOf(routes),
    roles: access.roles,
    accounts: access.accounts,
    schemaText: () => schema.current().snapshot.sdl,
    count: metrics.observe,
    async drain(until) {
      isDraining = true
      const since = performance.now()
      await until
      proxy.endStreams()
      await server.endConnections(performance.now() - since)
    },
    reloadSchema: () => reloadSchema().then(() => undefined),
    async close() {
      status.stop()
      catalog.stop()
      await following?.stop()
      proxy.endStreams()
      await server.close()
      await finisher.stop()
      upstreams.close()
      proxy.close()
      await records.close()
    },
  }
}
