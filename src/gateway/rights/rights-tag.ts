import { createHash } from 'node:crypto'
import { conditionsOf } from '../../access/authorization/record-conditions.ts'
import { type RightsHolder, rolesOf } from './rights-holder.ts'

/**
 * A hash of what a caller may do, the same on all nodes: another one if its roles, or what their conditions name, or the routes that
 * open APIs have changed.
 */
export function rightsTagOf(holder: RightsHolder): string {
  const roles = rolesOf(holder).map(({ name, authorities }) => [
    name,
    authorities.map(({ regex, methods, conditions }) => [regex, methods, conditions]),
  ])
  const routes = holder.publicRoutes?.deciding.map((route) => [
    route.path,
    route.methods,
    route.scope,
    conditionsOf(route),
  ])
  return createHash('sha256')
    .update(JSON.stringify([holder.caller?.attributes, roles, routes]))
    .digest('hex')
}
