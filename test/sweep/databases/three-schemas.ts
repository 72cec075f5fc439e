/** A shop in three schemas that have tables of the same names, with references across them. */
import type { DescribedDatabase } from './described-database.ts'

const names = ['sales', 'stock', 'archive'] as const

function schemaStatements(schema: string, index: number): readonly string[] {
  return [
    `create schema ${schema}`,
    `create table ${schema}.item (id integer primary key, name text not null, note text)`,
    `create table ${schema}.item_note (item_id integer not null references ${schema}.item (id), line integer not null, note text, primary key (item_id, line))`,
    `create view ${schema}.notes as select item_id, note from ${schema}.item_note`,
    `insert into ${schema}.item values (1, '${schema} one', null), (2, '${schema} two', ''), (${index + 3}, 'only ${schema}', 'x')`,
    `insert into ${schema}.item_note values (1, 1, 'a'), (1, 2, 'b'), (2, 1, null)`,
  ]
}

export const threeSchemas: DescribedDatabase = {
  name: 'a shop in three schemas',
  schemas: names,
  statements: {
    postgresql: [
      ...names.flatMap(schemaStatements),
      'create table sales.move (id integer primary key, from_item integer references stock.item (id), to_item integer references archive.item (id), item integer references sales.item (id))',
      'insert into sales.move values (1, 1, 2, 3), (2, null, 5, 1), (3, 4, null, null)',
      'create domain stock.amount as numeric(10, 3)',
      "create type archive.state as enum ('kept', 'gone')",
      "create table archive.kept (id integer primary key, amount stock.amount, state archive.state not null default 'kept')",
      "insert into archive.kept values (1, 1.500, 'kept'), (2, null, 'gone')",
    ],
  },
}
