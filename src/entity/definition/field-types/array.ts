import { type FieldType, refuse } from './field-type.ts'
import { encodeJsonText, writeJsonText } from './json-text.ts'

/** A JSON list of anything. */
export const arrayType: FieldType = {
  column: 'jsonText',
  mayBeKey: false,
  written: { type: 'array', items: {} },
  encode: (value) => (Array.isArray(value) ? encodeJsonText(value) : refuse('A list', value)),
  writeJson: writeJsonText,
}
