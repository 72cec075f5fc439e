import * as v from 'valibot'
import {
  attributesShape,
  definitionShape,
  identifierShape,
  localFieldShape,
  refFieldShape,
} from './definition-shape.ts'

type Values = Readonly<Record<string, unknown>>

const field = { field_name: 'name', field_type: 'string' }
const ofDefinition: Values = v.parse(definitionShape, { name: 'Name' })
const ofAttributes: Values = v.parse(attributesShape, {})
const inAttributes: Readonly<Record<string, Values>> = {
  identifier: v.parse(identifierShape, field),
  local_fields: v.parse(localFieldShape, field),
  ref_fields: v.parse(refFieldShape, { ...field, ref_class: 'Name', ref_class_field: 'name' }),
}

/** What absent members of an object in a definition mean, by their keys. The object is found by its path. */
export function absentValues([part, member, ...rest]: readonly (string | number)[]): Values {
  if (part === undefined) return ofDefinition
  if (part !== 'attributes' || rest.length > 1) return {}
  return member === undefined ? ofAttributes : (inAttributes[member] ?? {})
}
