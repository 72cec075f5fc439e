import type { Connection } from '../../database/driver.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Precondition } from '../../http/etag.ts'
import { parseTarget, type Target } from '../../proxy/target.ts'
import type { PageRequest } from '../../store/page-request.ts'
import type { AccessParts } from '../access-parts.ts'
import { type ApiRoute, apiRouteSchema, apiRouteToPutSchema } from '../authorization/api-route.ts'
import type { Authority } from '../authorization/authority.ts'
import { conditionedRoutes } from '../authorization/conditions-report.ts'
import { conditionsOf, withAccountValues } from '../authorization/record-conditions.ts'
import { refuseMistakes, requireHeld } from '../authorization/rights.ts'
import { mistakesInSecrets } from '../authorization/route-headers.ts'
import { overlap, pathRegex } from '../authorization/route-path.ts'
import { coversTarget } from '../authorization/target-pattern.ts'
import type { Actor } from '../caller.ts'
import { nameToPut, normalizeName } from '../name.ts'
import { changesBetween } from './audit-changes.ts'
import { changeWithAudit, insertNamed, missingRecord } from './audited-change.ts'
import { type ListPage, pageQuery, readPage } from './list-page.ts'
import { routeWarnings } from './route-warnings.ts'
import { routesPath, targetsOfRequest } from './route-writers.ts'

/**
 * Reading and changing API routes. Documents come unvalidated from clients. Where a change has a precondition, it is met by the
 * route as `find` gives it, as JSON, or the change throws PRECONDITION_FAILED; no one can change the route between.
 */
export interface ApiRouteManagement {
  /** By name; the query selects the page. */
  list(query: unknown): Promise<ListPage<ApiRoute>>
  find(name: string): Promise<ApiRoute>
  create(document: unknown, actor: Actor): Promise<ApiRoute>
  /** Creates or replaces. */
  put(
    name: string,
    document: unknown,
    actor: Actor,
    precondition?: Precondition,
  ): Promise<{ readonly route: ApiRoute; readonly created: boolean }>
  remove(name: string, actor: Actor, precondition?: Precondition): Promise<void>
  /** Warnings about what may be unintended in a route, in sentences. */
  warningsOf(route: ApiRoute): Promise<readonly string[]>
}

/** Members whose values the audit does not keep: headers for upstream servers may hold secrets. */
const unkept = ['headers']

/** The management of API routes. */
export function createApiRouteManagement(parts: AccessParts): ApiRouteManagement {
  const { store, targetGuard, upstreamSecrets, checkConditions } = parts
  const { apiRoutes } = store

  async function findStored(
    connection: Connection,
    name: string,
    precondition?: Precondition,
  ): Promise<ApiRoute> {
    const route = await apiRoutes.find(connection, name)
    if (route === undefined) throw missingRecord('route', name, precondition?.hasSeenRecord)
    precondition?.assert(JSON.stringify(route))
    return route
  }

  /** Throws DOCUMENT_INVALID for a route to a forbidden target, or with a secret that is not for its targets. */
  function refuseTargets(route: ApiRoute): void {
    const forbidden = targetsOf(route).flatMap(({ target: { hostname }, pointer }) => {
      if (!targetGuard.refuses(hostname)) return []
      const detail = `No route may lead to "${hostname}": it is link-local, or the metadata service of a cloud. The operator of the gateway can allow it with --target_allow.`
      return [{ pointer, detail }]
    })
    const mistakes = [...forbidden, ...mistakesInSecrets(route, upstreamSecrets)]
    if (mistakes.length > 0) throw new AppError('DOCUMENT_INVALID', { mistakes })
  }

  /** Throws DOCUMENT_INVALID for conditions on fields that no entity has which the route is for. */
  async function refuseConditions(route: ApiRoute): Promise<void> {
    const { mistakes } = await checkConditions([...conditionedRoutes([route])])
    if (mistakes.length > 0) throw new AppError('DOCUMENT_INVALID', { mistakes })
  }

  /**
   * What a change makes public, the actor must be allowed to call: the paths of a new public route, and those of a
   * changed or removed one that keeps them closed, wholly or but for some records, if another route opens them.
   */
  async function requireMayOpen(
    connection: Connection,
    actor: Actor,
    { before, after }: { readonly before?: ApiRoute | undefined; readonly after?: ApiRoute },
  ): Promise<void> {
    const opened = after?.scope === 'public' ? [openingOf(after)] : []
    if (before !== undefined && (before.scope === 'protected' || conditionsOf(before) !== undefined)) {
      for (const other of await apiRoutes.list(connection)) {
        const mayOpen = other.name !== before.name && other.scope === 'public'
        if (mayOpen && overlap(other.path, before.path)) opened.push(openingOf(other, before))
      }
    }
    requireHeld(actor, { authorities: opened }, () => '/path')
  }

  return {
    list(query) {
      const page = parseDocument(pageQuery, query, 'PARAMETER_INVALID')
      const read = (wanted: PageRequest) => store.read((connection) => apiRoutes.list(connection, wanted))
      return readPage(page, read, ({ name }) => name)
    },

    async find(givenName) {
      const name = normalizeName(givenName)
      return store.read((connection) => findStored(connection, name))
    },

    async create(document, actor) {
      const route = parseDocument(apiRouteSchema, document)
      const { name } = route
      refuseTargets(route)
      await refuseConditions(route)
      requireMayLead(actor, { method: 'POST', path: routesPath }, route)
      return changeWithAudit(parts, actor, async (connection) => {
        await requireMayOpen(connection, actor, { after: route })
        await insertNamed('route', name, apiRoutes.insert(connection, route))
        return {
          record: 'route',
          action: 'created',
          name,
          changes: changesBetween(undefined, route, unkept),
          answer: await findStored(connection, name),
        }
      })
    },

    async put(pathName, document, actor, precondition) {
      const { name: documentName, ...fields } = parseDocument(apiRouteToPutSchema, document)
      const name = nameToPut(pathName, documentName)
      const route = { name, ...fields }
      refuseTargets(route)
      await refuseConditions(route)
      requireMayLead(actor, { method: 'PUT', path: `${routesPath}/${pathName}` }, route)
      return changeWithAudit(parts, actor, async (connection) => {
        const before = await apiRoutes.find(connection, name)
        const created = before === undefined
        if (created && precondition?.hasSeenRecord) throw missingRecord('route', name, true)
        if (!created) precondition?.assert(JSON.stringify(before))
        await requireMayOpen(connection, actor, { before, after: route })
        if (created) await insertNamed('route', name, apiRoutes.insert(connection, route))
        else await apiRoutes.update(connection, route)
        return {
          record: 'route',
          action: created ? 'created' : 'changed',
          name,
          changes: changesBetween(before, route, unkept),
          answer: { route: await findStored(connection, name), created },
        }
      })
    },

    async remove(givenName, actor, precondition) {
      const name = normalizeName(givenName)
      await changeWithAudit(parts, actor, async (connection) => {
        const before = await findStored(connection, name, precondition)
        await requireMayOpen(connection, actor, { before })
        await apiRoutes.remove(connection, name)
        return {
          record: 'route',
          action: 'deleted',
          name,
          changes: changesBetween(before, undefined, unkept),
          answer: undefined,
        }
      })
    },

    async warningsOf(route) {
      const { warnings } = await checkConditions([...conditionedRoutes([route])])
      return [...routeWarnings(route), ...warnings]
    },
  }
}

/** What a public route opens to anyone, there or where another one is: values of accounts are those of any account. */
function openingOf(route: ApiRoute, { path, methods }: ApiRoute = route): Authority {
  const conditions = conditionsOf(route) ?? {}
  return { regex: pathRegex(path), methods, ...withAccountValues(conditions, 'anyone') }
}

/**
 * Throws RIGHTS_NOT_HELD for a route to a target that none of the roles allows by which the actor may write it; a role
 * without `targets` allows any target.
 */
function requireMayLead(
  { rights }: Actor,
  { method, path }: { readonly method: string; readonly path: string },
  route: ApiRoute,
): void {
  if (rights === 'everything') return
  const entries = targetsOfRequest(rights, method, path)
  if (entries === undefined) return
  const where = entries.length === 0 ? 'to no other server' : `to ${entries.join(', ')} only`
  refuseMistakes(
    targetsOf(route)
      .filter(({ target }) => !coversTarget(entries, target))
      .map(({ target: { origin }, pointer }) => ({
        pointer,
        detail: `This leads to ${origin}. The routes that you write with ${method} on "${path}" may lead ${where}.`,
      })),
  )
}

/** The targets of a route, with their locations. */
function targetsOf({ target }: Pick<ApiRoute, 'target'>): readonly {
  readonly target: Target
  readonly pointer: string
}[] {
  const written = Array.isArray(target)
    ? target.map((text: string, index) => ({ text, pointer: `/target/${index}` }))
    : [target ?? []].flat().map((text) => ({ text, pointer: '/target' }))
  return written.flatMap(({ text, pointer }) => {
    const read = parseTarget(text)
    return 'mistake' in read ? [] : [{ target: read, pointer }]
  })
}
