import type { ApiRoute } from '../authorization/api-route.ts'
import { includesMethod } from '../authorization/method.ts'
import { partMethod } from '../authorization/part-rights.ts'
import { conditionsOf, type RecordConditions } from '../authorization/record-conditions.ts'
import { overlap, segmentsOf } from '../authorization/route-path.ts'
import { setWithoutEffect } from './role-warnings.ts'

/**
 * Warns of a public route for entities of GraphQL without the method that these need; and of one with conditions on
 * records that opens no records, or sets values where none are written.
 */
export function routeWarnings(route: ApiRoute): readonly string[] {
  const { name, methods, set } = route
  const conditions = conditionsOf(route)
  return [
    ...withoutPartMethod(route),
    ...(conditions === undefined ? [] : withoutRecords(route, conditions)),
    ...(conditions === undefined ? [] : setWithoutEffect(`The route "${name}"`, methods, set)),
  ]
}

function withoutPartMethod({ name, path, methods, scope, target }: ApiRoute): readonly string[] {
  const [front, part, ...rest] = segmentsOf(path)
  const isForParts = front === 'graphql' && part !== undefined && rest.length === 0
  if (scope !== 'public' || target !== undefined || !isForParts || includesMethod(methods, partMethod))
    return []
  return [
    `The route "${name}" opens nothing of /graphql: an entity is queried there by ${partMethod}. Add the method ${partMethod}.`,
  ]
}

function withoutRecords({ name, path }: ApiRoute, conditions: RecordConditions): readonly string[] {
  if (recordPaths.some((known) => overlap(path, known))) return []
  const named = Object.entries(conditions).flatMap(([key, value]) => (value ? [`"${key}"`] : []))
  return [
    `The route "${name}" opens nothing: with ${named.join(', ')} it is for records only, at /apis/... and /graphql, and it matches none of their paths.`,
  ]
}

/** The paths of records, as routes have them. */
const recordPaths = ['/apis/:resource', '/apis/:resource/:identifier', '/graphql', '/graphql/:entity']
