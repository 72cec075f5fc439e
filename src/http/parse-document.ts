/**
 * Reads a document that a person sent into the type its schema describes, or refuses it with every
 * mistake at once, each by JSON pointer and in a sentence that says what to do.
 */
import { z } from 'zod'
import { AppError, type Mistake } from '../errors/app-error.ts'
import { didYouMean } from '../util/did-you-mean.ts'

type Issue = z.core.$ZodIssue

/** The document as its schema reads it; throws DOCUMENT_INVALID, or PARAMETER_INVALID for the query of a request. */
export function parseDocument<Schema extends z.ZodType>(
  schema: Schema,
  document: unknown,
  code: 'DOCUMENT_INVALID' | 'PARAMETER_INVALID' = 'DOCUMENT_INVALID',
): z.output<Schema> {
  const reading = schema.safeParse(document, { reportInput: true })
  if (reading.success) return reading.data
  const mistakes = reading.error.issues.flatMap((issue) => mistakesOf(issue, schema, []))
  throw new AppError(code, { mistakes })
}

/** A JSON pointer: https://www.rfc-editor.org/rfc/rfc6901 */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function mistakesOf(issue: Issue, schema: z.ZodType, above: readonly PropertyKey[]): readonly Mistake[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path)
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...path, key]),
      detail: `The key "${key}" is not known here${didYouMean(key, known)}. ${keyList(known)}`,
    }))
  }
  if (issue.code === 'invalid_union') {
    const closest = closestBranch(issue)
    if (closest !== undefined) return closest.flatMap((inner) => mistakesOf(inner, schema, path))
  }
  return [{ pointer: jsonPointer(path), detail: sentenceOf(issue) }]
}

function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_union':
      return issue.input === undefined
        ? `${expectedOf(issue)} is required here.`
        : `${expectedOf(issue)} is expected here, and ${kindOf(issue.input)} was sent.`
    case 'too_small':
      return `This must ${measureOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}.`
    case 'too_big':
      return `This must ${measureOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}.`
    case 'invalid_value':
      return `This must be one of ${issue.values.map((value) => `"${String(value)}"`).join(', ')}${typeof issue.input === 'string' ? didYouMean(issue.input, issue.values.map(String)) : ''}.`
    case 'custom':
      return issue.message
    default:
      return 'This is not valid here.'
  }
}

const expectations: Readonly<Record<string, string>> = {
  string: 'A text',
  number: 'A number',
  int: 'A whole number',
  boolean: 'true or false',
  array: 'A list',
  object: 'A JSON object',
  record: 'A JSON object',
}

function expectedOf(issue: Issue): string {
  if (issue.code === 'invalid_union') {
    const options = issue.errors.flatMap(([first]) =>
      first?.code === 'invalid_type' ? [expectationOf(first.expected)] : [],
    )
    return options.join(' or ').replaceAll(' or A', ' or a')
  }
  return issue.code === 'invalid_type' ? expectationOf(issue.expected) : 'Something else'
}

const expectationOf = (expected: string) => expectations[expected] ?? 'Something else'

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a fraction'
  return typeof value === 'boolean' ? String(value) : 'a JSON object'
}

const measureOf = (origin: string) => (origin === 'array' || origin === 'string' ? 'have' : 'be')

function unitOf(origin: string): string {
  if (origin === 'array') return ' in it'
  return origin === 'string' ? ' characters' : ''
}

/** The branch of a union that the value took: the one that took the value's own kind and found fault inside it. */
function closestBranch(issue: Extract<Issue, { code: 'invalid_union' }>): readonly Issue[] | undefined {
  return issue.errors.find((branch) =>
    branch.every((inner) => inner.path.length > 0 || inner.code !== 'invalid_type'),
  )
}

function keyList(known: readonly string[]): string {
  return known.length === 0 ? 'Leave it out.' : `Known keys are ${known.join(', ')}.`
}

/** The keys of the object schema at a path; none where the path leads through something else. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = schema
  for (const part of path) {
    if (here instanceof z.ZodObject) here = here.shape[String(part)]
    else if (here instanceof z.ZodArray) here = here.element
    while (here instanceof z.ZodOptional || here instanceof z.ZodDefault) here = here.unwrap()
  }
  return here instanceof z.ZodObject ? Object.keys(here.shape) : []
}
