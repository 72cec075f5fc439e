import type { ApiRoute } from '../authorization/api-route.ts'
import { conditionsOf } from '../authorization/record-conditions.ts'
import { overlap } from '../authorization/route-path.ts'
import { setWithoutEffect } from './role-warnings.ts'

/** Warns of a public route with conditions on records that opens no records, or sets values where none are written. */
export function routeWarnings(route: ApiRoute): readonly string[] {
  const { name, path, methods, set } = route
  const conditions = conditionsOf(route)
  if (conditions === undefined) return []
  const named = Object.entries(conditions).flatMap(([key, value]) => (value ? [`"${key}"`] : []))
  return [
    ...(opensRecords(path)
      ? []
      : [
          `The route "${name}" opens nothing: with ${named.join(', ')} it is for records only, at /apis/... and /graphql, and it matches none of their paths.`,
        ]),
    ...setWithoutEffect(`The route "${name}"`, methods, set),
  ]
}

/** The paths of records, as routes have them. A route for an entity of GraphQL opens nothing. */
const recordPaths = ['/apis/:resource', '/apis/:resource/:identifier', '/graphql']

function opensRecords(path: string): boolean {
  return recordPaths.some((known) => overlap(path, known))
}
