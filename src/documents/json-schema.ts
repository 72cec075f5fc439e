/** The schema of a document as JSON Schema (https://json-schema.org/draft/2020-12): what a client may send or gets. */
import * as v from 'valibot'
import { jsonObject } from './document-schema.ts'

/** A JSON Schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The reference to a schema that is described elsewhere, such as `#/components/schemas/Role`; undefined for others. */
export type SchemaReferences = (schema: v.GenericSchema) => string | undefined

/** The parts of a valibot schema, or of an action in a pipe, that are read here. */
interface Part {
  readonly kind: 'schema' | 'validation' | 'transformation' | 'metadata'
  readonly type: string
  readonly pipe?: readonly Part[]
  readonly onlyEntries?: v.ObjectEntries
  readonly list?: { readonly item: v.GenericSchema; readonly most: number }
  readonly entries?: v.ObjectEntries
  readonly item?: v.GenericSchema
  readonly value?: v.GenericSchema
  readonly wrapped?: v.GenericSchema
  readonly options?: readonly unknown[]
  readonly literal?: unknown
  readonly default?: unknown
  readonly requirement?: unknown
  readonly description?: string
  readonly metadata?: JsonSchema
}

/**
 * The JSON Schema of what a schema accepts. Rules that only code can check are left out. `v.description` and
 * `v.metadata` in a pipe add to it or replace parts of it. Throws for kinds of schema that no document uses.
 */
export function jsonSchemaOf(
  schema: v.GenericSchema,
  references: SchemaReferences = () => undefined,
): JsonSchema {
  const reference = references(schema)
  return reference === undefined ? contentOf(schema, references) : { $ref: reference }
}

/** The same for a schema that has a reference: what is found there. */
export function referencedSchemaOf(schema: v.GenericSchema, references: SchemaReferences): JsonSchema {
  return contentOf(schema, references)
}

/** Whether an object may be without the member of this schema. */
export function isOptional({ type }: v.GenericSchema): boolean {
  return type === 'optional' || type === 'nullish'
}

function contentOf(schema: v.GenericSchema, references: SchemaReferences): JsonSchema {
  const part = schema as unknown as Part
  if (part.onlyEntries !== undefined && (part.pipe?.[0] as unknown) === jsonObject) {
    return { ...objectOf(part.onlyEntries, references), additionalProperties: false }
  }
  if (part.pipe === undefined) return plain(part, references)
  const [first, ...actions] = part.pipe
  let found = jsonSchemaOf(first as unknown as v.GenericSchema, references)
  let isResult = false
  for (const action of actions) {
    // What follows is about the result, which clients do not see.
    isResult ||= action.kind === 'transformation'
    if (action.kind === 'metadata') found = { ...found, ...constraintOf(action, found) }
    else if (isResult) continue
    else if (action.kind === 'schema') {
      found = { ...found, ...jsonSchemaOf(action as unknown as v.GenericSchema, references) }
    } else found = { ...found, ...constraintOf(action, found) }
  }
  return found
}

const plainTypes: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  any: {},
  unknown: {},
}

function plain(part: Part, references: SchemaReferences): JsonSchema {
  const inner = (schema: v.GenericSchema | undefined) => jsonSchemaOf(schema ?? v.never(), references)
  const { type, list } = part
  if ((part as unknown) === jsonObject) return { type: 'object' }
  if (list !== undefined) return { type: 'array', items: inner(list.item), maxItems: list.most }
  const known = plainTypes[type]
  if (known !== undefined) return known
  switch (type) {
    case 'custom':
      return {}
    case 'literal':
      return { const: part.literal }
    case 'picklist':
      return { type: 'string', enum: part.options }
    case 'array':
      return { type: 'array', items: inner(part.item) }
    case 'object':
      return objectOf(part.entries ?? {}, references)
    case 'record':
      return { type: 'object', additionalProperties: inner(part.value) }
    case 'union':
      return { anyOf: (part.options as readonly v.GenericSchema[]).map(inner) }
    case 'optional':
      return withDefault(inner(part.wrapped), part.default)
    case 'nullish':
    case 'nullable':
      return orNull(withDefault(inner(part.wrapped), part.default))
    default:
      throw new Error(`There is no JSON Schema for ${type}.`)
  }
}

function objectOf(entries: v.ObjectEntries, references: SchemaReferences): JsonSchema {
  const members = Object.entries(entries) as readonly (readonly [string, v.GenericSchema])[]
  const required = members.filter(([, schema]) => !isOptional(schema)).map(([key]) => key)
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([key, schema]) => [key, jsonSchemaOf(schema, references)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

function withDefault(schema: JsonSchema, value: unknown): JsonSchema {
  return value === undefined || typeof value === 'function' ? schema : { ...schema, default: value }
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return {
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    ...rest,
  }
}

function constraintOf(
  { type, requirement, description, metadata }: Part,
  { type: of }: JsonSchema,
): JsonSchema {
  const isList = of === 'array'
  switch (type) {
    case 'min_length':
      return isList ? { minItems: requirement } : { minLength: requirement }
    case 'max_length':
      return isList ? { maxItems: requirement } : { maxLength: requirement }
    case 'min_value':
      return { minimum: requirement }
    case 'max_value':
      return { maximum: requirement }
    case 'integer':
      return { type: 'integer' }
    case 'regex':
      return { pattern: (requirement as RegExp).source }
    case 'description':
      return { description }
    case 'metadata':
      return metadata ?? {}
    default:
      return {}
  }
}
