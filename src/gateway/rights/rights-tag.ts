import { createHash } from 'node:crypto'
import { type RightsHolder, rolesOf } from './rights-holder.ts'

/**
 * A hash of what a caller may do, the same on all nodes: another one if its roles, or what their conditions name, or the public routes
 * have changed.
 */
export function rightsTagOf(holder: RightsHolder): string {
  const roles = rolesOf(holder).map(({ name, authorities }) => [
    name,
    authorities.map(({ regex, methods, conditions }) => [regex, methods, conditions]),
  ])
  const opened = holder.publicRoutes?.opening.map(({ route, conditions }) => [
    route.path,
    route.methods,
    conditions,
  ])
  return createHash('sha256')
    .update(JSON.stringify([holder.caller?.attributes, roles, opened]))
    .digest('hex')
}
