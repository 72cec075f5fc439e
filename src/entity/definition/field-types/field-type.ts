import type { SpecType } from '../../../database/table-spec.ts'
import type { Encoding, ValueCodec } from '../../../record/record-rules.ts'

/** The values of a field type, and its column. */
export interface FieldType extends ValueCodec {
  readonly column: SpecType
  /** Whether every database supports its values in a unique key. */
  readonly mayBeKey: boolean
}

/** The encoding that says what was expected and what came. */
export function refuse(expected: string, came: unknown): Encoding {
  return { refused: `${expected} is expected here, and ${shown(came)} was sent.` }
}

function shown(value: unknown): string {
  if (value === null) return 'null'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
