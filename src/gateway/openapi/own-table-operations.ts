/** The tables and views that an account may read or create records in. */
import * as v from 'valibot'
import type { ColumnType } from '../../database/database-schema.ts'
import { scalarOfColumn } from '../../graphql/model/type-mapping.ts'
import { readableTablesQuery } from '../readable-tables.ts'
import { described, type OperationGroup, ok, page, text } from './operation.ts'

const names = (description: string) => described(v.array(v.string()), description)
const flag = (description: string) => v.optional(described(v.literal(true), description))

const apiEntries = {
  path: text('Its path.', '/apis/ports'),
  list: names('The methods that the account may use on the list: GET, POST.'),
  record: names('The methods that the account may use on some record: GET, PUT, PATCH, DELETE.'),
}
const tableEntries = {
  name: text('The name in GraphQL.'),
  table: text('The name in the database.'),
  schema: v.optional(text('The schema in the database; absent if the product has none.')),
  kind: v.picklist(['table', 'view']),
  comment: v.optional(text('The comment in the database.')),
  graphql: described(v.boolean(), 'Whether the account may read it through GraphQL.'),
  entity: v.nullable(text('The name of its entity; null if it has none.')),
}
const readableTable = v.object({
  ...tableEntries,
  api: described(v.nullable(v.object(apiEntries)), 'The published API of the entity; null if it has none.'),
})

/** A field of a table. */
const tableField = v.object({
  name: text('The name in GraphQL.'),
  column: text('The name of its column.'),
  type: text('The GraphQL type, without "!".', 'String'),
  kind: described(
    v.picklist(Object.keys(scalarOfColumn) as ColumnType[]),
    'What its values are, whichever the product.',
  ),
  native_type: text('The type of the column, as the database calls it.'),
  api_name: v.optional(text('The name in the published API; absent if it is not there.')),
  entity_type: v.optional(text('The type in the entity definition.', 'DateTime')),
  nullable: v.boolean(),
  enum: v.optional(described(v.array(v.unknown()), 'The allowed values.')),
  default: v.optional(
    described(
      v.union([v.object({ value: v.unknown() }), v.object({ made: v.picklist(['now', 'uuid']) })]),
      'What the gateway writes if a record is sent without the field.',
    ),
  ),
  has_database_default: flag('The database supplies a value if a record is sent without the field.'),
  immutable: flag('It never changes after the record is created.'),
  unique: flag('Its values are unique by themselves.'),
  read_only: flag(
    'Requests never choose its value: the database or the gateway does, or the rights of the account.',
  ),
  not_on_creation: flag('The account may change it, and not choose its value in new records.'),
  comment: v.optional(text('The comment in the database.')),
})

/** A foreign key, seen from one of its tables. */
const tableRelation = v.object({
  name: text('The name in GraphQL.'),
  table: text('The name of the other table.'),
  other_name: text('The field of the same foreign key in the other table.'),
  has_global_id: described(v.boolean(), 'Whether the rows of the other table have a GlobalId.'),
  fields: described(
    v.array(v.object({ own: v.string(), other: v.string() })),
    'Two rows are related if these fields are equal, pair by pair.',
  ),
})

const wholeApi = v.object({
  ...apiEntries,
  key: names("The fields of a record's address, by their names in the API."),
  adopted: described(
    v.boolean(),
    'Whether the table is adopted: in the address of a record, special characters of the key are then escaped.',
  ),
})

const wholeTable = v.object({
  ...tableEntries,
  totals: described(
    v.boolean(),
    'Whether the account may compute counts and totals of it through GraphQL: `totalCount`, `aggregates` and `groups`.',
  ),
  api: v.nullable(wholeApi),
  key: names(
    'The fields that a GlobalId is made of, as far as they may be read; none if the table has no key.',
  ),
  has_global_id: described(
    v.boolean(),
    'Whether its rows have a GlobalId, whether or not its fields may be read.',
  ),
  fields: described(v.array(tableField), 'In the order of the table.'),
  unread_fields: described(v.array(tableField), 'Those that the account may write, and not read.'),
  references: described(v.array(tableRelation), 'The rows that its foreign keys reference.'),
  collections: described(v.array(tableRelation), 'The rows whose foreign keys reference it.'),
})

export const ownTableOperations: OperationGroup = {
  tag: 'Own tables',
  schemas: {
    ReadableTable: readableTable,
    WholeReadableTable: wholeTable,
    TableField: tableField,
    TableRelation: tableRelation,
  },
  operations: {
    'GET /whoami/tables': {
      id: 'listOwnTables',
      summary: 'Lists the tables and views that the account may read or create records in, by name.',
      description: 'Through GraphQL, or through a published API.',
      access: 'token',
      query: readableTablesQuery,
      responses: page(v.union([readableTable, wholeTable]), 'A page of tables.'),
    },
    'GET /whoami/tables/:name': {
      id: 'getOwnTable',
      summary: 'Shows a table that the account may read or create records in, with its fields and relations.',
      description: 'One that is not in the list of the account does not exist for it.',
      access: 'token',
      responses: ok(wholeTable, 'The table.'),
    },
  },
}
