/** All field types of entity definitions, by name. */
import { arrayType } from './array.ts'
import { booleanType } from './boolean.ts'
import { dateType } from './date.ts'
import { dateTimeType } from './date-time.ts'
import { decimalType } from './decimal.ts'
import type { FieldType } from './field-type.ts'
import { floatType } from './float.ts'
import { integerType } from './integer.ts'
import { objectType } from './object.ts'
import { stringType } from './string.ts'
import { textType } from './text.ts'

export const fieldTypes = {
  string: stringType,
  text: textType,
  integer: integerType,
  float: floatType,
  decimal: decimalType,
  boolean: booleanType,
  DateTime: dateTimeType,
  Date: dateType,
  array: arrayType,
  object: objectType,
} as const satisfies Record<string, FieldType>

export type FieldTypeName = keyof typeof fieldTypes
