import type { Table } from './database-schema.ts'

/** The names of tables for clients, by `tableKeyOf`: of existing and of former tables. */
export type TableNames = Readonly<Record<string, string>>

/** Identifies a table permanently, whichever schemas are served and in which order. */
export function tableKeyOf({ schema = '', name }: Pick<Table, 'schema' | 'name'>): string {
  return JSON.stringify([schema, name])
}

/** The schema of a table, by its key; '' if the product has none. */
export function schemaOfKey(key: string): string {
  return (JSON.parse(key) as readonly [string, string])[0]
}

/** Describes a table for people, by its key. */
export function describeTableKey(key: string): string {
  const [schema, name] = JSON.parse(key) as readonly [string, string]
  const table = `table ${JSON.stringify(name)}`
  return schema === '' ? table : `${table} of the schema ${JSON.stringify(schema)}`
}
