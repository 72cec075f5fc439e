import * as v from 'valibot'
import { count, described, text } from './operation.ts'

const names = (description: string) => described(v.array(v.string()), description)
const side = v.object({ table: text('Its GraphQL name.'), columns: v.array(v.string()) })

/** A table or view, as `/manage/tables` shows it. */
export const table = v.object({
  name: text('Its name in GraphQL.', 'Port'),
  table: text('Its name in the database.'),
  schema: v.nullable(text('Its schema; null if the product has none.', 'public')),
  kind: v.picklist(['table', 'view']),
  comment: v.nullable(v.string()),
  columns: v.array(
    v.object({
      name: v.string(),
      field: v.nullable(text('Its name in GraphQL.')),
      type: text('As the database calls it.', 'varchar(50)'),
      graphql_type: text('The GraphQL scalar.', 'String'),
      nullable: v.boolean(),
      has_default: v.boolean(),
      read_only: described(v.boolean(), 'Whether the database computes the value.'),
      comment: v.nullable(v.string()),
    }),
  ),
  primary_key: names('Its columns; empty if there is none.'),
  unique_keys: v.array(v.array(v.string())),
  foreign_keys: v.array(
    v.object({
      field: text('The GraphQL field that follows it.', 'tenant'),
      columns: v.array(v.string()),
      references: side,
      collection: v.nullable(text('The GraphQL field of the other table that leads back.', 'portCollection')),
    }),
  ),
  collections: described(
    v.array(
      v.object({
        field: text('The GraphQL field with the rows.', 'portCollection'),
        columns: v.array(v.string()),
        referenced_by: side,
        reference: v.nullable(text('The GraphQL field of the other table that leads back.', 'tenant')),
      }),
    ),
    'Foreign keys of other tables that refer to this one.',
  ),
  entity: v.nullable(text('The name of its entity; null if it has none.')),
  resource: v.nullable(text('The path of its published API; null if there is none.', '/apis/ports')),
  adopted: described(v.boolean(), 'Whether the entity was made from the table, and not the table from it.'),
  adoption: described(
    v.nullable(
      v.object({
        possible: described(
          v.boolean(),
          'As far as columns and keys say; the dry run of an adoption looks at rows as well.',
        ),
        name: text('What to call it in an adoption.'),
        reasons: names('Why it cannot be adopted, in sentences.'),
      }),
    ),
    'Whether it can be made an entity; null if it is one.',
  ),
  estimated_rows: v.nullable(count("From the database's statistics, not counted; null if it has none.")),
})
