/** How the operations of the gateway's own paths are described: one for each method of each route. */
import * as v from 'valibot'

/** One operation of https://spec.openapis.org/oas/v3.1.1#operation-object, without what follows from its route. */
export interface Operation {
  /** Its `operationId`: a verb and what it is about, such as `listRoles`. */
  readonly id: string
  readonly summary: string
  readonly description?: string
  /** `open`: no token is needed. `token`: any valid token, whatever the role allows. */
  readonly access?: 'open' | 'token'
  /** The parameters that `strictObject` takes. */
  readonly query?: { readonly onlyEntries: v.ObjectEntries }
  /** Required headers, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: v.GenericSchema
  /** The conditions that its callers may set, as headers. */
  readonly conditions?: readonly Condition[]
  /** By status; errors are added. */
  readonly responses: Readonly<Record<number, Response>>
}

/** `If-None-Match` of a call that reads, or of one that creates. */
export type Condition = 'If-Match' | 'If-None-Match' | 'If-None-Match: *'

/** A successful response. */
export interface Response {
  readonly description: string
  /** Absent if there is no body. */
  readonly schema?: v.GenericSchema
  /** `application/json` if absent. */
  readonly mediaType?: string
  /** Names of its headers. */
  readonly headers?: readonly ('ETag' | 'Link' | 'Location')[]
}

/** Operations by method and path, as routes have them: `GET /manage/roles/:name`. */
type Operations = Readonly<Record<string, Operation>>

/** What one part of the API adds to the document. */
export interface OperationGroup {
  /** The tag of its operations. */
  readonly tag: string
  readonly operations: Operations
  /** Schemas that have a name in the document. */
  readonly schemas: Readonly<Record<string, v.GenericSchema>>
}

/** 200 with a body. */
export function ok(schema: v.GenericSchema, description: string): Operation['responses'] {
  return { 200: { description, schema } }
}

/** 200 with a page of a list. */
export function page(item: v.GenericSchema, description: string): Operation['responses'] {
  return { 200: { description, schema: v.array(item), headers: ['Link'] } }
}

/** 201 with the new record. */
export function created(schema: v.GenericSchema, description: string): Operation['responses'] {
  return { 201: { description, schema, headers: ['Location'] } }
}

/** 200 with a record and its tag. */
export function tagged(schema: v.GenericSchema, description: string): Operation['responses'] {
  return { 200: { description, schema, headers: ['ETag'] } }
}

/** 201 with the new record and its tag. */
export function createdTagged(schema: v.GenericSchema, description: string): Operation['responses'] {
  return { 201: { description, schema, headers: ['ETag', 'Location'] } }
}

/** 204 without a body. */
export const done: Operation['responses'] = { 204: { description: 'It is done.' } }

/** A text with a description. */
export function text(description: string, ...examples: readonly string[]): v.GenericSchema<string> {
  return v.pipe(v.string(), v.metadata({ description, ...(examples.length === 0 ? {} : { examples }) }))
}

/** A point in time, as ISO 8601 with offset. */
export function time(description: string): v.GenericSchema<string> {
  return v.pipe(
    v.string(),
    v.metadata({ description, format: 'date-time', examples: ['2027-01-31T09:30:00+00:00'] }),
  )
}

/** A schema with a description. */
export function described<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description))
}

/** A whole number that is not negative. */
export function count(description: string): v.GenericSchema<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description))
}
