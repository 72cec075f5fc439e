import * as v from 'valibot'
import { refuse } from '../../documents/document-schema.ts'
import { normalizeName } from '../name.ts'

/** In characters. */
const longestName = 100

/** What an owner calls a passkey. Unlike the name of a record it stands in no path, so it may be any text. */
export const passkeyNameSchema = v.pipe(
  v.string(),
  v.metadata({ minLength: 1, maxLength: longestName }),
  // Composing shortens a text by a small factor at most, and takes long for a much longer one.
  refuse(({ length }) => (length > 16 * longestName ? lengthMistake(length) : undefined)),
  v.transform(normalizeName),
  refuse(nameMistake),
)

function nameMistake(name: string): string | undefined {
  const { length } = [...name]
  if (length === 0 || length > longestName) return lengthMistake(length)
  return !name.isWellFormed() || /\p{Cc}/u.test(name)
    ? 'A name must not contain control characters or lone surrogates.'
    : undefined
}

function lengthMistake(length: number): string {
  return `The name of a passkey has 1 to ${longestName} characters, and this one has ${length}.`
}
