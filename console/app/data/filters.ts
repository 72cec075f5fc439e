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
  'in',
  'not in',
] as const

export type Operator = (typeof operators)[number]

/** One condition, as the gateway takes it. */
export interface Condition {
  readonly key: string
  readonly op: Operator
  readonly val: unknown
}

/** Conditions of which all must hold; of a list inside it, any. */
export type Filters = readonly (Condition | readonly Condition[])[]

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
  if (filters.length === 0) return ''
  const lines = filters.map((part) =>
    isGroup(part) ? `[\n    ${part.map(textOfCondition).join(',\n    ')}\n  ]` : textOfCondition(part),
  )
  return `[\n  ${lines.join(',\n  ')}\n]`
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
export function isGroup(part: Filters[number]): part is readonly Condition[] {
  return Array.isArray(part)
}

function textOfCondition({ key, op, val }: Condition): string {
  return `{ "key": ${JSON.stringify(key)}, "op": ${JSON.stringify(op)}, "val": ${JSON.stringify(val)} }`
}

function isFilters(document: unknown): document is Filters {
  return (
    Array.isArray(document) &&
    document.every((part) =>
      Array.isArray(part) ? part.length > 0 && part.every(isCondition) : isCondition(part),
    )
  )
}

function isCondition(part: unknown): part is Condition {
  if (typeof part !== 'object' || part === null || Object.keys(part).length !== 3) return false
  const { key, op, val } = part as Partial<Record<string, unknown>>
  return typeof key === 'string' && operators.some((known) => known === op) && val !== undefined
}
