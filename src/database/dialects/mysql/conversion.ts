import type { Conversion, ConversionName } from '../../conversion.ts'

const isOutOfRange = (number: string) => `${number} not between -2147483648 and 2147483647`

/**
 * How values of a column are converted to another type. The server converts values that fit; what it would round is
 * truncated before.
 */
export function mysqlConversion(name: ConversionName, column: string): Conversion {
  const plain = { expression: column }
  switch (name) {
    case 'textToString':
      return { ...plain, isCut: `char_length(${column}) > 255`, cut: `left(${column}, 255)` }
    case 'integerToBoolean':
      return { ...plain, isUnfit: `${column} not in (0, 1)` }
    case 'textToInteger':
      return {
        ...plain,
        isUnfit: `case when ${column} regexp '^(0|-?[1-9][0-9]{0,9})$' then ${isOutOfRange(`cast(${column} as signed)`)} else ${column} is not null end`,
      }
    case 'decimalToInteger':
    case 'floatToInteger': {
      const cut = `truncate(${column}, 0)`
      return { ...plain, isCut: `${column} <> ${cut}`, cut, isUnfit: isOutOfRange(cut) }
    }
    case 'dateTimeToDate':
      return { ...plain, isCut: `${column} <> date(${column})`, cut: `date(${column})` }
    default:
      return plain
  }
}
