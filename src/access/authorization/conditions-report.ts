import type { Mistake } from '../../errors/app-error.ts'
import type { ApiRoute } from './api-route.ts'
import type { CompiledAuthority } from './authority.ts'
import { namesPart } from './public-parts.ts'
import { conditionsOf, type RecordConditions } from './record-conditions.ts'
import { matches, matchesBelow, segmentsOf } from './route-path.ts'

/** Conditions on records, with the paths that they are for. */
export interface ConditionedPaths {
  readonly conditions: RecordConditions
  readonly methods: readonly string[]
  matches(path: string): boolean
  /** Whether they are for some path one segment below. */
  below(path: string): boolean
  /** Who has them, to begin a sentence: `The authority "/apis/.*"`. */
  readonly subject: string
  /** Where they are in the document. */
  readonly place: readonly (string | number)[]
}

/** What is wrong or doubtful in conditions, compared with the tables. */
export interface ConditionsReport {
  readonly mistakes: readonly Mistake[]
  /** In sentences. */
  readonly warnings: readonly string[]
}

/**
 * Compares the conditions of a role or a route with the tables that are served now, in time slices. Authorities without
 * conditions are given, too.
 */
export type ConditionsCheck = (conditioned: readonly ConditionedPaths[]) => Promise<ConditionsReport>

/** For a gateway that serves no tables yet. */
export const nothingToCheck: ConditionsCheck = async () => ({ mistakes: [], warnings: [] })

/** Those of authorities that have conditions; `role` is the name of theirs, if sentences are to name it. */
export function* conditionedAuthorities(
  authorities: readonly CompiledAuthority[],
  role?: string,
): Generator<ConditionedPaths> {
  for (const one of pathsOfAuthorities(authorities, role))
    if (conditionsOf(one.conditions) !== undefined) yield one
}

/** All of them; the conditions of those without any are empty. */
export function* pathsOfAuthorities(
  authorities: readonly CompiledAuthority[],
  role?: string,
): Generator<ConditionedPaths> {
  const whose = role === undefined ? '' : ` of the role "${role}"`
  for (const [index, { regex, methods, matches: pattern, conditions }] of authorities.entries()) {
    const subject = `The authority "${regex}"${whose}`
    const { below } = pattern
    const place = ['authorities', index]
    yield { conditions: conditions ?? {}, methods, matches: pattern, below, subject, place }
  }
}

/** Those of public routes that have conditions. */
export function* conditionedRoutes(routes: Iterable<ApiRoute>): Generator<ConditionedPaths> {
  for (const route of routes) {
    const { name, path, methods, scope, target } = route
    const conditions = conditionsOf(route)
    if (conditions === undefined || scope !== 'public' || target !== undefined) continue
    const pattern = segmentsOf(path)
    yield {
      conditions,
      methods,
      matches: (decoded) => {
        const segments = segmentsOf(decoded)
        const [front = '', part] = segments
        if (front === 'graphql' && part !== undefined) return namesPart(pattern, [front], part)
        return matches(pattern, segments)
      },
      below: (decoded) => matchesBelow(pattern, segmentsOf(decoded)),
      subject: `The route "${name}"`,
      place: [],
    }
  }
}
