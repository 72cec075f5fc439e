/** A catalogue of many tables, as an ERP system has it: each refers to a few before it, and each has some rows. */
import { type DescribedDatabase, insertRows, type Product, quoteNames } from './described-database.ts'

/** As many tables as wanted, each with ten columns and up to two references. */
export function manyTables(count: number): DescribedDatabase {
  const statements = (product: Product) =>
    Array.from({ length: count }, (_, index) => tableStatements(index, product)).flat()
  return {
    name: `${count} tables`,
    statements: {
      mysql: statements('mysql'),
      sqlite: statements('sqlite'),
      postgresql: statements('postgresql'),
    },
  }
}

const tableName = (index: number) => `module_${index % 20}_table_${index}`

function tableStatements(index: number, product: Product): readonly string[] {
  const referenced = [Math.floor(index / 2), Math.floor(index / 3)].filter(
    (other, place, all) => other < index && all.indexOf(other) === place,
  )
  const columns = [
    '[id] integer not null primary key',
    '[code] varchar(20) not null unique',
    '[name] varchar(100)',
    '[amount] decimal(12,2)',
    '[created] date',
    '[active] smallint not null default 1',
    ...referenced.map((other) => `[table_${other}_id] integer`),
    ...referenced.map((other) => `foreign key ([table_${other}_id]) references [${tableName(other)}] ([id])`),
  ]
  const rows = [1, 2].map((id) => [
    String(id),
    `'c${id}'`,
    id === 1 ? 'null' : `'Name ${index}'`,
    `${index}.5`,
    "'2024-02-29'",
    ...referenced.map(() => (id === 1 ? 'null' : '1')),
  ])
  const names = ['id', 'code', 'name', 'amount', 'created', ...referenced.map((other) => `table_${other}_id`)]
  return [
    `create table [${tableName(index)}] (${columns.join(', ')})`,
    insertRows(tableName(index), names, rows),
  ].map((sql) => quoteNames(sql, product))
}
