/** All routes of the gateway, in groups. */
import { randomUUID } from 'node:crypto'
import type { EntityParts } from '../../entity/entity-parts.ts'
import { guideRoutes, openGuide } from '../../http/guide.ts'
import { healthRoutes } from '../../http/health-routes.ts'
import { createKnownBrowsers } from '../../http/known-browsers.ts'
import type { Route, RouteIndex } from '../../http/routes.ts'
import { originReader } from '../../http/same-origin.ts'
import type { Metrics } from '../../observe/metrics.ts'
import type { SlowStatements } from '../../observe/slow-statements.ts'
import { createIdempotency } from '../../rest/idempotency.ts'
import { readBundledPage } from '../bundled-page.ts'
import type { NameManagement } from '../choose-names.ts'
import { knownCalls } from '../known-calls.ts'
import { createTableList } from '../list-tables.ts'
import { mayCall } from '../protect.ts'
import { createReadableTables } from '../readable-tables.ts'
import type { Records } from '../records.ts'
import { newGaps } from '../rights/conditions-gaps.ts'
import { heldConditions } from '../rights/held-conditions.ts'
import { createRecordAccess, type RecordAccess } from '../rights/record-access.ts'
import { recordEffects } from '../rights/record-effects.ts'
import { createRelatedEntities } from '../rights/related-entities.ts'
import type { SchemaDifference } from '../schema-difference.ts'
import type { GatewaySettings } from '../settings.ts'
import { type Status, unversioned } from '../status.ts'
import type { Upstreams } from '../upstreams.ts'
import { accountRoutes } from './accounts.ts'
import { apiRouteRoutes } from './api-routes.ts'
import { auditRoutes } from './audit.ts'
import { docsRoutes } from './docs.ts'
import { entityDefinitionRoutes } from './entity-definitions.ts'
import { entityVersionRoutes } from './entity-versions.ts'
import { explainAccessRoutes } from './explain-access.ts'
import { graphqlRoutes } from './graphql.ts'
import { logonRoutes } from './logon.ts'
import { metricsRoutes } from './metrics.ts'
import { nameRoutes } from './names.ts'
import { openapiRoutes } from './openapi.ts'
import { ownAccountRoutes, ownActorReader } from './own-account.ts'
import { ownTableRoutes } from './own-tables.ts'
import { pageLogonRoutes } from './page-logon.ts'
import { passkeyRoutes } from './passkeys.ts'
import { publishedApiRoutes } from './published-apis.ts'
import { roleRoutes } from './roles.ts'
import { schemaRoutes } from './schema.ts'
import { statusRoutes } from './status.ts'
import { tokenRoutes } from './tokens.ts'

/** What the routes work with. */
export interface GatewayRouteParts {
  readonly settings: GatewaySettings
  readonly records: Records
  readonly entityParts: EntityParts
  readonly names: NameManagement
  readonly upstreams: Upstreams
  readonly metrics: Metrics
  readonly slowStatements: SlowStatements
  readonly status: Status
  /** Whether requests are taken. */
  readonly isReady: () => Promise<boolean>
  /** Reads the tables again, here and on all nodes. */
  readonly reloadSchema: () => Promise<SchemaDifference>
  /** The routes by their paths; it is asked only while requests are served. */
  readonly index: () => RouteIndex
}

/** The routes of the gateway, without those that lead to upstream APIs. */
export async function gatewayRoutes(parts: GatewayRouteParts): Promise<readonly Route[]> {
  const routes: readonly Route[] = [
    ...operationRoutes(parts),
    ...ownRoutes(parts),
    ...accessRoutes(parts, () => routes),
    ...entityRoutes(parts),
    ...(await dataRoutes(parts)),
  ]
  return routes
}

/** Health, metrics, status and the documentation. */
function operationRoutes(parts: GatewayRouteParts): readonly Route[] {
  const { settings, metrics, slowStatements, status, isReady } = parts
  return [
    ...healthRoutes({ isReady }),
    ...metricsRoutes({ metrics }),
    ...statusRoutes({ status, slowStatements, configuration: settings.configuration ?? [] }),
    ...(settings.guideFolder === undefined ? [] : guideRoutes(openGuide(settings.guideFolder))),
  ]
}

/** The logon, and what accounts do for themselves. */
function ownRoutes({ settings, records }: GatewayRouteParts): readonly Route[] {
  const { access, schema } = records
  const recordAccess = recordAccessOf(records)
  const tables = createReadableTables({ access, served: () => schema.current(), recordAccess })
  return [
    ...logonRoutes({ access }),
    ...(settings.pageLogon === true ? pageLogonRoutes({ access, ...browserParts(settings) }) : []),
    ...ownAccountRoutes({ access }),
    ...passkeyRoutes(access, ownActorReader(access)),
    ...ownTableRoutes({ access, tables, ...linksOf(settings) }),
  ]
}

/** Roles, accounts, API routes, tokens and the audit. */
function accessRoutes(parts: GatewayRouteParts, routes: () => readonly Route[]): readonly Route[] {
  const { settings, upstreams, index } = parts
  const { access, schema, database, now } = parts.records
  const links = linksOf(settings)
  return [
    ...roleRoutes({
      roles: access.roles,
      calls: () => knownCalls(routes(), schema.current()),
      recordEffects: (change, account, asker) =>
        recordEffects(change, account, asker, { database, served: () => schema.current(), now }),
      ...links,
    }),
    ...accountRoutes({ ...access, ...links }),
    ...apiRouteRoutes({ apiRoutes: access.apiRoutes, healthOf: upstreams.healthOf, ...links }),
    ...tokenRoutes({ tokens: access.tokens, ...links }),
    ...auditRoutes({ access }),
    ...explainAccessRoutes({
      access,
      index,
      rows: {
        database,
        served: () => schema.current(),
        now,
        recordAccess: recordAccessOf(parts.records),
      },
    }),
  ]
}

/** Entity definitions, names and tables. */
function entityRoutes(parts: GatewayRouteParts): readonly Route[] {
  const { settings, entityParts, names, reloadSchema } = parts
  const { database, store, schema, now, access } = parts.records
  const links = linksOf(settings)
  return [
    ...entityDefinitionRoutes({
      ...entityParts,
      schemaChanged: () => schema.changed(),
      watchConditions: () => {
        const before = schema.current()
        return () => newGaps(heldConditions(access), before, schema.current())
      },
      ...links,
    }),
    ...entityVersionRoutes({ store }),
    ...nameRoutes({ names, baseUrl: settings.baseUrl ?? '' }),
    ...schemaRoutes({
      version: () => schema.current().version,
      reload: reloadSchema,
      tables: createTableList({ database, schema, now }),
      ...links,
    }),
  ]
}

/** Published APIs and GraphQL, with their pages. */
async function dataRoutes({ settings, records, entityParts }: GatewayRouteParts): Promise<readonly Route[]> {
  const { database, store, access, schema, now } = records
  const { observe, baseUrl = '' } = settings
  const timeLimitMs = settings.requestTimeoutMs ?? Number.POSITIVE_INFINITY
  const page = (name: 'docs' | 'graphiql', folder: string) =>
    readBundledPage(name, folder, settings.pageLogon !== true)
  const recordAccess = recordAccessOf(records)
  const idempotency = createIdempotency({ store, now, uuid: randomUUID })
  const recordParts = { database, now, uuid: randomUUID, nextInstance: entityParts.nextId }
  const relatedEntities = createRelatedEntities(recordAccess)
  return [
    ...publishedApiRoutes({
      ...recordParts,
      recordAccess,
      relatedEntities,
      baseUrl,
      published: () => schema.current().published,
      schema,
      listLimits: {
        timeMs: timeLimitMs,
        rows: Number.MAX_SAFE_INTEGER - 1,
        bytes: Number.POSITIVE_INFINITY,
        heldRows: 100_000,
        ...settings.listLimits,
      },
      observe,
      idempotency,
    }),
    ...openapiRoutes({
      recordAccess,
      relatedEntities,
      published: () => schema.current().published,
      access,
      baseUrl,
      version: () => schema.current().version.text,
      programVersion: settings.version ?? unversioned,
    }),
    ...(settings.docsFolder === undefined
      ? []
      : docsRoutes({
          page: await page('docs', settings.docsFolder),
          isPublic: () => access.isPublic('GET', '/docs'),
        })),
    ...graphqlRoutes({
      recordAccess,
      recordParts,
      idempotency,
      database,
      snapshot: () => schema.current().snapshot,
      schema,
      observe,
      requests: settings.graphqlRequests,
      mayCall: ({ headers }, method, path) => mayCall(access, { headers, method, path }),
      compressFromBytes: settings.compressFromBytes ?? Number.POSITIVE_INFINITY,
      timeLimitMs,
      isPublic: async () => {
        if (await access.isPublic('POST', '/graphql')) return true
        const routes = await access.publicRoutes()
        return routes.openParts('/graphql', schema.current().snapshot.rightNames).names.length > 0
      },
      ...(settings.graphiqlFolder === undefined
        ? {}
        : { page: await page('graphiql', settings.graphiqlFolder) }),
    }),
  ]
}

/** Where links in responses begin; they are paths if no address is set. */
function linksOf({ baseUrl }: GatewaySettings): { readonly baseUrl?: string } {
  return baseUrl === undefined ? {} : { baseUrl }
}

/** The cookie is that of the web front by default: on one host, both know the browsers of the other. */
function browserParts({ baseUrl }: GatewaySettings) {
  const cookies = { secure: baseUrl?.startsWith('https:') ?? false }
  return { originOf: originReader(baseUrl), knownBrowsers: createKnownBrowsers(cookies, 'gatehouse') }
}

function recordAccessOf({ schema, database, now }: Records): RecordAccess {
  return createRecordAccess({ served: () => schema.current(), dialect: database.dialect, now })
}
