import { parseDocument } from '../http/parse-document.ts'
import type { AccessParts } from './access-parts.ts'
import { type ApiRoute, apiRouteSchema, apiRouteToPutSchema } from './api-route.ts'
import type { Actor } from './caller.ts'
import { changeRecord, insertNamed, missingRecord } from './change-record.ts'
import { nameToPut, normalizeName } from './name.ts'

/** Reading and changing API routes. Documents are what clients sent, as it came. */
export interface ApiRouteManagement {
  list(): Promise<readonly ApiRoute[]>
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

/** The management of API routes. */
export function createApiRouteManagement(parts: AccessParts): ApiRouteManagement {
  const { store } = parts
  const { apiRoutes } = store
  return {
    list: () => store.read((connection) => apiRoutes.list(connection)),

    async find(givenName) {
      const name = normalizeName(givenName)
      const route = await store.read((connection) => apiRoutes.find(connection, name))
      if (route === undefined) throw missingRecord('route', name)
      return route
    },

    async create(document, actor) {
      const route = parseDocument(apiRouteSchema, document)
      const { name } = route
      return changeRecord(parts, actor, async (connection) => {
        await insertNamed('route', name, apiRoutes.insert(connection, route))
        return { record: 'route', action: 'created', name, answer: route }
      })
    },

    async put(pathName, document, actor) {
      const { name: documentName, ...fields } = parseDocument(apiRouteToPutSchema, document)
      const name = nameToPut(pathName, documentName)
      const route = { name, ...fields }
      return changeRecord(parts, actor, async (connection) => {
        const created = !(await apiRoutes.update(connection, route))
        if (created) await insertNamed('route', name, apiRoutes.insert(connection, route))
        return {
          record: 'route',
          action: created ? 'created' : 'changed',
          name,
          answer: { route, created },
        }
      })
    },

    async remove(givenName, actor) {
      const name = normalizeName(givenName)
      await changeRecord(parts, actor, async (connection) => {
        if (!(await apiRoutes.remove(connection, name))) throw missingRecord('route', name)
        return { record: 'route', action: 'deleted', name, answer: undefined }
      })
    },
  }
}
