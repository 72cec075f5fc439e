import type { ApiRoutes } from './api-route.ts'
import type { CompiledRole } from './role.ts'

/** Which calls of the gateway's own APIs are allowed. */
export interface Allowance {
  mayCall(method: string, path: string): boolean
  /**
   * Whether a method may be called on some path that has one more segment than `path`. Tried with segments as
   * identifiers usually are, and with those that the roles and routes themselves name.
   */
  mayCallBelow(method: string, path: string): boolean
}

/** What somebody may call, with a token and without. */
export interface Reach extends Allowance {
  readonly anybody: Allowance
}

const usualSegments = [
  '0192f3c4-5b6a-7c8d-9e0f-a1b2c3d4e5f6',
  '1',
  '42',
  '1234567',
  'a',
  'p1',
  'abc',
  'ABC',
  'a-b_c',
]

/** What accounts with these roles may call; `undefined` for a caller without a token. */
export function reachOf(roles: readonly CompiledRole[] | undefined, apiRoutes: ApiRoutes): Reach {
  const authorities = (roles ?? []).flatMap((role) => role.authorities)
  const written = [
    ...authorities.map(({ regex }) => regex.replaceAll('\\', '')),
    ...apiRoutes.all.map(({ path }) => path),
  ]
  const segments = new Set([
    ...usualSegments,
    ...written.flatMap((path) => path.split('/')).filter((segment) => /^[\w.~-]+$/.test(segment)),
  ])
  const allowance = (mayCall: Allowance['mayCall']): Allowance => ({
    mayCall,
    mayCallBelow: (method, path) => [...segments].some((segment) => mayCall(method, `${path}/${segment}`)),
  })
  const anybody = allowance((method, path) => apiRoutes.decide(method, path, true).scope === 'public')
  return {
    ...allowance((method, path) => authorities.some((authority) => authority.allows(method, path))),
    anybody,
  }
}
