/**
 * Follows the fixed text of a template to tell where its values stand. In JSON and CSV it makes a difference
 * whether a value stands between quotes; in other formats all places are alike.
 */
import type { TextFormat } from '../formats.ts'
import type { Place } from './escape.ts'

/** What was read last, as far as it matters. */
export interface Position {
  readonly quoted: boolean
  /** Whether fixed text stands before, between these quotes or in this cell. */
  readonly hasText: boolean
  /** Whether a value stands before in this cell, without quotes. */
  readonly hasValue: boolean
  /** Whether some cell without quotes held more than one value: it could not be quoted, should a value need that. */
  readonly isMixed: boolean
}

export const startPosition: Position = { quoted: false, hasText: false, hasValue: false, isMixed: false }

/** Where a reader stands after some fixed text. */
export function positionAfter(format: TextFormat, text: string, position: Position): Position {
  if (format === 'json') return afterJson(text, position)
  return format === 'csv' ? afterCsv(text, position) : position
}

/** Where a value stands. */
export function placeOf(format: TextFormat, { quoted, hasText }: Position): Place {
  if (format !== 'json' && format !== 'csv') return 'text'
  if (!quoted) return 'whole'
  return hasText ? 'quoted' : 'quotedStart'
}

/** Where a reader stands after a value. */
export function positionAfterValue(format: TextFormat, position: Position): Position {
  if (format !== 'csv' || position.quoted) return position
  const { isMixed, hasText, hasValue } = position
  return { ...position, hasValue: true, isMixed: isMixed || hasText || hasValue }
}

/** Where a reader stands who may come from either. */
export function eitherPosition(one: Position, other: Position): Position {
  return {
    quoted: one.quoted,
    hasText: one.hasText && other.hasText,
    hasValue: one.hasValue || other.hasValue,
    isMixed: one.isMixed || other.isMixed,
  }
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
  let { quoted, hasText, hasValue, isMixed } = position
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
  return { quoted, hasText, hasValue, isMixed }
}
