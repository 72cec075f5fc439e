/** The shape of the parts of an uploaded definition. Each part is read by itself, so that a mistake in one hides none in another. */
import { z } from 'zod'
import { type FieldTypeName, fieldTypes } from './field-types/index.ts'
import { entityNameSchema, fieldNameSchema } from './names.ts'

/** The most fields of one kind that a definition may have; tables of no database can have many more columns. */
const fieldLimit = 1000
const enumLimit = 1000

const flag = (absent: boolean) => z.boolean().default(absent)
const anyList = z.array(z.unknown())
const fieldType = z.enum(Object.keys(fieldTypes) as [FieldTypeName, ...FieldTypeName[]])

/** The definition without the content of `attributes`. */
export const definitionShape = z.strictObject({
  category: z.string().max(255).default(''),
  name: entityNameSchema,
  persistence: flag(true),
  api_generation: flag(true),
  abstract: flag(false),
  attributes: z.unknown().optional(),
  methods: z
    .strictObject({ class_methods: anyList.default([]), instance_methods: anyList.default([]) })
    .optional(),
})

/** `attributes` without the content of its fields. */
export const attributesShape = z.strictObject({
  identifier: z.unknown().optional(),
  local_fields: anyList.max(fieldLimit).default([]),
  ref_fields: anyList.max(fieldLimit).default([]),
})

export const identifierShape = z.strictObject({
  field_name: fieldNameSchema,
  field_type: z.enum(['string', 'integer']),
  field_persistence: flag(true),
  field_immutable: flag(false),
})

export const localFieldShape = z.strictObject({
  field_name: fieldNameSchema,
  field_type: fieldType,
  field_persistence: flag(true),
  field_nullable: flag(true),
  field_immutable: flag(false),
  field_unique: flag(false),
  field_default: z.string().max(10_000).nullish(),
  field_enum: anyList.min(1).max(enumLimit).nullish(),
})

export const refFieldShape = z.strictObject({
  field_name: fieldNameSchema,
  field_type: fieldType,
  field_persistence: flag(true),
  field_nullable: flag(true),
  field_immutable: flag(false),
  field_unique: flag(false),
  field_default: z.string().max(10_000).nullish(),
  ref_class: z.string(),
  ref_class_field: z.string(),
})
