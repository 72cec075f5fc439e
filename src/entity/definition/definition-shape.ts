/**
 * The schemas of the parts of an uploaded definition. Each part is parsed separately, so that a mistake in one hides none
 * in another.
 */
import * as v from 'valibot'
import { listOf, oneOf, refuse, strictObject } from '../../documents/document-schema.ts'
import { type FieldTypeName, fieldTypes } from './field-types/index.ts'
import { entityNameSchema, fieldNameSchema, resourceSchema } from './names.ts'

/** The most fields of one kind that a definition may have; no database allows many more columns. */
const fieldLimit = 1000
const enumLimit = 1000
const methodLimit = 10_000
/** No database has keys of more columns. */
const keyLimit = 32

const flag = (absent: boolean) => v.optional(v.boolean(), absent)
const fieldType = oneOf(Object.keys(fieldTypes) as FieldTypeName[])
const methodList = v.optional(listOf(v.unknown(), methodLimit), [])
const fieldList = v.optional(listOf(v.unknown(), fieldLimit), [])
const columnType = v.nullish(v.pipe(v.string(), v.maxLength(10_000)))
/** An expression in a text; a JSON value is refused with the text that means it. */
const fieldDefault = v.nullish(
  v.pipe(
    v.custom<string>(() => true),
    v.metadata({ type: 'string', description: 'An expression, such as "now()" or "[]".' }),
    refuse((sent) => (typeof sent === 'string' ? undefined : expressionFor(sent))),
    v.maxLength(10_000),
  ),
)

function expressionFor(value: unknown): string {
  const text = JSON.stringify(JSON.stringify(value))
  const example = text.length > 200 ? 'a text such as "[]"' : text
  return `An expression in a text is expected here: write ${example}, not the value itself.`
}

/** The definition without the content of `attributes`. */
export const definitionShape = strictObject({
  category: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
  name: entityNameSchema,
  renamed_from: v.nullish(v.string()),
  resource: v.nullish(resourceSchema),
  persistence: flag(true),
  api_generation: flag(true),
  abstract: flag(false),
  adopted: v.nullish(
    strictObject({
      key: v.pipe(listOf(v.string(), keyLimit), v.minLength(1)),
      left_out: v.optional(listOf(v.string(), fieldLimit), []),
      schema: v.optional(v.string()),
      table: v.optional(v.string()),
    }),
  ),
  attributes: v.optional(v.unknown()),
  methods: v.optional(strictObject({ class_methods: methodList, instance_methods: methodList })),
})

/** `attributes` without the content of its fields. */
export const attributesShape = strictObject({
  identifier: v.optional(v.unknown()),
  local_fields: fieldList,
  ref_fields: fieldList,
})

export const identifierShape = strictObject({
  field_name: fieldNameSchema,
  renamed_from: v.nullish(v.string()),
  field_type: oneOf(['string', 'integer']),
  field_persistence: flag(true),
  field_column: columnType,
  field_immutable: flag(false),
})

export const localFieldShape = strictObject({
  field_name: fieldNameSchema,
  renamed_from: v.nullish(v.string()),
  field_type: fieldType,
  field_persistence: flag(true),
  field_column: columnType,
  field_nullable: flag(true),
  field_immutable: flag(false),
  field_unique: flag(false),
  field_default: fieldDefault,
  field_enum: v.nullish(v.pipe(listOf(v.unknown(), enumLimit), v.minLength(1))),
})

export const refFieldShape = strictObject({
  field_name: fieldNameSchema,
  renamed_from: v.nullish(v.string()),
  field_type: fieldType,
  field_persistence: flag(true),
  field_column: columnType,
  field_nullable: flag(true),
  field_immutable: flag(false),
  field_unique: flag(false),
  field_default: fieldDefault,
  ref_class: v.string(),
  ref_class_field: v.string(),
})

/** The whole of a definition, as it is described to clients; what a definition may hold is checked part by part. */
export const wholeDefinitionShape = strictObject({
  ...definitionShape.onlyEntries,
  attributes: v.optional(
    strictObject({
      identifier: v.optional(identifierShape),
      local_fields: v.optional(listOf(localFieldShape, fieldLimit), []),
      ref_fields: v.optional(listOf(refFieldShape, fieldLimit), []),
    }),
  ),
})
