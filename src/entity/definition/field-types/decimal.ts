import { parseDecimal } from '../../../util/decimal-text.ts'
import { type FieldType, refuse } from './field-type.ts'

/** An exact decimal number, shown as text so that no JSON parser loses digits. */
export const decimalType: FieldType = {
  column: 'decimal',
  mayBeKey: true,
  written: {
    type: 'string',
    format: 'decimal',
    description: 'An exact decimal number.',
    examples: ['12.50'],
  },
  taken: {
    type: ['string', 'number'],
    format: 'decimal',
    description: 'An exact decimal number of at most 65 digits; a text where a JSON number would lose some.',
    examples: ['12.50'],
  },
  encode(value) {
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      return {
        refused:
          'The number is too large for JSON numbers to be exact. Send it as a text, such as "12345678901234567890".',
      }
    }
    const decimal =
      typeof value === 'string' || typeof value === 'number' ? parseDecimal(String(value)) : undefined
    return decimal === undefined
      ? refuse('A decimal number of at most 65 digits, as a text such as "12.50" or as a number,', value)
      : { value: decimal }
  },
  writeJson: (value) => JSON.stringify(String(value)),
}
