import { showText } from '../../../query/codec/text-codecs.ts'
import { type FieldType, refuse } from './field-type.ts'

/** True or false; the column holds 1 or 0, so that its GraphQL type is the same on every database. */
export const booleanType: FieldType = {
  column: 'smallInteger',
  mayBeKey: true,
  written: { type: 'boolean' },
  encode: (value) => (typeof value === 'boolean' ? { value: value ? 1 : 0 } : refuse('true or false', value)),
  writeJson: (value) =>
    Number.isNaN(Number(value)) ? showText(value) : Number(value) === 0 ? 'false' : 'true',
  readParameter(text) {
    if (text === 'true' || text === '1') return 1
    return text === 'false' || text === '0' ? 0 : text
  },
}
