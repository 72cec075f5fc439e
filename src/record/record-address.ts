/** The last part of a record's path: its key. */
import type { Column } from '../database/database-schema.ts'
import type { SqlValue } from '../database/sql-value.ts'
import { columnValueOf } from '../query/column-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { segmentMistake } from '../util/path-segment.ts'
import { addressColumns, isForeign, type PublishedEntity, type ValueCodec } from './record-rules.ts'
import type { RecordTarget } from './record-target.ts'

/**
 * The values of a key in a decoded path. An identifier is written as it is. The values of an adopted table's key are
 * separated by commas, bytes are in base64url, and characters that a path cannot hold are escaped. Undefined if no record
 * can have such a key.
 */
function keyInPath(entity: PublishedEntity, text: string): RowKey | undefined {
  const columns = addressColumns(entity)
  const isEscaped = isForeign(entity)
  const parts = columns.length === 1 ? [text] : text.split(',')
  if (parts.length !== columns.length) return undefined
  const key = columns.map((column, index) => {
    const part = parts[index] ?? ''
    return { column, value: isEscaped ? valueOfPart(unescaped(part), column) : columnValueOf(column, part) }
  })
  return key.every((part): part is RowKey[number] => part.value !== undefined) ? key : undefined
}

/** The record with this address. */
export function recordAt(entity: PublishedEntity, identifier: string): RecordTarget {
  return { entity, identifier, key: keyInPath(entity, identifier) }
}

/** The last part of the address of a record with this key, encoded. */
export function pathOfKey(values: readonly SqlValue[], entity: PublishedEntity): string {
  return partsOfKey(values, entity).map(encodeURIComponent).join(',')
}

/** The same decoded, as authorities are matched with it; undefined if no path can hold it. */
export function identifierOf(values: readonly SqlValue[], entity: PublishedEntity): string | undefined {
  const text = partsOfKey(values, entity).join(',')
  return text === '' || segmentMistake(text) !== undefined ? undefined : text
}

function partsOfKey(values: readonly SqlValue[], entity: PublishedEntity): readonly string[] {
  const { fields, key } = entity.rules
  const columns = addressColumns(entity)
  return values.map((value, index) => {
    const codec = fields.get(key[index] ?? '')?.codec
    const column = columns[index]
    const isEscaped = isForeign(entity) && codec !== undefined && column !== undefined && value !== null
    return isEscaped ? escaped(partOfValue(value, column, codec)) : String(value)
  })
}

/** A value as shown in records; this form of base64 has no slash: https://www.rfc-editor.org/rfc/rfc4648#section-5 */
function partOfValue(value: Exclude<SqlValue, null>, { type }: Column, codec: ValueCodec): string {
  const shown = String(JSON.parse(codec.writeJson(value)))
  return type === 'binary' ? Buffer.from(shown, 'base64').toString('base64url') : shown
}

function valueOfPart(part: string, column: Column): SqlValue | undefined {
  if (column.type !== 'binary') return columnValueOf(column, part)
  const bytes = Buffer.from(part, 'base64url')
  // Bytes have only one valid text, so that a record has one address.
  return bytes.toString('base64url') === part ? columnValueOf(column, bytes.toString('base64')) : undefined
}

/** The last part of a path as a template: `{id}`, `{a},{b}`. */
export function recordTemplate({ rules }: PublishedEntity): string {
  return rules.key.map((name) => `{${name}}`).join(',')
}

/** What `~` and a digit stand for. */
const signs = ['~', ',', '/', '\\']
/** An empty value, which would leave an empty segment; and a leading dot, which could make a dot segment. */
const empty = '~4'
const firstDot = '~5'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const control = /[\u0000-\u001f\u007f]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const mayNeedEscape = /^\.|[~,/\\\u0000-\u001f\u007f]/

function escaped(value: string): string {
  if (value === '') return empty
  if (!mayNeedEscape.test(value)) return value
  return value
    .replaceAll(/[~,/\\]/g, (sign) => `~${signs.indexOf(sign)}`)
    .replace(/^\./, firstDot)
    .replaceAll(control, (sign) => `~x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function unescaped(part: string): string {
  if (part === empty) return ''
  return part
    .replace(/^~5/, '.')
    .replaceAll(/~(?:([0-3])|x([01][0-9a-f]|7f))/g, (_, digit: string | undefined, code: string) =>
      digit === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (signs[Number(digit)] ?? ''),
    )
}
