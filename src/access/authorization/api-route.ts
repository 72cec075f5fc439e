/**
 * The document of an API route: the scope of published paths and, with a target, the upstream API that answers there.
 * `route-path.ts` says what its path matches, and `api-routes.ts` which route decides. A public route never reaches
 * `/manage`.
 */
import * as v from 'valibot'
import { oneOf, refuse, strictObject } from '../../documents/document-schema.ts'
import { nameSchema } from '../name.ts'
import { methodsSchema } from './method.ts'
import type { RecordConditions } from './record-conditions.ts'
import { recordConditionsEntries } from './record-conditions-schema.ts'
import { mistakeInPath, pathLimit, reachesManagement, segmentsOf } from './route-path.ts'
import {
  defaultTimeout,
  mistakeInPrefix,
  type UpstreamSettingsDocument,
  upstreamEntries,
} from './upstream-settings.ts'

/**
 * A route as it is written and shown. Without a target it applies to the gateway's own APIs. A public one with conditions
 * opens nothing but records.
 */
export interface ApiRoute extends UpstreamSettingsDocument, RecordConditions {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
}

const content = {
  path: v.pipe(
    v.string(),
    refuse(mistakeInPath),
    v.metadata({
      description: 'A decoded path; `:name` is one segment, a final `/*` any rest below.',
      examples: ['/shop/*'],
      maxLength: pathLimit,
    }),
  ),
  methods: methodsSchema,
  scope: v.optional(oneOf(['public', 'protected']), 'protected'),
  ...upstreamEntries,
  ...recordConditionsEntries,
}

/** Reads a new route. */
export const apiRouteSchema = v.pipe(
  strictObject({ name: nameSchema, ...content }),
  refuse(publicManagement, 'path'),
  refuse(needsTarget('prefix'), 'prefix'),
  refuse(needsTarget('timeout'), 'timeout'),
  refuse(needsTarget('health'), 'health'),
  refuse(needsTarget('headers'), 'headers'),
  refuse(needsTarget('rewrite'), 'rewrite'),
  refuse(wrongPrefix, 'prefix'),
  refuse(misplaced('rows'), 'rows'),
  refuse(misplaced('fields'), 'fields'),
  refuse(misplaced('set'), 'set'),
  v.transform(withDefaults),
)

/** Reads a route whose name is in the path. */
export const apiRouteToPutSchema = v.pipe(
  strictObject({ name: v.optional(nameSchema), ...content }),
  refuse(publicManagement, 'path'),
  refuse(needsTarget('prefix'), 'prefix'),
  refuse(needsTarget('timeout'), 'timeout'),
  refuse(needsTarget('health'), 'health'),
  refuse(needsTarget('headers'), 'headers'),
  refuse(needsTarget('rewrite'), 'rewrite'),
  refuse(wrongPrefix, 'prefix'),
  refuse(misplaced('rows'), 'rows'),
  refuse(misplaced('fields'), 'fields'),
  refuse(misplaced('set'), 'set'),
  v.transform(withDefaults),
)

function publicManagement({ path, scope }: Pick<ApiRoute, 'path' | 'scope'>): string | undefined {
  const isRefusedAlready = mistakeInPath(path) !== undefined
  return scope === 'public' && !isRefusedAlready && reachesManagement(segmentsOf(path))
    ? 'A public route must not reach /manage, where roles and accounts are changed. Name the published paths, as in /apis/*.'
    : undefined
}

function needsTarget(key: 'prefix' | 'timeout' | 'health' | 'headers' | 'rewrite') {
  return (route: UpstreamSettingsDocument): string | undefined =>
    route.target === undefined && route[key] !== undefined ? `"${key}" needs a "target".` : undefined
}

function misplaced(key: keyof RecordConditions) {
  return (route: Pick<ApiRoute, 'scope' | 'target' | keyof RecordConditions>): string | undefined => {
    if (route[key] === undefined) return undefined
    if (route.target !== undefined)
      return `"${key}" is for records of the gateway itself. A route with a "target" leads to another server.`
    return route.scope === 'public'
      ? undefined
      : `"${key}" needs the scope "public". What accounts may do with records, their roles say.`
  }
}

function wrongPrefix({
  path,
  target,
  prefix,
}: Pick<ApiRoute, 'path' | 'target' | 'prefix'>): string | undefined {
  if (target === undefined || prefix === undefined) return undefined
  return mistakeInPrefix(prefix, path)
}

/** Adds the default time-outs of a route with a target, and omits undefined members. */
function withDefaults<Route extends UpstreamSettingsDocument>(route: Route): Route {
  const { target, timeout = target === undefined ? undefined : defaultTimeout } = route
  const complete = { ...route, timeout }
  return Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== undefined)) as Route
}
