/** Requests that write routes, and where these may lead. */
import type { CompiledRole } from '../authorization/role.ts'

/** The path for writing routes: `POST` on it, and `PUT` one segment below it. */
export const routesPath = '/manage/routes'

/** Whether an allowed request writes a route. */
export function writesRoute(method: string, path: string): boolean {
  return method === 'POST' ? path === routesPath : method === 'PUT' && path.startsWith(`${routesPath}/`)
}

/**
 * Where a route may lead that a request writes: the `targets` of all roles of the caller that allow the request;
 * undefined for anywhere.
 */
export function targetsOfRequest(
  roles: readonly CompiledRole[],
  method: string,
  path: string,
): readonly string[] | undefined {
  const allowing = roles.filter((role) => role.allows(method, path))
  if (allowing.some(({ targets }) => targets === undefined)) return undefined
  return [...new Set(allowing.flatMap(({ targets = [] }) => targets))]
}
