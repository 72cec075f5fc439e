/** How paths that a gateway serves are written as authorities. */
import { regexOfPath } from './role-draft.ts'

/** A path that the gateway serves. */
export interface KnownPath {
  /** As in a request; a segment in braces stands for any. */
  readonly path: string
  /** The expression of an authority for it, and for what is below it if it is a list. */
  readonly regex: string
  readonly methods: readonly string[]
  readonly kind: 'entities' | 'graphql' | 'routes' | 'management' | 'documents'
}

const below = '(/.*)?'

/** The published API of an entity, and its part of GraphQL. */
export function pathsOfEntity({
  name,
  resource,
}: {
  readonly name: string
  readonly resource: string | null
}): readonly KnownPath[] {
  const graphql = `/graphql/${name}`
  return [
    ...(resource === null
      ? []
      : [
          {
            path: resource,
            regex: regexOfPath(resource) + below,
            methods: ['GET'],
            kind: 'entities',
          } as const,
        ]),
    { path: graphql, regex: regexOfPath(graphql), methods: ['POST'], kind: 'graphql' },
  ]
}

/** The path of a route: `:name` is one segment, a final `/*` any rest. */
export function pathsOfRoute({
  path,
  methods,
}: {
  readonly path: string
  readonly methods: readonly string[]
}): readonly KnownPath[] {
  const hasRest = path.endsWith('/*')
  const stem = hasRest ? path.slice(0, -2) : path
  const segments = stem.split('/')
  const regex = segments
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : regexOfPath(segment)))
    .join('/')
  const shown = segments
    .map((segment) => (segment.startsWith(':') ? `{${segment.slice(1)}}` : segment))
    .join('/')
  return [{ path: shown || '/', regex: regex + (hasRest ? below : '') || '/', methods, kind: 'routes' }]
}

/** The paths of the management API, in its own description. */
export function pathsOfManagement(document: unknown): readonly KnownPath[] {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, object>> }
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/manage/'))
    .map(([path, operations]) => ({
      path,
      regex: path
        .split('/')
        .map((segment) => (segment.startsWith('{') ? '[^/]+' : regexOfPath(segment)))
        .join('/'),
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) =>
        Object.hasOwn(operations, method.toLowerCase()),
      ),
      kind: 'management',
    }))
}
