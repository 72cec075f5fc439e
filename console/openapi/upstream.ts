/** Routes to upstream APIs as operations: of these APIs the gateway knows only the paths. */
import { filled, type Texts } from './apis-context.ts'
import type { Document, Operation, Parameter } from './openapi.ts'

const withBody = ['POST', 'PUT', 'PATCH']

/** The operations of the only route in a document. */
export function operationsOfRoute({ tags, paths }: Document, texts: Texts): readonly Operation[] {
  const [{ 'x-route': name = '', 'x-path': route = '/' } = {}] = tags
  const [{ parameters: _, ...sources } = {}] = Object.values(paths)
  const path = route.replace(/\/:(\w+)/g, '/{$1}').replace(/\/\*$/, '/{rest}')
  return Object.entries(sources).map(([key, source]) => {
    const method = key.toUpperCase()
    const hasBody = withBody.includes(method)
    const { security } = source as { readonly security?: readonly object[] }
    return {
      id: `${method} ${name}`,
      method,
      path,
      tag: name,
      summary: filled(texts.route.summary, { name }),
      parameters: parametersOf(path, texts),
      ...(hasBody ? { body: { mediaType: 'application/json' } } : {}),
      responses: [{ status: '*', description: texts.route.response }],
      needsToken: security?.length !== 0,
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
