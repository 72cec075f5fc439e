import type { DatabaseOptions } from '../../../src/database/open-database.ts'

export type Product = DatabaseOptions['product']

/** A database as its makers publish it: what creates it on each product that it exists for. */
export interface DescribedDatabase {
  readonly name: string
  /** Schemas other than the default one, where there are several. */
  readonly schemas?: readonly string[]
  readonly statements: Readonly<Partial<Record<Product, readonly string[]>>>
}

/** `insert` statements for rows that are given as SQL literals; names in `[…]` are quoted as the product quotes them. */
export function insertRows(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const names = columns.map((name) => `[${name}]`).join(', ')
  return `insert into [${table}] (${names}) values ${rows.map((row) => `(${row.join(', ')})`).join(', ')}`
}

const quotes: Readonly<Record<Product, string>> = { sqlite: '"', postgresql: '"', mysql: '`' }

/** Quotes the names that stand in `[…]`. */
export function quoteNames(sql: string, product: Product): string {
  return sql.replaceAll(/\[(\w+)\]/g, `${quotes[product]}$1${quotes[product]}`)
}
