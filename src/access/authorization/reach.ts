import type { ApiRoutes } from './api-route.ts'
import type { CompiledRole } from './role.ts'

/** Which calls of the gateway's own APIs are allowed. */
export interface Allowance {
  mayCall(method: string, path: string): boolean
  /** Whether a method may be called on some path that has one more segment than `path`. */
  mayCallBelow(method: string, path: string): boolean
}

/** What somebody may call, with a token and without. */
export interface Reach extends Allowance {
  readonly anybody: Allowance
}

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
