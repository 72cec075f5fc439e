import { encodeBoundedText } from './bounded-text.ts'
import type { FieldType } from './field-type.ts'

/** A short text: as long as every database allows in a key. */
export const stringType: FieldType = {
  column: 'string',
  mayBeKey: true,
  written: { type: 'string', maxLength: 255 },
  encode: (value) => encodeBoundedText(value, 255),
  writeJson: (value) => JSON.stringify(String(value)),
}
