import type { CompiledRole } from './role.ts'

/** Whether one of the roles allows a method on a path. */
export function isAllowed(roles: readonly CompiledRole[], method: string, path: string): boolean {
  return roles.some((role) => role.allows(method, path))
}
