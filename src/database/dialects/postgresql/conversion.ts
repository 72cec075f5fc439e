import type { Conversion, ConversionName } from '../../conversion.ts'

const wholeNumber = (text: string) => `${text} ~ '^(0|-?[1-9][0-9]{0,9})$'`
const isOutOfRange = (number: string) => `${number} not between -2147483648 and 2147483647`

/** How values of a column are converted to another type. */
export function conversion(name: ConversionName, column: string): Conversion {
  switch (name) {
    case 'textToString': {
      const cut = `left(${column}, 255)`
      return { expression: cut, isCut: `char_length(${column}) > 255`, cut }
    }
    case 'textToText':
      return { expression: column }
    case 'integerToFloat':
      return { expression: `${column}::double precision` }
    case 'integerToDecimal':
      return { expression: `${column}::numeric` }
    case 'integerToText':
      return { expression: `${column}::text` }
    case 'integerToBoolean':
      return { expression: `${column}::smallint`, isUnfit: `${column} not in (0, 1)` }
    case 'booleanToInteger':
      return { expression: `${column}::integer` }
    case 'textToInteger':
      return {
        expression: `${column}::integer`,
        isUnfit: `case when ${wholeNumber(column)} then ${isOutOfRange(`${column}::bigint`)} else ${column} is not null end`,
      }
    case 'decimalToInteger':
    case 'floatToInteger': {
      const cut = `trunc(${column})`
      const unfit = isOutOfRange(cut)
      return { expression: `${cut}::integer`, isCut: `${column} <> ${cut}`, cut, isUnfit: unfit }
    }
    case 'dateToDateTime':
      return { expression: `${column}::timestamp` }
    case 'dateTimeToDate':
      return {
        expression: `${column}::date`,
        isCut: `${column} <> date_trunc('day', ${column})`,
        cut: `date_trunc('day', ${column})`,
      }
  }
}
