import { type FieldType, refuse } from './field-type.ts'
import { encodeJsonText, writeJsonText } from './json-text.ts'

/** A JSON object of anything. */
export const objectType: FieldType = {
  column: 'jsonText',
  mayBeKey: false,
  written: { type: 'object' },
  encode: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? encodeJsonText(value)
      : refuse('A JSON object', value),
  writeJson: writeJsonText,
}
