/**
 * Tracks the fixed text of a template to determine the contexts of its values. In JSON and CSV it matters whether a
 * value is inside quotes, in HTML, SVG and XML how it would be parsed, in Markdown whether it is an address; in plain
 * text all contexts are alike.
 */
import type { TextFormat } from '../formats.ts'
import { type ContextOrMistake, contextInMarkup, eitherRead } from './markup-context.ts'
import {
  afterMarkup,
  afterValueInMarkup,
  eitherMarkup,
  type MarkupPosition,
  type MarkupRules,
  markupRules,
  startOfMarkup,
} from './markup-position.ts'

/** The last state of the text, as far as it matters. */
export interface Position {
  readonly quoted: boolean
  /**
   * Whether there is fixed text before, inside these quotes or in this cell; in Markdown, whether an address starts.
   */
  readonly hasText: boolean
  /** Whether there is a value before in this cell, without quotes. */
  readonly hasValue: boolean
  readonly markup: MarkupPosition
  /** A mistake in the text. */
  readonly mistake?: string
}

export const startPosition: Position = {
  quoted: false,
  hasText: false,
  hasValue: false,
  markup: startOfMarkup,
}

/** How the text of a template is parsed. */
export interface TextRules {
  readonly format: TextFormat
  /** Present for markup. */
  readonly markup?: MarkupRules
}

/** The rules of a format; `text` is the template's, or undefined if it may be a part of any. */
export function textRules(format: TextFormat, text?: string): TextRules {
  return format === 'html' || format === 'svg' || format === 'xml'
    ? { format, markup: markupRules(format, text) }
    : { format }
}

/** The position after some fixed text. */
export function positionAfter({ format, markup }: TextRules, text: string, position: Position): Position {
  if (markup !== undefined) return inMarkup(position, afterMarkup(text, position.markup, markup))
  if (format === 'json') return afterJson(text, position)
  if (format === 'md') return { ...position, hasText: /\]\(\s*<?$|\]:\s*<?$/.test(text) }
  return format === 'csv' ? afterCsv(text, position) : position
}

/** The context of a value; `isJson` says that it is a call of the helper `json`. */
export function contextOf(
  { format, markup }: TextRules,
  position: Position,
  isJson: boolean,
): ContextOrMistake {
  if (markup !== undefined) return contextInMarkup(position.markup, markup, isJson)
  const { quoted, hasText } = position
  if (format === 'md' && hasText) return { context: 'address' }
  if (format !== 'json' && format !== 'csv') return { context: 'text' }
  if (!quoted) return { context: 'whole' }
  return { context: hasText ? 'quoted' : 'quotedStart' }
}

/** The position after a value. */
export function positionAfterValue({ format, markup }: TextRules, position: Position): Position {
  if (markup !== undefined) return inMarkup(position, afterValueInMarkup(position.markup))
  if (format === 'md') return { ...position, hasText: false }
  if (format !== 'csv' || position.quoted) return position
  const { hasText, hasValue } = position
  return { ...position, hasValue: true, ...(hasText || hasValue ? mixedCell : {}) }
}

/** The position after either of two. */
export function eitherPosition({ format, markup }: TextRules, one: Position, other: Position): Position {
  if (markup !== undefined) {
    const join = (a: MarkupPosition, b: MarkupPosition) => eitherRead(a, b, markup)
    return inMarkup(one, eitherMarkup(one.markup, other.markup, join))
  }
  const mistake = one.mistake ?? other.mistake
  return {
    ...one,
    // Takes the more restrictive: an address in Markdown, and otherwise text before a value only if both have it.
    hasText: format === 'md' ? one.hasText || other.hasText : one.hasText && other.hasText,
    hasValue: one.hasValue || other.hasValue,
    ...(mistake === undefined ? {} : { mistake }),
  }
}

/** Whether the position is in text, with nothing open. A partial with values is allowed only there. */
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
      // A doubled quote closes and reopens: then there is text before.
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
