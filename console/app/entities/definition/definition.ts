/** Entity definitions as JSON: whatever the console does not know stays in them. */
import type { components } from '../../api/gateway-api.d.ts'

/** A definition as it was uploaded, or as it is being edited: any of it may be missing or wrong. */
export type Definition = Readonly<Record<string, unknown>>

/** Keys and indexes from a definition to a part of it. */
export type Path = readonly (string | number)[]

/** The lists of fields in `attributes`. */
export type FieldList = 'local_fields' | 'ref_fields'

type KnownDefinition = components['schemas']['EntityDefinition']
type Attributes = NonNullable<KnownDefinition['attributes']>

/** A type that a field may have, by the gateway's own description. */
type FieldType = NonNullable<Attributes['local_fields']>[number]['field_type']

/** A type that an identifier may have. */
type IdentifierType = NonNullable<Attributes['identifier']>['field_type']

// The compiler compares both with the description of the management API.
const namesOfTypes: Readonly<Record<FieldType, true>> = {
  string: true,
  text: true,
  integer: true,
  float: true,
  decimal: true,
  boolean: true,
  DateTime: true,
  Date: true,
  array: true,
  object: true,
}
const namesOfIdentifierTypes: Readonly<Record<IdentifierType, true>> = { string: true, integer: true }

/** All types of fields. */
export const fieldTypes: readonly string[] = Object.keys(namesOfTypes)

/** All types of identifiers. */
export const identifierTypes: readonly string[] = Object.keys(namesOfIdentifierTypes)

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The part at a path; undefined if there is none. */
export function valueAt(whole: unknown, path: Path): unknown {
  let value = whole
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[key]
  }
  return value
}

/** The text at a path; '' if there is none. */
export function textAt(whole: unknown, path: Path): string {
  const value = valueAt(whole, path)
  return typeof value === 'string' ? value : ''
}

/** The list at a path; empty if there is none. */
export function listAt(whole: unknown, path: Path): readonly unknown[] {
  const value = valueAt(whole, path)
  return Array.isArray(value) ? value : []
}

/** The path to a list of fields. */
export function pathOfList(list: FieldList): Path {
  return ['attributes', list]
}

/** A field as it stands in a definition, with where. */
export interface PlacedField {
  readonly kind: 'identifier' | 'local' | 'reference'
  readonly path: Path
  readonly name: string
  readonly type: string
  readonly value: unknown
}

/** All fields of a definition in its order: the identifier, local fields, references. */
export function fieldsOf(definition: unknown): readonly PlacedField[] {
  const placed = (kind: PlacedField['kind'], path: Path, value: unknown): PlacedField => ({
    kind,
    path,
    name: textAt(value, ['field_name']),
    type: textAt(value, ['field_type']),
    value,
  })
  const identifierPath = ['attributes', 'identifier']
  const identifier = valueAt(definition, identifierPath)
  return [
    ...(isObject(identifier) ? [placed('identifier', identifierPath, identifier)] : []),
    ...listAt(definition, pathOfList('local_fields')).map((value, index) =>
      placed('local', [...pathOfList('local_fields'), index], value),
    ),
    ...listAt(definition, pathOfList('ref_fields')).map((value, index) =>
      placed('reference', [...pathOfList('ref_fields'), index], value),
    ),
  ]
}

/** The definition of a new entity, with every member that people usually decide on. */
export function newDefinition(): Definition {
  return {
    category: '',
    name: '',
    persistence: true,
    api_generation: true,
    abstract: false,
    attributes: {
      identifier: { field_name: 'id', field_type: 'string', field_persistence: true, field_immutable: true },
      local_fields: [],
      ref_fields: [],
    },
    methods: { class_methods: [], instance_methods: [] },
  }
}
