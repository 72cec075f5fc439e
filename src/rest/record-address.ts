/** The last part of the path of a record: what its key is there. */
import type { SqlValue } from '../database/driver.ts'
import { columnValueOf } from '../query/column-value.ts'
import type { RowKey } from '../query/mutate-plan.ts'
import { addressColumns, type PublishedEntity } from '../query/write-rules.ts'

/**
 * The values of a key in a path, already decoded. An identifier stands as it is. The values of an adopted table's key
 * have commas between them, and what is no part of a path in any value is escaped. Undefined where no record can have
 * such a key.
 */
export function keyInPath(entity: PublishedEntity, text: string): RowKey | undefined {
  const columns = addressColumns(entity)
  const isEscaped = hasEscapes(entity)
  const parts = columns.length === 1 ? [text] : text.split(',')
  if (parts.length !== columns.length) return undefined
  const key = columns.map((column, index) => {
    const part = parts[index] ?? ''
    return { column, value: columnValueOf(column, isEscaped ? unescaped(part) : part) }
  })
  return key.every((part): part is RowKey[number] => part.value !== undefined) ? key : undefined
}

/** The same the other way round, encoded. */
export function pathOfKey(values: readonly SqlValue[], entity: PublishedEntity): string {
  const write = hasEscapes(entity) ? escaped : (part: string) => part
  return values.map((value) => encodeURIComponent(write(String(value)))).join(',')
}

/** The last part of a path as descriptions of it write it: `{id}`, `{a},{b}`. */
export function recordTemplate({ rules }: PublishedEntity): string {
  return rules.key.map((name) => `{${name}}`).join(',')
}

/** Whether a key may hold what no part of a path may: others made it. */
export function hasEscapes({ rules }: Pick<PublishedEntity, 'rules'>): boolean {
  return rules.systemColumns.length === 0
}

/** What `~` and a digit stand for. */
const signs = ['~', ',', '/', '\\']

const escaped = (part: string) => part.replaceAll(/[~,/\\]/g, (sign) => `~${signs.indexOf(sign)}`)
const unescaped = (part: string) =>
  part.replaceAll(/~([0-3])/g, (_, digit: string) => signs[Number(digit)] ?? '')
