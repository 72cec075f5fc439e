/** How the records of a table are looked for by their addresses, as if a foreign key led to them. */
import { apiPathOf, nameOfPath } from '../data/record-address.ts'
import { tableRights } from '../data/table-rights.ts'
import type { Relation, Table } from '../data/tables.ts'

type AddressedTable = Pick<Table, 'name' | 'api' | 'fields' | 'graphql' | 'has_global_id'>

/** A foreign key to what the addresses of the records are made of; undefined if they cannot be read, or have none. */
export function relationTo(table: AddressedTable): Relation | undefined {
  const { api, fields, name, graphql, has_global_id } = table
  const key = api?.key ?? []
  const own = key.flatMap((part) => fields.find(({ api_name: known }) => known === part) ?? [])
  const isRead = graphql || tableRights(table).LIST
  if (!isRead || own.length === 0 || own.length < key.length) return undefined
  const pairs = own.map((field) => ({ own: field.name, other: field.name }))
  return { name: '', table: name, other_name: '', has_global_id, fields: pairs }
}

/** The identifier of the record with these values, as in its address, but decoded. */
export function identifierOf(table: AddressedTable, { fields }: Relation, keys: readonly string[]): string {
  const values = Object.fromEntries(fields.map(({ other }, index) => [other, keys[index]]))
  return nameOfPath(apiPathOf(table, values) ?? '')
}
