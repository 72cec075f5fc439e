import { type FieldType, refuse } from './field-type.ts'

/** A floating point number of 64 bits. */
export const floatType: FieldType = {
  column: 'float',
  mayBeKey: true,
  written: { type: 'number', format: 'double' },
  encode: (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? { value: value + 0 }
      : refuse('A number within 64-bit floating point', value),
  writeJson: (value) => JSON.stringify(typeof value === 'number' ? value : Number(value)),
}
