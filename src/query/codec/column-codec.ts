import type { Column, ColumnType } from '../../database/database-schema.ts'
import type { SqlValue } from '../../database/sql-value.ts'

/** A non-null value of a column, as rows have it. */
export type Held = Exclude<SqlValue, null>

/**
 * Converts between what a column stores and what clients see and send. Its SQL counterpart is each product's
 * `column-codec.ts`: how a value is read, and which rows have the value of a request.
 */
export interface ColumnCodec {
  /** The accepted values, for messages. */
  readonly takes: string
  /** The form that a packed value must have for its bytes to be copied into a response. */
  readonly plain: PlainForm
  /** The JSON text of a value. */
  show(value: Held): string
  /**
   * Converts a value of a request: everything that `show` returns, and values of other types if nothing is lost (`5`
   * for a text, `"5"` for a number). Undefined for what the column cannot contain.
   */
  hold(value: unknown, column: Column): SqlValue | undefined
}

/**
 * Bytes that can be copied into a response: a number, digits few enough for a JSON number, `t` or `f`, a date, a text.
 */
export type PlainForm = 'number' | 'safeInteger' | 'truth' | 'dateTime' | 'date' | 'text'

/** Codecs by column type. */
export type Codecs<Type extends ColumnType> = Readonly<Record<Type, ColumnCodec>>
