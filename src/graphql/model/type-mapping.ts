import type { ColumnType } from '../../database/database-schema.ts'

/** The GraphQL scalar of a column. Types without an exact GraphQL equivalent are strings. */
export const scalarOfColumn: Readonly<Record<ColumnType, string>> = {
  string: 'String',
  uuid: 'String',
  integer: 'Int',
  bigint: 'BigInt',
  float: 'Float',
  decimal: 'String',
  boolean: 'Boolean',
  dateTime: 'DateTime',
  date: 'Date',
  time: 'Time',
  json: 'String',
  binary: 'String',
  other: 'String',
}
