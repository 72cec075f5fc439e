/** Routes to upstream APIs as operations: of these APIs the gateway knows only the paths. */
import { filled, type Texts } from './apis-context.ts'
import type { Operation, Parameter } from './openapi.ts'

/** A route of the gateway. */
export interface UpstreamRoute {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
  readonly target?: unknown
}

const withBody = ['POST', 'PUT', 'PATCH']

/** One operation for each method of a route. */
export function operationsOfRoute(route: UpstreamRoute, texts: Texts): readonly Operation[] {
  const { name, methods, scope } = route
  const path = route.path.replace(/\/:(\w+)/g, '/{$1}').replace(/\/\*$/, '/{rest}')
  return methods.map((method) => {
    const hasBody = withBody.includes(method)
    return {
      id: `${method} ${name}`,
      method,
      path,
      tag: name,
      summary: filled(texts.route.summary, { name }),
      parameters: parametersOf(path, texts),
      ...(hasBody ? { body: { mediaType: 'application/json' } } : {}),
      responses: [{ status: '*', description: texts.route.response }],
      needsToken: scope !== 'public',
    }
  })
}

function parametersOf(path: string, { route }: Texts): readonly Parameter[] {
  const schema = { type: 'string' }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    const isRest = name === 'rest' && path.endsWith('/{rest}')
    const description = isRest ? route.rest : route.segment
    return { name, in: 'path', required: !isRest, description, schema, isRest }
  })
  return [...inPath, { name: '?', in: 'query', description: route.query, schema, isRest: true }]
}
