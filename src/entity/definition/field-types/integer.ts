import { type FieldType, refuse } from './field-type.ts'

const limit = 2 ** 31

/** A whole number of 32 bits. */
export const integerType: FieldType = {
  column: 'integer',
  mayBeKey: true,
  written: { type: 'integer', format: 'int32', minimum: -limit, maximum: limit - 1 },
  encode(value) {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= -limit && value < limit
    // Adding 0 turns -0 into 0, since not every database distinguishes them.
    return fits ? { value: value + 0 } : refuse('A whole number from -2147483648 to 2147483647', value)
  },
  writeJson: (value) => String(value),
}
