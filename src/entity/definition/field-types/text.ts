import { encodeBoundedText } from './bounded-text.ts'
import type { FieldType } from './field-type.ts'

/** A long text. */
export const textType: FieldType = {
  column: 'text',
  mayBeKey: false,
  written: { type: 'string', maxLength: 1_000_000 },
  encode: (value) => encodeBoundedText(value, 1_000_000),
  writeJson: (value) => JSON.stringify(String(value)),
}
