import type { Reach } from '../../http/reach.ts'
import type { ApiRoutes } from './api-route.ts'
import type { CompiledRole } from './role.ts'

/** What accounts with these roles may call; `undefined` for a caller without a token. */
export function reachOf(roles: readonly CompiledRole[] | undefined, apiRoutes: ApiRoutes): Reach {
  return {
    mayCall: (method, path) => (roles ?? []).some((role) => role.allows(method, path)),
    mayCallBelow: (method, path) => (roles ?? []).some((role) => role.allowsBelow(method, path)),
    anybody: {
      mayCall: (method, path) => apiRoutes.decide(method, path, true).scope === 'public',
      mayCallBelow: (method, path) => apiRoutes.isPublicBelow(method, path),
    },
  }
}
