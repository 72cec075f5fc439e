/** Records of a published API, and the calls that write them. */
import type { Row } from '../rows.ts'
import { isJson } from '../show-value.ts'
import type { Field, Table } from '../tables.ts'

/** Values by the names that fields have in the published API. */
export type RecordValues = Readonly<Record<string, unknown>>

/** A record in one of its states. */
export interface StoredRecord {
  /** Its path in the published API. */
  readonly path: string
  readonly values: RecordValues
  /** Names the state; undefined if the roles do not allow to read the record there. */
  readonly etag: string | undefined
}

/** A field that a form may write. */
export type WritableField = Field & { readonly api_name: string }

/** What a table has of fields. */
type Fields = Pick<Table, 'fields' | 'unread_fields'>

/** The fields of a table that a form may write. */
export function writableFields({ fields, unread_fields }: Fields): readonly WritableField[] {
  return [...fields, ...unread_fields].filter(
    (field): field is WritableField => field.api_name !== undefined && field.read_only !== true,
  )
}

/** Those that a form for new records may write. */
export function newRecordFields(table: Fields): readonly WritableField[] {
  return writableFields(table).filter((field) => field.not_on_creation !== true)
}

/** What was read of a record in a list, for those who may change it, but not read it where it is published. */
export function storedOf(path: string, table: Pick<Table, 'fields'>, { values }: Row): StoredRecord {
  const named = table.fields.flatMap((field) => {
    const { api_name: name } = field
    const value = ofApi(values[field.name], field)
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return { path, values: Object.fromEntries(named), etag: undefined }
}

/** GraphQL shows booleans and JSON of entities as their columns have them. */
function ofApi(value: unknown, field: Field): unknown {
  if (value === null || value === undefined) return value
  if (field.entity_type === 'boolean' && typeof value === 'number') return value !== 0
  if (!isJson(field) || typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A call that writes a record. */
export interface WriteCall {
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: RecordValues
}

/** The call that creates a record; of several with the same key, one does. */
export function createCall({ path }: { readonly path: string }, body: RecordValues, key?: string): WriteCall {
  return { method: 'POST', path, headers: key === undefined ? {} : { 'Idempotency-Key': key }, body }
}

/** The header with which a call changes nothing but the state that is known. */
export function ifMatch(etag: string | undefined): Readonly<Record<string, string>> {
  return etag === undefined ? {} : { 'If-Match': etag }
}
