import type { KnownCall } from '../access/administration/role-effects.ts'
import type { Route } from '../http/routes.ts'
import type { ServedSchema } from './served-schema.ts'

const recordMethods = ['GET', 'PUT', 'PATCH', 'DELETE']

/**
 * The calls of the gateway's own APIs that a role decides about: fixed paths, and lists with their records. Paths with
 * further variable segments are left out.
 */
export function* knownCalls(
  routes: readonly Route[],
  { published, snapshot }: Pick<ServedSchema, 'published' | 'snapshot'>,
): Generator<KnownCall> {
  for (const { path, access, methods } of routes) {
    const front = path.replace(/\/:\w+$/, '')
    if (access === 'open' || path.startsWith('/apis/') || /[:*]/.test(front)) continue
    for (const method of Object.keys(methods)) yield { method, path: front, isBelow: front !== path }
  }
  for (const resource of published.keys()) {
    const path = `/apis/${resource}`
    for (const method of ['GET', 'POST']) yield { method, path, isBelow: false }
    for (const method of recordMethods) yield { method, path, isBelow: true }
  }
  for (const name of snapshot.entityNames) yield { method: 'POST', path: `/graphql/${name}`, isBelow: false }
}
