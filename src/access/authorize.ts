import { AppError } from '../errors/app-error.ts'
import type { CompiledRole } from './role.ts'

/** Whether one of the roles allows a method on a path. */
function isAllowed(roles: readonly CompiledRole[], method: string, path: string): boolean {
  return roles.some((role) => role.authorities.some((authority) => authority.allows(method, path)))
}

/** Throws ROLE_NOT_ALLOWED unless one of the roles allows a method on a path. */
export function authorize(roles: readonly CompiledRole[], method: string, path: string): void {
  if (!isAllowed(roles, method, path)) throw new AppError('ROLE_NOT_ALLOWED')
}
