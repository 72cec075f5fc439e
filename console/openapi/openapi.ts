/** An OpenAPI document as the pages read it: the parts that the gateway writes. */

/** A JSON Schema, or a reference to one. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly readOnly?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  /** Whether the values of a list are sent one by one, rather than with commas between them. */
  readonly explode?: boolean
  /** Whether it is the rest of a path, with slashes, or a whole query. */
  readonly isRest?: boolean
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
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly security?: readonly object[]
}

/** An entity, a route to an upstream API, or another group of operations. */
export interface Tag {
  readonly name: string
  /** The name in the language of the reader, if that is another one. */
  readonly label?: string
  /** The path of an entity or of a route. */
  readonly 'x-path'?: string
  /** The name of a route. */
  readonly 'x-route'?: string
}

export interface Document {
  readonly info: { readonly version: string }
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A response of an operation. */
export interface OperationResponse extends Response {
  readonly status: string
}

/** The body of a request. */
interface Body {
  readonly mediaType: string
  /** Absent if anything may be sent. */
  readonly schema?: Schema
}

/** An operation with everything it refers to. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly body?: Body
  readonly responses: readonly OperationResponse[]
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
  const { operationId, summary, description, tags, requestBody, security } = source
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    tag: tags[0] ?? '',
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [...common, ...(source.parameters ?? [])].map((part) => resolve(document, part)),
    ...(mediaType === undefined || content === undefined
      ? {}
      : { body: { mediaType, schema: content.schema } }),
    responses: Object.entries(source.responses).map(([status, response]) => ({
      ...resolve(document, response),
      status,
    })),
    needsToken: security?.length !== 0,
  }
}

/** What a reference of the document leads to; anything else is itself. */
export function resolve<Part extends { readonly $ref?: string }>(document: Document, part: Part): Part {
  if (part.$ref === undefined) return part
  let found: unknown = document
  for (const key of part.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[key]
  return found as Part
}

/** The type of a schema in a few words; a reference has its own name. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? ''
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' | ')
  if (schema.type === undefined) return schema.const === undefined ? 'any' : JSON.stringify(schema.const)
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  const format = schema.format === undefined ? '' : ` (${schema.format})`
  return types.map((type) => (type === 'array' ? listText(schema) : type)).join(' | ') + format
}

function listText({ items }: Schema): string {
  if (items === undefined || Object.keys(items).length === 0) return 'array'
  const inner = typeText(items)
  return inner.includes(' | ') ? `(${inner})[]` : `${inner}[]`
}

/** The objects that a schema has fields of: its own, those of its items, and those of its choices; each once. */
export function objectSchemas(
  document: Document,
  schema: Schema,
  seen: Set<Schema> = new Set(),
): readonly Schema[] {
  const found = resolve(document, schema)
  // Schemas may hold themselves.
  if (seen.has(found)) return []
  seen.add(found)
  if (found.properties !== undefined) return [found]
  const items = found.items === undefined ? [] : [found.items]
  const inner = [...items, ...(found.oneOf ?? found.anyOf ?? found.allOf ?? [])]
  return inner.flatMap((one) => objectSchemas(document, one, seen))
}
