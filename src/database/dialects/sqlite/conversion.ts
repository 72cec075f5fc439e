import type { Conversion, ConversionName } from '../../conversion.ts'
import { timestampFunction } from './timestamp.ts'

const isOutOfRange = (number: string) => `${number} not between -2147483648 and 2147483647`

/** How values of a column are converted to another type. */
export function conversion(name: ConversionName, column: string): Conversion {
  switch (name) {
    case 'textToString': {
      const cut = `substr(${column}, 1, 255)`
      return { expression: cut, isCut: `length(${column}) > 255`, cut }
    }
    case 'textToText':
      return { expression: column }
    case 'integerToFloat':
      return { expression: `cast(${column} as real)` }
    case 'integerToDecimal':
    case 'integerToText':
      return { expression: `cast(${column} as text)` }
    case 'integerToBoolean':
      return { expression: column, isUnfit: `${column} not in (0, 1)` }
    case 'booleanToInteger':
      return { expression: column }
    case 'textToInteger': {
      const number = `cast(${column} as integer)`
      return {
        expression: number,
        isUnfit: `(cast(${number} as text) <> ${column} or ${isOutOfRange(number)})`,
      }
    }
    case 'decimalToInteger': {
      const number = `cast(${column} as integer)`
      return {
        expression: number,
        isCut: `cast(${column} as real) <> ${number}`,
        cut: `cast(${number} as text)`,
        isUnfit: isOutOfRange(`cast(${column} as real)`),
      }
    }
    case 'floatToInteger': {
      const number = `cast(${column} as integer)`
      return {
        expression: number,
        isCut: `${column} <> ${number}`,
        cut: number,
        isUnfit: isOutOfRange(column),
      }
    }
    case 'dateToDateTime':
      return { expression: `(${column} || ' 00:00:00')` }
    case 'dateTimeToDate': {
      // In a table of a former version, another program may have stored it in another form.
      const day = `substr(${timestampFunction}(${column}), 1, 10)`
      const isCut = `substr(${timestampFunction}(${column}), 11) <> ' 00:00:00'`
      return { expression: day, isCut, cut: `(${day} || ' 00:00:00')` }
    }
  }
}
