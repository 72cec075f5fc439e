/** Escapes values for the format they are put into, so that a value is never anything but a value. */
import type { TextFormat } from '../formats.ts'
import { safeAddress, safeAddresses, safeImageUrl, safeStyle } from './safe-values.ts'

/** Where in a file of its format a value stands; found when the template is read. */
export type Place =
  /** Among text. */
  | 'text'
  /** In an attribute of HTML, SVG or XML: any, or one with an address, several, one of a picture, or a style. */
  | 'attribute'
  | 'address'
  | 'addresses'
  | 'picture'
  | 'style'
  /** Between the quotes of a JSON text or a CSV cell; `start`: nothing but values stands before it there. */
  | 'quoted'
  | 'quotedStart'
  /** A whole JSON value, or a whole CSV cell. */
  | 'whole'

/** A text that was made for its format already: it is not escaped again. */
export class EscapedText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Escape = (value: unknown, place: Place) => string

const escapes: { readonly [Format in TextFormat]: Escape } = {
  html: (value, place) =>
    harmless(value, place).replace(/[&<>"'`=\0]/g, (found) => htmlEntities[found] ?? ''),
  svg: (value, place) => escapeXml(harmless(value, place)),
  xml: (value, place) => escapeXml(harmless(value, place)),
  json: (value, place) => {
    if (place === 'whole') return jsonText(value)
    return jsonText(textOf(value)).slice(1, -1)
  },
  csv: (value, place) => {
    if (place === 'whole') return csvCell(value)
    const text = place === 'quotedStart' ? withoutFormula(value) : textOf(value)
    return text.replaceAll('\0', '').replaceAll('"', '""')
  },
  md: (value, place) =>
    harmless(value, place)
      .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
      .replace(controls, '')
      .replace(/[\\`*_{}[\]()#+\-.!|~^$=:@]/g, '\\$&')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;'),
  txt: (value) => textOf(value).replace(controls, ''),
}

/** A value as it is written at a place of a file. */
export function escapeFor(format: TextFormat, value: unknown, place: Place): string {
  const isEscaped = value instanceof EscapedText && !attributePlaces.has(place)
  return isEscaped ? value.toString() : escapes[format](value, place)
}

const attributePlaces: ReadonlySet<Place> = new Set(['attribute', 'address', 'addresses', 'picture', 'style'])

/** A value as text that does nothing where it stands but to be a value. */
function harmless(value: unknown, place: Place): string {
  const text = value instanceof EscapedText ? value.toString() : textOf(value)
  switch (place) {
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

/** What a value is as text: nothing for null and what is not there, JSON for lists and objects. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'object' && !(value instanceof EscapedText)) return JSON.stringify(value)
  return String(value)
}

/**
 * A value as JSON that may also stand in HTML and XML text, in a script and between single quotes: what
 * means something there is written as an escape of JSON's own.
 */
export function jsonText(value: unknown, indent = 0): string {
  const text = JSON.stringify(value instanceof EscapedText ? value.toString() : (value ?? null), null, indent)
  return text.replace(
    /[<>&'\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * One cell of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula is preceded by a single
 * quote: https://owasp.org/www-community/attacks/CSV_Injection
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

// What no XML document may hold: https://www.w3.org/TR/xml/#charsets
const notInXml = /(?![\t\n\r\x7f-\x9f])\p{Cc}|[\ufffe\uffff]/gu

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(notInXml, '\ufffd')
    .replace(/[&<>"']/g, (found) => htmlEntities[found] ?? '')
    .replaceAll('\r', '&#13;')
}
