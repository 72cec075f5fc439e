import type { Column, ColumnType } from '../../database/database-schema.ts'

/** What a column shows, by its type: the same texts for all columns, for the sake of memory. */
const contents: Readonly<Record<ColumnType, string>> = {
  string: 'A text.',
  uuid: 'A UUID.',
  integer: 'A whole number.',
  bigint: 'A whole number of up to 64 bits.',
  float: 'A number.',
  decimal: 'A decimal number as text, with all of its digits.',
  boolean: 'true or false.',
  dateTime: 'A date and time in UTC.',
  date: 'A day.',
  time: 'A time of day.',
  json: 'JSON as text.',
  binary: 'Bytes, in base64.',
  other: 'A value as the database writes it.',
}

/** The comment of a column in the database, or else what it shows. */
export function describeColumn({ comment, type }: Pick<Column, 'comment' | 'type'>): string {
  return comment === undefined || comment.trim() === '' ? contents[type] : comment
}
