/**
 * Names of roles, accounts and API routes: text of 1 to 200 characters, in Unicode's composed form (NFC)
 * and compared exactly. A name is a segment of a path under `/manage`, so characters that a path cannot hold are refused.
 */
import * as v from 'valibot'
import { refuse } from '../documents/document-schema.ts'
import { parseDocument } from '../documents/parse-document.ts'
import { AppError } from '../errors/app-error.ts'

const lengthLimit = 200

/** Composing shortens a text by a small factor at most, and takes long for a much longer one. */
const uncomposedLimit = 16 * lengthLimit

/** Reads a name out of a document. */
export const nameSchema = v.pipe(
  v.string(),
  v.metadata({ minLength: 1, maxLength: lengthLimit }),
  refuse(muchTooLong),
  v.transform(normalizeName),
  refuse(mistakeIn),
)

function muchTooLong({ length }: string): string | undefined {
  return length > uncomposedLimit ? lengthMistake(length) : undefined
}

function lengthMistake(length: number): string {
  return `A name has 1 to ${lengthLimit} characters, and this one has ${length}.`
}

/** Whether a text, in the stored form, can be a name. */
export function isName(name: string): boolean {
  return mistakeIn(name) === undefined
}

/** The form in which a name is stored and searched. */
export function normalizeName(text: string): string {
  return text.normalize('NFC')
}

/**
 * The name of the record that `PUT` writes: it is in the path, and the document may repeat it.
 * Throws DOCUMENT_INVALID if the two differ or the name is invalid.
 */
export function nameToPut(pathName: string, documentName: string | undefined): string {
  const name = parseDocument(nameSchema, pathName)
  if (documentName !== undefined && documentName !== name) {
    const detail = `The path names "${name}" and the document "${documentName}". Send the name of the path, or leave it out; a record cannot be renamed.`
    throw new AppError('DOCUMENT_INVALID', { mistakes: [{ pointer: '/name', detail }] })
  }
  return name
}

function mistakeIn(name: string): string | undefined {
  const length = [...name].length
  if (length === 0 || length > lengthLimit) return lengthMistake(length)
  if (!name.isWellFormed() || /\p{Cc}/u.test(name)) {
    return 'A name must not contain control characters or lone surrogates.'
  }
  if (/[/\\]/.test(name)) return 'A name must not hold a slash or backslash: it is part of a path.'
  return /^\.{1,2}(;|$)/.test(name) ? 'A name must not be a dot segment: it is part of a path.' : undefined
}
