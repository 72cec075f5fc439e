/** The requests by which routes are written, and where those may lead. */
import type { CompiledRole } from '../authorization/role.ts'

/** Where routes are written: `POST` on it, and `PUT` on what is one segment below it. */
export const routesPath = '/manage/routes'

/** Whether a request that is allowed writes a route. */
export function writesRoute(method: string, path: string): boolean {
  return method === 'POST' ? path === routesPath : method === 'PUT' && path.startsWith(`${routesPath}/`)
}

/**
 * Where a route may lead that somebody writes by a request: the `targets` of those of his roles that allow it, together;
 * undefined where that is anywhere.
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
