/** The operations of upstream APIs: the gateway knows their paths, and nothing of what they take and respond. */
import type { ReachedRoute } from '../../http/reach.ts'

type Part = Readonly<Record<string, unknown>>

/** A route with its tag, which no entity and no other route has. */
export interface TaggedRoute extends ReachedRoute {
  readonly tag: string
}

/** Gives each route a tag: its name, unless that is taken. */
export function taggedRoutes(
  routes: readonly ReachedRoute[],
  entities: readonly string[],
): readonly TaggedRoute[] {
  const taken = new Set([...entities, ...routes.map(({ name }) => name)])
  const own = new Set(entities)
  return routes.map((route) => {
    let tag = route.name
    if (own.has(tag)) while (taken.has(tag)) tag = `${tag} (upstream)`
    taken.add(tag)
    return { ...route, tag }
  })
}

/** The tag of a route in the document. */
export function tagOfRoute({ tag, name, path }: TaggedRoute): Part {
  return { name: tag, 'x-path': path, 'x-route': name }
}

/** What two paths have in common that are the same but for the names of their variables. */
export function shapeOfPath(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}')
}

const documented = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']
const withBody = ['put', 'post', 'patch']

interface RouteItem {
  readonly path: string
  readonly item: Record<string, unknown>
}

/** The path items of routes by their paths. Of equal paths, those in `taken` and then the first route's stay. */
export function routePaths(
  routes: readonly TaggedRoute[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, Part> {
  const items = new Map<string, RouteItem>()
  for (const route of routes) {
    const { path, parameters } = templateOf(route.path)
    const shape = shapeOfPath(path)
    if (taken.has(shape)) continue
    const found = items.get(shape) ?? { path, item: parameters.length === 0 ? {} : { parameters } }
    const { item } = found
    items.set(shape, found)
    for (const { method, isPublic } of route.methods) {
      const key = method.toLowerCase()
      if (documented.includes(key) && !Object.hasOwn(item, key)) item[key] = operationOf(route, key, isPublic)
    }
  }
  return new Map(items.values().map(({ path, item }) => [path, item]))
}

function operationOf({ name, tag }: TaggedRoute, method: string, isPublic: boolean): Part {
  return {
    tags: [tag],
    summary: `Calls the upstream API "${name}".`,
    ...(withBody.includes(method) && { requestBody: { content: { '*/*': {} } } }),
    responses: { default: { description: 'What the upstream API responds.' } },
    ...(isPublic && { security: [] }),
  }
}

/** The path of a route as a template, with its variables. */
function templateOf(route: string): { readonly path: string; readonly parameters: readonly Part[] } {
  const names = new Set<string>()
  const parameters: Part[] = []
  const variable = (wanted: string, description: string) => {
    let name = wanted
    while (names.has(name)) name = `${name}_`
    names.add(name)
    parameters.push({ name, in: 'path', required: true, description, schema: { type: 'string' } })
    return `{${name}}`
  }
  const segments = route.slice(1).split('/')
  const parts = segments.map((segment, index) => {
    if (segment === '*' && index === segments.length - 1)
      return variable('rest', 'The rest of the path, which may hold slashes and may be empty.')
    if (segment.startsWith(':')) return variable(segment.slice(1), 'One segment of the path.')
    return segment.replaceAll('{', '%7B').replaceAll('}', '%7D')
  })
  return { path: `/${parts.join('/')}`, parameters }
}
