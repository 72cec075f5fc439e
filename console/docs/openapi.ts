/** The OpenAPI document as the page reads it: the parts that the gateway writes. */

/** A JSON Schema, or a reference to one. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly readOnly?: boolean
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Response {
  readonly $ref?: string
  readonly description: string
  readonly content?: Content
}

interface OperationSource {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly security?: readonly object[]
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** An operation with everything it refers to. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly mediaType: string; readonly schema: Schema } | undefined
  readonly responses: readonly (Response & { readonly status: string })[]
  readonly needsToken: boolean
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** All operations, in the order of the document. */
export function operationsIn(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) => {
    const common = (item.parameters ?? []) as readonly Parameter[]
    return methods.flatMap((method) => {
      const source = item[method] as OperationSource | undefined
      return source === undefined ? [] : [operationOf(document, { method, path, common, source })]
    })
  })
}

interface OperationPlace {
  readonly method: string
  readonly path: string
  readonly common: readonly Parameter[]
  readonly source: OperationSource
}

function operationOf(document: Document, { method, path, common, source }: OperationPlace): Operation {
  const [mediaType, content] = Object.entries(source.requestBody?.content ?? {})[0] ?? []
  return {
    id: source.operationId,
    method: method.toUpperCase(),
    path,
    tag: source.tags[0] ?? '',
    summary: source.summary,
    parameters: [...common, ...(source.parameters ?? [])].map((part) => resolve(document, part)),
    body:
      mediaType === undefined || content === undefined ? undefined : { mediaType, schema: content.schema },
    responses: Object.entries(source.responses).map(([status, response]) => ({
      ...resolve(document, response),
      status,
    })),
    needsToken: source.security?.length !== 0,
  }
}

/** What a reference of the document leads to; anything else is itself. */
function resolve<Part extends { readonly $ref?: string }>(document: Document, part: Part): Part {
  if (part.$ref === undefined) return part
  let found: unknown = document
  for (const key of part.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[key]
  return found as Part
}

/** The object that a schema is about: of one that takes a list as well, what the list holds. */
export function objectSchema(document: Document, schema: Schema): Schema | undefined {
  const found = resolve(document, schema)
  if (found.properties !== undefined) return found
  const inside = found.oneOf?.[0] ?? found.items
  return inside === undefined ? undefined : objectSchema(document, inside)
}

/** The type of a schema in a word or two. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any'])
  const inner =
    schema.items === undefined || Object.keys(schema.items).length === 0
      ? ''
      : ` of ${typeText(schema.items)}`
  const format = schema.format === undefined ? '' : ` (${schema.format})`
  return `${types.join(' or ')}${inner}${format}`
}

/** A value that a body could begin from: of required fields, or of one that may be left out where none is required. */
export function exampleOf(schema: Schema): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema
  const sendable = Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true)
  const wanted = sendable.filter(([name]) => required.includes(name))
  return Object.fromEntries(
    (wanted.length > 0 ? wanted : sendable.slice(0, 1)).map(([name, part]) => [name, exampleValue(part)]),
  )
}

function exampleValue(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  const [first] = schema.enum ?? schema.examples ?? []
  if (first !== undefined) return first
  const [type] = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  switch (type) {
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return schema.format === 'date' ? '2026-01-31' : 'text'
  }
}
