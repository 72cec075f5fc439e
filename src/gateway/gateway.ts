/** Builds the gateway from its settings and starts it: the only place that constructs its parts. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type BootstrappedAccount, bootstrap } from '../access/administration/bootstrap.ts'
import type { AccountManagement } from '../access/administration/manage-accounts.ts'
import type { RoleManagement } from '../access/administration/manage-roles.ts'
import type { PasswordCost } from '../access/authentication/password.ts'
import type { TokenIssuer } from '../access/authentication/token-issuers/token-issuer.ts'
import type { UpstreamSecrets } from '../access/authorization/route-headers.ts'
import type { DescribedSetting } from '../config/describe-settings.ts'
import { appErrorOf } from '../database/app-error-of.ts'
import type { DatabaseOptions } from '../database/open-database.ts'
import type { EntityParts } from '../entity/entity-parts.ts'
import { tellDrift } from '../entity/plan/find-drift.ts'
import { finishUploads } from '../entity/upload/finish-uploads.ts'
import { AppError } from '../errors/app-error.ts'
import type { SchemaSettings } from '../graphql/snapshot.ts'
import type { ClientTimeouts } from '../http/client-connections.ts'
import { createCrossOrigin } from '../http/cross-origin.ts'
import { guideRoutes, openGuide } from '../http/guide.ts'
import { isHealthPath } from '../http/health-path.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { createKnownBrowsers } from '../http/known-browsers.ts'
import { addRoutes, pathsOf, type Route, RouteIndex, type ServedPath } from '../http/routes.ts'
import { originReader } from '../http/same-origin.ts'
import { createHttpServer } from '../http/server.ts'
import { type Activity, createActivity } from '../observe/activity.ts'
import type { Observer } from '../observe/events.ts'
import { createMetrics, type Metrics } from '../observe/metrics.ts'
import { createSlowStatements, type SlowStatements } from '../observe/slow-statements.ts'
import { createReverseProxy, type ReverseProxy } from '../proxy/proxy.ts'
import { createTargetGuard } from '../proxy/target-guard.ts'
import { createIdempotency } from '../rest/idempotency.ts'
import type { Clock } from '../util/clock.ts'
import { createUuidV7 } from '../util/uuid-v7.ts'
import { readBundledPage } from './bundled-page.ts'
import { createNameManagement } from './choose-names.ts'
import { followCatalog } from './follow-catalog.ts'
import { type FollowedChanges, followChanges } from './follow-changes.ts'
import { knownCalls } from './known-calls.ts'
import { createTableList } from './list-tables.ts'
import { pathAdvice } from './path-advice.ts'
import { protect } from './protect.ts'
import { createReadableTables } from './readable-tables.ts'
import { openRecords, type RecordSettings, type Records } from './records.ts'
import { accountRoutes } from './routes/accounts.ts'
import { apiRouteRoutes } from './routes/api-routes.ts'
import { auditRoutes } from './routes/audit.ts'
import { docsRoutes } from './routes/docs.ts'
import { entityDefinitionRoutes } from './routes/entity-definitions.ts'
import { entityVersionRoutes } from './routes/entity-versions.ts'
import { explainAccessRoutes } from './routes/explain-access.ts'
import { graphqlRoutes } from './routes/graphql.ts'
import { logonRoutes } from './routes/logon.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { nameRoutes } from './routes/names.ts'
import { openapiRoutes } from './routes/openapi.ts'
import { ownAccountRoutes } from './routes/own-account.ts'
import { ownTableRoutes } from './routes/own-tables.ts'
import { pageLogonPath, pageLogonRoutes } from './routes/page-logon.ts'
import { publishedApiRoutes } from './routes/published-apis.ts'
import { roleRoutes } from './routes/roles.ts'
import { schemaRoutes } from './routes/schema.ts'
import { statusRoutes } from './routes/status.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { serveUpstreamApis } from './routes/upstream-apis.ts'
import { schemaVersionHeader } from './schema-version.ts'
import { createStatus } from './status.ts'
import { createUpstreams, type Upstreams } from './upstreams.ts'
import { gatewayWayOn } from './way-on.ts'
import { whenReachable } from './when-reachable.ts'

/** Instead of a version: in tests, the program has none. */
const unversioned = '0.0.0'
const slowStatementMs = 500

export interface GatewaySettings {
  /** The version of the program; absent if it has none. */
  readonly version?: string
  /** Every option as it is in force, for those who may see it. */
  readonly configuration?: readonly DescribedSetting[]
  readonly database: DatabaseOptions
  /** The database of the store; absent for the same one. */
  readonly store?: DatabaseOptions
  /** Whether to wait for a database that cannot be reached at the start; otherwise the start fails. */
  readonly waitsForDatabase: boolean
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
  /** The address that clients use, if it differs. */
  readonly baseUrl?: string
  /** Network addresses whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[]
  /** Hosts, addresses and ranges that routes may lead to although they are link-local or have metadata of a cloud. */
  readonly targetAllow?: readonly string[]
  /** Origins whose pages may call the gateway, as browsers write them. */
  readonly corsOrigins?: readonly string[]
  /** The secrets that routes may send to their targets; absent for none. */
  readonly upstreamSecrets?: UpstreamSecrets
  readonly tokenTtlSeconds: number
  /** Other servers whose tokens are accepted; absent for none. */
  readonly tokenIssuers?: readonly TokenIssuer[]
  /** Whether every account needs a second factor where no API key is asked for; absent for not. */
  readonly requiresSecondFactor?: boolean
  /** The cost of password hashes; absent for the safe default. No option sets it. */
  readonly passwordCost?: PasswordCost
  /** The clock that says when tokens, accounts and counts end, if not that of the machine. No option sets it. */
  readonly now?: Clock
  readonly bodyLimitBytes: number
  /** Time-outs for clients, if not the default ones. */
  readonly timeouts?: Partial<ClientTimeouts>
  /** How many connections are served at the same time; the default depends on the limit of open files. */
  readonly maxConnections?: number
  /** The size in bytes from which GraphQL responses are compressed; if absent, only long lists are. */
  readonly compressFromBytes?: number
  /** From which duration on a statement is listed as slow, in milliseconds; 500 if absent. */
  readonly slowStatementMs?: number
  /** How long a reading request may take in all; absent for no limit. */
  readonly requestTimeoutMs?: number
  /** How many records one response of a published API may list; absent for no limit. */
  readonly listRowLimit?: number
  /** Bytes of one list of a published API; absent for no limit. */
  readonly listByteLimit?: number
  readonly graphql: SchemaSettings
  /** How often the catalogue is polled for changes by other programs; absent or 0 for never. */
  readonly schemaPollMs?: number
  /** Folder of the built GraphiQL page; absent if it is turned off. */
  readonly graphiqlFolder?: string
  /** Folder of the built page of the published APIs; absent if there is none. */
  readonly docsFolder?: string
  /** Whether people log on to the pages by username and password only; absent if the pages ask for the API key, too. */
  readonly pageLogon?: boolean
  /** Folder of the built documentation; absent if there is none. */
  readonly guideFolder?: string
  /** For the account that the first start creates. */
  readonly bootstrap: { readonly password?: string; readonly apiKey?: string }
  /**
   * Called with the address before the first account is created: if it throws, the start fails, and no secret is lost.
   */
  readonly listening?: (address: string) => Promise<void>
  readonly observe: Observer
}

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
  const { waitsForDatabase, host, port, observe } = settings
  const server = { ...serverSettings(settings), host, port, observe }
  const open = () => openRecords({ ...settings, apiRoutesRead: (routes) => upstreams.follow(routes) })
  if (!waitsForDatabase) return { records: await open(), port }
  const { result, port: chosen } = await whenReachable(open, server)
  return { records: result, port: chosen }
}

/** What all servers of a gateway have in common. */
function serverSettings({ timeouts = {}, maxConnections, corsOrigins = [] }: GatewaySettings) {
  return {
    timeouts,
    ...(maxConnections === undefined ? {} : { maxConnections }),
    crossOrigin: corsOrigins.length === 0 ? undefined : createCrossOrigin(corsOrigins, [pageLogonPath]),
  }
}

/** The cookie is that of the web front by default: on one host, both know the browsers of the other. */
function browserParts({ baseUrl }: GatewaySettings) {
  const cookies = { secure: baseUrl?.startsWith('https:') ?? false }
  return { originOf: originReader(baseUrl), knownBrowsers: createKnownBrowsers(cookies, 'gatehouse') }
}

interface Parts {
  readonly records: Records
  readonly proxy: ReverseProxy
  readonly upstreams: Upstreams
  readonly metrics: Metrics
  readonly activity: Activity
  readonly slowStatements: SlowStatements
}

async function serve(
  { records, proxy, upstreams, metrics, activity, slowStatements }: Parts,
  settings: GatewaySettings,
): Promise<Gateway> {
  const { observe } = settings
  const { database, store, access, schema, now } = records
  let started = false
  const timeLimitMs = settings.requestTimeoutMs ?? Number.POSITIVE_INFINITY
  const rowLimit = settings.listRowLimit ?? Number.MAX_SAFE_INTEGER - 1
  const byteLimit = settings.listByteLimit ?? Number.POSITIVE_INFINITY
  let isDraining = false
  const links = settings.baseUrl === undefined ? {} : { baseUrl: settings.baseUrl }
  const schemaHeaders = () => schemaVersionHeader(schema.current().version)
  const common = serverSettings(settings)
  const server = createHttpServer({
    ...common,
    wayOn: gatewayWayOn(settings),
    bodyLimitBytes: settings.bodyLimitBytes,
    trustedProxies: settings.trustedProxies ?? [],
    observe,
    accountOf: ({ caller }) => caller?.username,
    routeOf: ({ upstreamRoute }) => upstreamRoute && `upstream ${upstreamRoute.name}`,
    // Unauthorized callers do not learn the schema version.
    responseHeaders: ({ isAllowed }) => (isAllowed ? schemaHeaders() : {}),
    translateError: appErrorOf,
  })
  const isOwn = (path: string): boolean => index.isServed(path)
  const nextId = createUuidV7(now, randomBytes)
  const entityParts: EntityParts = { database, store, now, uuid: randomUUID, nextId, observe }
  const schemaChanged = () => schema.changed()
  const names = createNameManagement({
    ...{ store, access, now, nextId, observe, schemaChanged },
    naming: settings.graphql.naming,
    configured: settings.graphql.names,
    snapshot: () => schema.current().snapshot,
  })
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
  const status = createStatus({ ...records, version: settings.version ?? unversioned, activity })
  const routes: readonly Route[] = [
    ...healthRoutes({ isReady: async () => started && !isDraining && (await records.answer()) }),
    ...logonRoutes({ access }),
    ...(settings.pageLogon === true ? pageLogonRoutes({ access, ...browserParts(settings) }) : []),
    ...ownAccountRoutes({ access }),
    ...ownTableRoutes({
      access,
      tables: createReadableTables({ access, served: () => schema.current() }),
      ...links,
    }),
    ...roleRoutes({
      roles: access.roles,
      calls: () => knownCalls(routes, schema.current()),
      ...links,
    }),
    ...accountRoutes({ ...access, ...links }),
    ...apiRouteRoutes({ apiRoutes: access.apiRoutes, healthOf: upstreams.healthOf, ...links }),
    ...tokenRoutes({ tokens: access.tokens, ...links }),
    ...auditRoutes({ access }),
    ...metricsRoutes({ metrics }),
    ...statusRoutes({ status, slowStatements, configuration: settings.configuration ?? [] }),
    ...explainAccessRoutes({ access, index: () => index }),
    ...entityDefinitionRoutes({ ...entityParts, schemaChanged, ...links }),
    ...entityVersionRoutes({ store }),
    ...nameRoutes({ names, baseUrl: settings.baseUrl ?? '' }),
    ...schemaRoutes({
      version: () => schema.current().version,
      reload: reloadSchema,
      tables: createTableList({ database, schema, now }),
      ...links,
    }),
    ...publishedApiRoutes({
      database,
      now,
      uuid: randomUUID,
      nextInstance: nextId,
      baseUrl: settings.baseUrl ?? '',
      published: () => schema.current().published,
      schema,
      listLimits: { timeMs: timeLimitMs, rows: rowLimit, bytes: byteLimit },
      observe,
      idempotency: createIdempotency({ store, now, uuid: randomUUID }),
    }),
    ...openapiRoutes({
      published: () => schema.current().published,
      reachOf: (caller) => access.reachOf(caller),
      baseUrl: settings.baseUrl ?? '',
      version: () => schema.current().version.text,
      programVersion: settings.version ?? unversioned,
    }),
    ...(settings.guideFolder === undefined ? [] : guideRoutes(openGuide(settings.guideFolder))),
    ...(settings.docsFolder === undefined
      ? []
      : docsRoutes({
          page: await readBundledPage('docs', settings.docsFolder, settings.pageLogon !== true),
          isPublic: () => access.isPublic('GET', '/docs'),
        })),
    ...graphqlRoutes({
      database,
      snapshot: () => schema.current().snapshot,
      schema,
      observe,
      compressFromBytes: settings.compressFromBytes ?? Number.POSITIVE_INFINITY,
      timeLimitMs,
      isPublic: () => access.isPublic('POST', '/graphql'),
      ...(settings.graphiqlFolder === undefined
        ? {}
        : { page: await readBundledPage('graphiql', settings.graphiqlFolder, settings.pageLogon !== true) }),
    }),
  ]
  server.addHook('onRequest', (request, _reply, done) => {
    if (started || isHealthPath(request.path)) return done()
    done(new AppError('NOT_READY', { headers: { 'retry-after': '1' } }))
  })
  protect(server, access, isOwn)
  serveUpstreamApis(server, {
    secrets: settings.upstreamSecrets ?? {},
    access,
    upstreams,
    baseUrl: settings.baseUrl,
    responseHeaders: schemaHeaders,
    crossOrigin: common.crossOrigin,
    observe,
  })
  const index = new RouteIndex(routes)
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
