import type { Connection } from '../../database/driver.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError } from '../../errors/app-error.ts'
import { parseTarget, type Target } from '../../proxy/target.ts'
import type { PageRequest } from '../../store/page-request.ts'
import type { AccessParts } from '../access-parts.ts'
import {
  type ApiRoute,
  apiRouteSchema,
  apiRouteToPutSchema,
  overlap,
  pathRegex,
} from '../authorization/api-route.ts'
import { refuseMistakes, requireHeld } from '../authorization/rights.ts'
import { mistakesInSecrets } from '../authorization/route-headers.ts'
import { coversTarget } from '../authorization/target-pattern.ts'
import type { Actor } from '../caller.ts'
import { nameToPut, normalizeName } from '../name.ts'
import { changesBetween } from './audit-changes.ts'
import { changeWithAudit, insertNamed, missingRecord } from './audited-change.ts'
import { type ListPage, pageQuery, readPage } from './list-page.ts'
import { routesPath, targetsOfRequest } from './route-writers.ts'

/** Reading and changing API routes. Documents come unvalidated from clients. */
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
  ): Promise<{ readonly route: ApiRoute; readonly created: boolean }>
  remove(name: string, actor: Actor): Promise<void>
}

/** Members whose values the audit does not keep: headers for upstream servers may hold secrets. */
const unkept = ['headers']

/** The management of API routes. */
export function createApiRouteManagement(parts: AccessParts): ApiRouteManagement {
  const { store, targetGuard, upstreamSecrets } = parts
  const { apiRoutes } = store

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

  /**
   * What a change makes public, the actor must be allowed to call: the paths of a new public route, and those of a
   * removed protected one if another route makes them public.
   */
  async function requireMayOpen(
    connection: Connection,
    actor: Actor,
    { before, after }: { readonly before?: ApiRoute | undefined; readonly after?: ApiRoute },
  ): Promise<void> {
    const opened = after?.scope === 'public' ? [after] : []
    if (before?.scope === 'protected') {
      const others = (await apiRoutes.list(connection)).filter(({ name }) => name !== before.name)
      if (others.some((other) => other.scope === 'public' && overlap(other.path, before.path)))
        opened.push(before)
    }
    const authorities = opened.map(({ path, methods }) => ({ regex: pathRegex(path), methods }))
    requireHeld(actor, { authorities }, () => '/path')
  }

  return {
    list(query) {
      const page = parseDocument(pageQuery, query, 'PARAMETER_INVALID')
      const read = (wanted: PageRequest) => store.read((connection) => apiRoutes.list(connection, wanted))
      return readPage(page, read, ({ name }) => name)
    },

    async find(givenName) {
      const name = normalizeName(givenName)
      const route = await store.read((connection) => apiRoutes.find(connection, name))
      if (route === undefined) throw missingRecord('route', name)
      return route
    },

    async create(document, actor) {
      const route = parseDocument(apiRouteSchema, document)
      const { name } = route
      refuseTargets(route)
      requireMayLead(actor, { method: 'POST', path: routesPath }, route)
      return changeWithAudit(parts, actor, async (connection) => {
        await requireMayOpen(connection, actor, { after: route })
        await insertNamed('route', name, apiRoutes.insert(connection, route))
        return {
          record: 'route',
          action: 'created',
          name,
          changes: changesBetween(undefined, route, unkept),
          answer: route,
        }
      })
    },

    async put(pathName, document, actor) {
      const { name: documentName, ...fields } = parseDocument(apiRouteToPutSchema, document)
      const name = nameToPut(pathName, documentName)
      const route = { name, ...fields }
      refuseTargets(route)
      requireMayLead(actor, { method: 'PUT', path: `${routesPath}/${pathName}` }, route)
      return changeWithAudit(parts, actor, async (connection) => {
        const before = await apiRoutes.find(connection, name)
        const created = before === undefined
        await requireMayOpen(connection, actor, { before, after: route })
        if (created) await insertNamed('route', name, apiRoutes.insert(connection, route))
        else await apiRoutes.update(connection, route)
        return {
          record: 'route',
          action: created ? 'created' : 'changed',
          name,
          changes: changesBetween(before, route, unkept),
          answer: { route, created },
        }
      })
    },

    async remove(givenName, actor) {
      const name = normalizeName(givenName)
      await changeWithAudit(parts, actor, async (connection) => {
        const before = await apiRoutes.find(connection, name)
        if (before === undefined) throw missingRecord('route', name)
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
  }
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
