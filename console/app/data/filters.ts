/** The composite filter of lists, as text and as what can be built of it with the mouse. */
import { parseWithTexts } from './exact-json.ts'

/** The operators, in the order in which they are offered. */
export const operators = [
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'starts',
  'ends',
  'contains',
  'iequals',
  'istarts',
  'iends',
  'icontains',
  'in',
  'not in',
  'between',
] as const

export type Operator = (typeof operators)[number]

/** The operators that take upper and lower case letters for the same. */
export const caselessOperators: readonly Operator[] = ['iequals', 'istarts', 'iends', 'icontains']

/** One condition, as the gateway takes it. */
export interface Condition {
  readonly key: string
  readonly op: Operator
  readonly val: unknown
}

/** How many of the rows at the other end of a relation must match. */
export const quantifiers = ['some', 'every', 'none'] as const

/** A condition on the rows at the other end of a relation, which the key names. */
export interface RelatedCondition {
  readonly key: string
  readonly op: (typeof quantifiers)[number]
  /** What a row must meet to count; every row does without conditions. */
  readonly val: Filters
}

/** A condition of either kind. */
export type AnyCondition = Condition | RelatedCondition

/** Conditions of which all must hold; of a list inside it, any. */
export type Filters = readonly (AnyCondition | readonly AnyCondition[])[]

/** What a text says. */
export type FilterReading =
  | { readonly kind: 'filters'; readonly filters: Filters }
  /** A valid document that is more than the builder can show; the gateway checks it. */
  | { readonly kind: 'other'; readonly document: unknown }
  | { readonly kind: 'mistake'; readonly message: string }

/** Reads a text; an empty one has no conditions. */
export function readFilters(text: string): FilterReading {
  if (text.trim() === '') return { kind: 'filters', filters: [] }
  let document: unknown
  try {
    document = parseWithTexts(text)
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) }
  }
  return isFilters(document) ? { kind: 'filters', filters: document } : { kind: 'other', document }
}

/** The text of some conditions, one in a line; '' for none. */
export function textOfFilters(filters: Filters): string {
  return filters.length === 0 ? '' : textOfList(filters, '')
}

/** A text as people read it: one condition in a line. */
export function prettyFilters(text: string): string {
  const reading = readFilters(text)
  if (reading.kind === 'mistake') return text
  return reading.kind === 'filters'
    ? textOfFilters(reading.filters)
    : JSON.stringify(reading.document, undefined, 2)
}

/** A text without blanks between its parts, as addresses have it. */
export function compactFilters(text: string): string {
  const reading = readFilters(text)
  if (reading.kind === 'mistake') return text.trim()
  if (reading.kind === 'other') return JSON.stringify(reading.document)
  return reading.filters.length === 0 ? '' : JSON.stringify(reading.filters)
}

/** The document that the gateway gets for a text, with further conditions; undefined for none. */
export function documentOfFilters(text: string, more: Filters = []): unknown {
  const reading = readFilters(text)
  if (reading.kind === 'mistake') return text
  const own = reading.kind === 'filters' ? reading.filters : reading.document
  const all = [...(Array.isArray(own) ? own : [own]), ...more]
  return all.length === 0 ? undefined : all
}

/** How many conditions a text has; undefined if it is more than the builder can show. */
export function countConditions(text: string): number | undefined {
  const reading = readFilters(text)
  return reading.kind === 'filters' ? reading.filters.flat().length : undefined
}

/** Whether a part of a filter is a group, of which any condition must hold. */
export function isGroup(part: Filters[number]): part is readonly AnyCondition[] {
  return Array.isArray(part)
}

/** Whether a condition is on the rows at the other end of a relation. */
export function isRelated(condition: AnyCondition): condition is RelatedCondition {
  return quantifiers.some((known) => known === condition.op)
}

/** Whether each condition names a field: one whose reference was chosen, but no field of it yet, does not. */
export function isComplete(filters: Filters): boolean {
  return filters.every((part) => {
    if (isGroup(part)) return isComplete(part)
    if (part.key === '' || part.key.endsWith('.')) return false
    return !isRelated(part) || isComplete(part.val)
  })
}

function textOfList(list: Filters, indent: string): string {
  const inner = `${indent}  `
  const lines = list.map(
    (part) => inner + (isGroup(part) ? textOfList(part, inner) : textOfCondition(part, inner)),
  )
  return `[\n${lines.join(',\n')}\n${indent}]`
}

function textOfCondition(condition: AnyCondition, indent: string): string {
  const { key, op, val } = condition
  const isList = isRelated(condition) && condition.val.length > 0
  const value = isList ? textOfList(condition.val, indent) : JSON.stringify(val)
  return `{ "key": ${JSON.stringify(key)}, "op": ${JSON.stringify(op)}, "val": ${value} }`
}

function isFilters(document: unknown): document is Filters {
  return (
    Array.isArray(document) &&
    document.every((part: unknown) =>
      Array.isArray(part) ? part.length > 0 && part.every(isCondition) : isCondition(part),
    )
  )
}

function isCondition(part: unknown): part is AnyCondition {
  if (typeof part !== 'object' || part === null || Object.keys(part).length !== 3) return false
  const { key, op, val } = part as Partial<Record<string, unknown>>
  if (quantifiers.some((known) => known === op)) return typeof key === 'string' && isFilters(val)
  if (op === 'between' && !isPair(val)) return false
  return typeof key === 'string' && operators.some((known) => known === op) && val !== undefined
}

/** The ends of a range. */
function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((end) => typeof end !== 'object')
}
