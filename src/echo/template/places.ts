/**
 * Follows the fixed text of a template to tell where its values stand. In JSON and CSV it makes a difference
 * whether a value stands between quotes, in HTML, SVG and XML what it would be read as, in Markdown whether it is an address;
 * in plain text all places are alike.
 */
import type { TextFormat } from '../formats.ts'
import { eitherRead, type PlaceOrMistake, placeInMarkup } from './markup-place.ts'
import {
  afterMarkup,
  afterValueInMarkup,
  eitherMarkup,
  type MarkupPosition,
  type MarkupRules,
  markupRules,
  startOfMarkup,
} from './markup-position.ts'

/** What was read last, as far as it matters. */
export interface Position {
  readonly quoted: boolean
  /** Whether fixed text stands before, between these quotes or in this cell; in Markdown, whether an address begins. */
  readonly hasText: boolean
  /** Whether a value stands before in this cell, without quotes. */
  readonly hasValue: boolean
  readonly markup: MarkupPosition
  /** What is wrong with what was read. */
  readonly mistake?: string
}

export const startPosition: Position = {
  quoted: false,
  hasText: false,
  hasValue: false,
  markup: startOfMarkup,
}

/** How the text of a template is read. */
export interface TextRules {
  readonly format: TextFormat
  /** Present where it is markup. */
  readonly markup?: MarkupRules
}

/** The rules of a format; `text` is that of the template, or undefined where it may be a part of any. */
export function textRules(format: TextFormat, text?: string): TextRules {
  return format === 'html' || format === 'svg' || format === 'xml'
    ? { format, markup: markupRules(format, text) }
    : { format }
}

/** Where a reader stands after some fixed text. */
export function positionAfter({ format, markup }: TextRules, text: string, position: Position): Position {
  if (markup !== undefined) return inMarkup(position, afterMarkup(text, position.markup, markup))
  if (format === 'json') return afterJson(text, position)
  if (format === 'md') return { ...position, hasText: /\]\(\s*<?$|\]:\s*<?$/.test(text) }
  return format === 'csv' ? afterCsv(text, position) : position
}

/** Where a value stands; `isJson` says that it is a call of the helper `json`. */
export function placeOf({ format, markup }: TextRules, position: Position, isJson: boolean): PlaceOrMistake {
  if (markup !== undefined) return placeInMarkup(position.markup, markup, isJson)
  const { quoted, hasText } = position
  if (format === 'md' && hasText) return { place: 'address' }
  if (format !== 'json' && format !== 'csv') return { place: 'text' }
  if (!quoted) return { place: 'whole' }
  return { place: hasText ? 'quoted' : 'quotedStart' }
}

/** Where a reader stands after a value. */
export function positionAfterValue({ format, markup }: TextRules, position: Position): Position {
  if (markup !== undefined) return inMarkup(position, afterValueInMarkup(position.markup))
  if (format === 'md') return { ...position, hasText: false }
  if (format !== 'csv' || position.quoted) return position
  const { hasText, hasValue } = position
  return { ...position, hasValue: true, ...(hasText || hasValue ? mixedCell : {}) }
}

/** Where a reader stands who may come from either. */
export function eitherPosition({ format, markup }: TextRules, one: Position, other: Position): Position {
  if (markup !== undefined) {
    const join = (a: MarkupPosition, b: MarkupPosition) => eitherRead(a, b, markup)
    return inMarkup(one, eitherMarkup(one.markup, other.markup, join))
  }
  const mistake = one.mistake ?? other.mistake
  return {
    ...one,
    // An address is the more careful place, and text before a value the one where more may stand.
    hasText: format === 'md' ? one.hasText || other.hasText : one.hasText && other.hasText,
    hasValue: one.hasValue || other.hasValue,
    ...(mistake === undefined ? {} : { mistake }),
  }
}

/** Whether a reader stands where a text begins: among text, with nothing open. A part with values may stand only there. */
export function isAmongText({ quoted, markup }: Position): boolean {
  return !quoted && markup.state === 'text'
}

function inMarkup(position: Position, markup: MarkupPosition): Position {
  const { mistake } = markup
  const quoted = markup.state === 'attributeValue' && markup.quote !== ''
  return { ...position, quoted, markup, ...(mistake === undefined ? {} : { mistake }) }
}

const mixedCell = {
  mistake: 'a cell made of several parts has to stand between quotes: "{{first}} {{last}}"',
}

function afterJson(text: string, position: Position): Position {
  let { quoted } = position
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\' && quoted) index += 1
    else if (text[index] === '"') quoted = !quoted
  }
  return { ...position, quoted }
}

function afterCsv(text: string, position: Position): Position {
  let { quoted, hasText, hasValue } = position
  let isMixed = false
  for (const character of text) {
    if (!quoted && /[,;\t\r\n]/.test(character)) {
      hasText = false
      hasValue = false
    } else if (character === '"') {
      // A doubled quote closes and opens: text stands before it then.
      if (quoted) hasText = true
      else if (hasValue) isMixed = true
      quoted = !quoted
    } else if (!/[\s\ufeff]/.test(character)) {
      if (hasValue && !quoted) isMixed = true
      hasText = true
    }
  }
  return { ...position, quoted, hasText, hasValue, ...(isMixed ? mixedCell : {}) }
}
