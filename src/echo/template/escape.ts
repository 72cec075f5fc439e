/** Escapes values for the format into which they are put, so that a value can never be read as markup or code. */
import type { TextFormat } from '../formats.ts'
import { safeAddress, safeAddresses, safeImageUrl, safeStyle } from './safe-values.ts'

/** The context of a value in a file of its format; determined when the template is compiled. */
export type EscapeContext =
  /** In text content. */
  | 'text'
  /**
   * In an attribute of HTML, SVG or XML: any, or one with an address, several addresses, an image address, or a style.
   */
  | 'attribute'
  | 'address'
  | 'addresses'
  | 'picture'
  | 'style'
  /** Inside the quotes of a JSON string or a CSV cell; `start`: with only values before it. */
  | 'quoted'
  | 'quotedStart'
  /** A whole JSON value, or a whole CSV cell. */
  | 'whole'

/** A text that is already escaped for its format. */
export class EscapedText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Escape = (value: unknown, context: EscapeContext) => string

const escapes: { readonly [Format in TextFormat]: Escape } = {
  html: (value, context) =>
    harmless(value, context).replace(/[&<>"'`=\0]/g, (found) => htmlEntities[found] ?? ''),
  svg: (value, context) => escapeXml(harmless(value, context)),
  xml: (value, context) => escapeXml(harmless(value, context)),
  json: (value, context) => {
    if (context === 'whole') return jsonText(value)
    return jsonText(textOf(value)).slice(1, -1)
  },
  csv: (value, context) => {
    if (context === 'whole') return csvCell(value)
    const text = context === 'quotedStart' ? withoutFormula(value) : textOf(value)
    return text.replaceAll('\0', '').replaceAll('"', '""')
  },
  md: (value, context) =>
    harmless(value, context)
      .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
      .replace(controls, '')
      .replace(/[\\`*_{}[\]()#+\-.!|~^$=:@]/g, '\\$&')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;'),
  txt: (value) => textOf(value).replace(controls, ''),
}

/** Escapes a value for its context. */
export function escapeFor(format: TextFormat, value: unknown, context: EscapeContext): string {
  const isEscaped = value instanceof EscapedText && !attributeContexts.has(context)
  return isEscaped ? value.toString() : escapes[format](value, context)
}

const attributeContexts: ReadonlySet<EscapeContext> = new Set([
  'attribute',
  'address',
  'addresses',
  'picture',
  'style',
])

/** A value as text that has no effect in its context. */
function harmless(value: unknown, context: EscapeContext): string {
  const text = value instanceof EscapedText ? value.toString() : textOf(value)
  switch (context) {
    case 'address':
      return safeAddress(text)
    case 'addresses':
      return safeAddresses(text)
    case 'picture':
      return safeImageUrl(text)
    case 'style':
      return safeStyle(text)
    default:
      return text
  }
}

/** A value as text: empty for null and absent values, JSON for lists and objects. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object' && !(value instanceof EscapedText)) return JSON.stringify(value)
  return String(value)
}

/**
 * A value as JSON that is also safe in HTML and XML text, in a script and inside single quotes: special characters are
 * written as JSON escapes.
 */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value instanceof EscapedText ? value.toString() : (value ?? null), null, indent)
  return text.replace(
    /[<>&'\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * One cell of a CSV file (RFC 4180). A text that a spreadsheet would read as a formula gets a single quote before it:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvCell(value: unknown): string {
  const text = withoutFormula(value).replaceAll('\0', '')
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function withoutFormula(value: unknown): string {
  const text = textOf(value)
  if (typeof value !== 'string' || /^-?\d+(\.\d+)?$/.test(text)) return text
  return /^\s*[=+\-@＝＋－＠|%]|^[\t\r\n]/.test(text) ? `'${text}` : text
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '=': '&#61;',
}

const controls = /(?![\t\n\r])\p{Cc}/gu

// Characters that are invalid in XML: https://www.w3.org/TR/xml/#charsets
const notInXml = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/gu

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(notInXml, '\ufffd')
    .replace(/[&<>"']/g, (found) => htmlEntities[found] ?? '')
    .replaceAll('\r', '&#13;')
}
