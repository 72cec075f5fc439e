import type { SpecType } from './table-spec.ts'

/** SQL texts that say how the values of one type become those of another. Nulls stay nulls, and meet no condition. */
export interface Conversion {
  /** The value in the new type. */
  readonly expression: string
  /** Whether a value can be cut to fit, losing a part of it. */
  readonly isCut?: string
  /** The value so cut, still in the old type. */
  readonly cut?: string
  /** Whether a value has no counterpart at all. */
  readonly isUnfit?: string
}

/** The pairs of types between which every product can convert; what is not here cannot be changed. */
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

/** The conversion between two different types; undefined where there is none. */
export function conversionName(from: SpecType, to: SpecType): ConversionName | undefined {
  return names[`${from} ${to}`]
}

/** The types that columns of a type can be changed to. */
export function convertibleTypes(from: SpecType): readonly SpecType[] {
  return Object.keys(names).flatMap((pair) => {
    const [source, target] = pair.split(' ')
    return source === from ? [target as SpecType] : []
  })
}
