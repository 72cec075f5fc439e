import type { Reach } from '../../http/reach.ts'
import type { ApiRoutes } from './api-routes.ts'
import { isRecordPath } from './authorize.ts'
import type { CompiledRole } from './role.ts'

/** What accounts with these roles may call; `undefined` for a caller without a token. */
export function reachOf(roles: readonly CompiledRole[] | undefined, apiRoutes: ApiRoutes): Reach {
  const held = (path: string) => (roles ?? []).map((role) => (isRecordPath(path) ? role.onRecords : role))
  return {
    mayCall: (method, path) => held(path).some((role) => role.allows(method, path)),
    mayCallBelow: (method, path) => held(path).some((role) => role.allowsBelow(method, path)),
    anybody: {
      mayCall: (method, path) => apiRoutes.opensAt(method, path) !== undefined,
      mayCallBelow: (method, path) => apiRoutes.opensBelow(method, path).length > 0,
    },
  }
}
