/** How values are shown. */
import type { Field } from './tables.ts'

/** A value as it is shown, by its kind. `text` is one line, `full` everything. */
export type ShownValue =
  | { readonly kind: 'null' | 'empty' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'time'; readonly text: string; readonly date: Date | undefined }
  | { readonly kind: 'bytes'; readonly size: number; readonly full: string }
  | {
      readonly kind: 'text' | 'number' | 'json'
      readonly text: string
      /** Absent if `text` is everything. */
      readonly full?: string
    }

/** How much of a text is in a row; the rest is shown on demand. */
const rowLength = 160

/** How a value of a field is shown. */
export function showValue(value: unknown, field: Pick<Field, 'kind' | 'entity_type'>): ShownValue {
  if (value === null || value === undefined) return { kind: 'null' }
  const { kind, entity_type: type } = field
  if (type === 'boolean' || kind === 'boolean') {
    if (typeof value === 'boolean' || value === 0 || value === 1)
      return { kind: 'boolean', value: Boolean(value) }
  }
  if (isJson(field)) return showJson(value)
  if (isNumber(field)) return { kind: 'number', text: String(value) }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (text === '') return { kind: 'empty' }
  if (kind === 'binary') return { kind: 'bytes', size: sizeOfBase64(text), full: text }
  if (kind === 'dateTime') return showTime(text)
  return showText(text)
}

/** Whether values of a field are numbers, which are aligned at their ends. */
export function isNumber({ kind, entity_type: type }: Pick<Field, 'kind' | 'entity_type'>): boolean {
  return type !== 'boolean' && ['integer', 'bigint', 'float', 'decimal'].includes(kind)
}

/** Whether values of a field are JSON, by its column or by its definition. */
export function isJson({ kind, entity_type: type }: Pick<Field, 'kind' | 'entity_type'>): boolean {
  return kind === 'json' || type === 'array' || type === 'object'
}

/** How many bytes a base64 text has. */
function sizeOfBase64(text: string): number {
  return Math.floor((text.replace(/=+$/, '').length * 3) / 4)
}

/** A time that has no offset, since it is in UTC. */
function showTime(text: string): ShownValue {
  const date = new Date(`${text}Z`)
  return {
    kind: 'time',
    text: text.replace('T', ' '),
    date: Number.isNaN(date.getTime()) ? undefined : date,
  }
}

function showJson(value: unknown): ShownValue {
  const document = typeof value === 'string' ? parsed(value) : value
  if (document === undefined) return showText(String(value))
  const text = JSON.stringify(document)
  const full = JSON.stringify(document, undefined, 2)
  return { kind: 'json', text: clipped(text), ...(full === text ? {} : { full }) }
}

function showText(full: string): ShownValue {
  const text = clipped(full).replaceAll(/\s*\n\s*/g, ' ⏎ ')
  return { kind: 'text', text, ...(text === full ? {} : { full }) }
}

/** Characters outside the basic plane stay whole. */
function clipped(text: string): string {
  return text.length <= rowLength ? text : `${text.slice(0, rowLength).replace(/[\ud800-\udbff]$/, '')}…`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
