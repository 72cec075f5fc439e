/**
 * Parses a document from a client into the type of its schema, or refuses it with all mistakes,
 * each with a JSON pointer and a sentence that says what to do.
 */
import * as v from 'valibot'
import { AppError, type Mistake, toldMistakes } from '../errors/app-error.ts'
import { shortName } from '../util/short-name.ts'
import { unknownKeyIn, unknownKeySentence } from './document-schema.ts'

type Issue = v.BaseIssue<unknown>

/**
 * The document as its schema parses it; throws DOCUMENT_INVALID, or PARAMETER_INVALID for the query
 * of a request.
 */
export function parseDocument<Schema extends v.GenericSchema>(
  schema: Schema,
  document: unknown,
  code: 'DOCUMENT_INVALID' | 'PARAMETER_INVALID' = 'DOCUMENT_INVALID',
): v.InferOutput<Schema> {
  const reading = v.safeParse(schema, document)
  if (reading.success) return reading.output
  const mistakes: Mistake[] = []
  for (const issue of reading.issues) {
    mistakes.push(...mistakesOf(issue))
    // No more are reported, and some take long to describe.
    if (mistakes.length > toldMistakes) break
  }
  throw new AppError(code, { mistakes })
}

/** A JSON pointer: https://www.rfc-editor.org/rfc/rfc6901; long names are truncated. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${shortName(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

function mistakesOf(issue: Issue, above: readonly string[] = []): readonly Mistake[] {
  const path = [...above, ...pathOf(issue)]
  const inside = issue.issues?.filter((inner) => !isOfWholeValue(inner)) ?? []
  if (inside.length > 0) return inside.flatMap((inner) => mistakesOf(inner, path))
  return [{ pointer: jsonPointer(path), detail: sentenceOf(issue) }]
}

const pathOf = (issue: Issue) => issue.path?.map(({ key }) => String(key)) ?? []

/** Whether a branch of a union only says that a value is of another kind. */
const isOfWholeValue = (issue: Issue) => issue.kind === 'schema' && issue.path === undefined

function sentenceOf(issue: Issue): string {
  const { type, input, requirement } = issue
  const unknownKey = unknownKeyIn(issue)
  if (unknownKey !== undefined) return unknownKeySentence(unknownKey)
  const expected = expectedOf(issue)
  if (expected !== '') {
    return input === undefined
      ? `${expected} is required here.`
      : `${expected} is expected here, and ${kindOf(input)} was sent.`
  }
  switch (type) {
    case 'min_length':
      return `This must have at least ${requirement}${unitOf(input)}.`
    case 'max_length':
      return `This must have at most ${requirement}${unitOf(input)}.`
    case 'min_value':
      return `This must be at least ${requirement}.`
    case 'max_value':
      return `This must be at most ${requirement}.`
    default:
      return issue.message
  }
}

const expectations: Readonly<Record<string, string>> = {
  string: 'A text',
  number: 'A number',
  integer: 'A whole number',
  boolean: 'true or false',
  array: 'A list',
  custom: 'A JSON object',
}

/** The kinds of value that are accepted; '' if the kind is right. */
function expectedOf({ type, issues }: Issue): string {
  return issues
    ? issues.map(expectedOf).join(' or ').replaceAll(' or A', ' or a')
    : (expectations[type] ?? '')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a fraction'
  return typeof value === 'boolean' ? String(value) : 'a JSON object'
}

const unitOf = (value: unknown) => (Array.isArray(value) ? ' in it' : ' characters')
