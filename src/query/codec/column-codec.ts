import type { Column, ColumnType } from '../../database/database-schema.ts'
import type { SqlValue } from '../../database/driver.ts'

/** What a column holds where it is not null, as rows have it. */
export type Held = Exclude<SqlValue, null>

/**
 * Between what a column holds and what clients see of it and send back. The other half, in SQL, is each product's
 * `column-codec.ts`: how a value is read, and which rows hold the value that a request means.
 */
export interface ColumnCodec {
  /** What the column takes, for messages. */
  readonly takes: string
  /** What the bytes of a value in packed rows must be to stand in an answer as they are. */
  readonly plain: PlainForm
  /** The JSON text of a value. */
  show(value: Held): string
  /**
   * What a value of a request means in the column: all that `show` gives, and values of other types where nothing is lost
   * (`5` for a text, `"5"` for a number). Undefined for what the column cannot hold.
   */
  hold(value: unknown, column: Column): SqlValue | undefined
}

/** What bytes can be copied into an answer: a number, digits few enough for a JSON number, `t` or `f`, a date, a text. */
export type PlainForm = 'number' | 'safeInteger' | 'truth' | 'dateTime' | 'date' | 'text'

/** Codecs by what a column holds. */
export type Codecs<Type extends ColumnType> = Readonly<Record<Type, ColumnCodec>>
