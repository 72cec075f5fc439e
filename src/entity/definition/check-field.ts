/** Checks one field of a definition: its enum and its default fit its type and each other. */
import type { SqlValue } from '../../database/sql-value.ts'
import type { Mistake } from '../../errors/app-error.ts'
import type { ValueCodec } from '../../record/record-rules.ts'
import { evaluateDefault } from './default-expression.ts'
import type { EntityField } from './entity-definition.ts'
import { fieldTypes } from './field-types/index.ts'

/** Sample values for defaults that are computed later. */
const sample = { now: new Date(0), uuid: () => '00000000-0000-4000-8000-000000000000' }

/** The mistakes of a field, by JSON pointer into its definition. */
export function checkField(field: EntityField): readonly Mistake[] {
  return [...checkUnique(field), ...checkEnum(field), ...checkDefault(field)]
}

function checkUnique({ unique, type, pointer, column }: EntityField): readonly Mistake[] {
  if (!unique || fieldTypes[type].mayBeKey || column !== undefined) return []
  const keyTypes = Object.entries(fieldTypes).flatMap(([name, { mayBeKey }]) => (mayBeKey ? [name] : []))
  const detail = `A field of type ${type} cannot be unique: not every database can keep it in a key. Types that can are ${keyTypes.join(', ')}.`
  return [{ pointer: `${pointer}/field_unique`, detail }]
}

function checkEnum({ enum: values, type, pointer }: EntityField): readonly Mistake[] {
  const seen = new Set<SqlValue>()
  return (values ?? []).flatMap((value, index) => {
    const mistake = (detail: string) => [{ pointer: `${pointer}/field_enum/${index}`, detail }]
    if (value === null) return mistake('Leave out null: field_nullable says whether it is allowed.')
    const encoding = fieldTypes[type].encode(value)
    if ('refused' in encoding) return mistake(encoding.refused)
    if (seen.has(encoding.value)) return mistake('This value is in the list already.')
    seen.add(encoding.value)
    return []
  })
}

function checkDefault(field: EntityField): readonly Mistake[] {
  if (field.default === undefined) return []
  const mistake = (detail: string) => [{ pointer: `${field.pointer}/field_default`, detail }]
  const value = evaluateDefault(field.default, field.type, sample)
  if (value === null) {
    return field.nullable ? [] : mistake('The field is not nullable, so null cannot be its default.')
  }
  const encoding = fieldTypes[field.type].encode(value)
  if ('refused' in encoding)
    return mistake(`The default does not fit type ${field.type}: ${encoding.refused}`)
  if (field.enum === undefined || encodedEnum(field.enum, fieldTypes[field.type]).has(encoding.value))
    return []
  return mistake(`The default is none of the values of field_enum: ${JSON.stringify(field.enum)}.`)
}

/** The column values of an enum, without those that do not fit the type. */
export function encodedEnum(
  values: readonly unknown[],
  { encode }: Pick<ValueCodec, 'encode'>,
): ReadonlySet<SqlValue> {
  const encoded = new Set<SqlValue>()
  for (const value of values) {
    const encoding = value === null ? { refused: '' } : encode(value)
    if ('value' in encoding) encoded.add(encoding.value)
  }
  return encoded
}
