import type { DatabaseSchema, LeftOut, Table } from './database-schema.ts'

/** The columns that identify the rows of a view, or of a table without a key. */
export interface ViewKey {
  /** `customer_list`, with its schema if that is not the first: `sales.customer_list`. */
  readonly view: string
  readonly columns: readonly string[]
}

/** Adds configured keys to the schema; a key for something that is absent is reported and ignored. */
export function withViewKeys(schema: DatabaseSchema, keys: readonly ViewKey[]): DatabaseSchema {
  if (keys.length === 0) return schema
  const tables = new Map(schema.tables)
  const leftOut: LeftOut[] = [...schema.leftOut]
  for (const { view, columns } of keys) {
    const table = [...tables.values()].find((found) => isNamed(found, view))
    const reason = reasonAgainst(table, columns)
    if (table !== undefined && reason === undefined) tables.set(table.id, { ...table, primaryKey: columns })
    else leftOut.push({ what: `the key of "${view}" in view_keys`, reason: reason ?? 'it cannot be used' })
  }
  return { ...schema, tables, leftOut }
}

function isNamed({ id, name, schema }: Table, wanted: string): boolean {
  return id === wanted || (schema !== undefined && `${schema}.${name}` === wanted)
}

function reasonAgainst(table: Table | undefined, columns: readonly string[]): string | undefined {
  if (table === undefined) return 'there is no such view'
  if (table.primaryKey.length > 0) return 'the table has a primary key'
  const missing = columns.find((name) => !table.columns.has(name))
  return missing === undefined ? undefined : `it has no column "${missing}"`
}
