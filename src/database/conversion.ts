import type { SpecType } from './table-spec.ts'

/** SQL expressions that convert values of one type to another. Nulls stay nulls, and match no condition. */
export interface Conversion {
  /** The value in the new type. */
  readonly expression: string
  /** Whether a value has to be truncated to fit, losing a part of it. */
  readonly isCut?: string
  /** The truncated value, still in the old type. */
  readonly cut?: string
  /** Whether a value cannot be converted at all. */
  readonly isUnfit?: string
}

/** The pairs of types between which every product can convert; others are not supported. */
export type ConversionName =
  | 'textToString'
  | 'textToText'
  | 'integerToFloat'
  | 'integerToDecimal'
  | 'integerToText'
  | 'integerToBoolean'
  | 'booleanToInteger'
  | 'textToInteger'
  | 'decimalToInteger'
  | 'floatToInteger'
  | 'dateToDateTime'
  | 'dateTimeToDate'

const names: Readonly<Partial<Record<`${SpecType} ${SpecType}`, ConversionName>>> = {
  'text string': 'textToString',
  'jsonText string': 'textToString',
  'string text': 'textToText',
  'jsonText text': 'textToText',
  'integer float': 'integerToFloat',
  'integer decimal': 'integerToDecimal',
  'integer string': 'integerToText',
  'integer text': 'integerToText',
  'integer smallInteger': 'integerToBoolean',
  'smallInteger integer': 'booleanToInteger',
  'string integer': 'textToInteger',
  'text integer': 'textToInteger',
  'decimal integer': 'decimalToInteger',
  'float integer': 'floatToInteger',
  'date dateTime': 'dateToDateTime',
  'dateTime date': 'dateTimeToDate',
}

/** The conversion between two different types; undefined if there is none. */
export function conversionName(from: SpecType, to: SpecType): ConversionName | undefined {
  return names[`${from} ${to}`]
}

/** The types to which columns of a type can be changed. */
export function convertibleTypes(from: SpecType): readonly SpecType[] {
  return Object.keys(names).flatMap((pair) => {
    const [source, target] = pair.split(' ')
    return source === from ? [target as SpecType] : []
  })
}
