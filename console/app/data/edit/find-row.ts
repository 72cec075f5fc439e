/** Finds the page of a record in the console. */
import type { QueryClient } from '@tanstack/react-query'
import { lastPartOf } from '../record-address.ts'
import { readRows } from '../rows.ts'
import { tableRights } from '../table-rights.ts'
import { pathOfRecord, pathOfTable } from '../table-view.ts'
import { rowsKey, type Table } from '../tables.ts'
import type { StoredRecord } from './stored-record.ts'

/** The address below the console of a record that was just written: its table if its own cannot be found. */
export async function addressOf(table: Table, { path, values }: StoredRecord): Promise<string> {
  if (!table.graphql) {
    return tableRights(table).GET ? pathOfRecord(table.name, lastPartOf(path)) : pathOfTable(table.name)
  }
  const key = table.fields.filter(({ api_name: name }) => name !== undefined && table.api?.key.includes(name))
  const filters = key.map(({ name, api_name: own }) => ({ key: name, op: '==', val: values[own ?? ''] }))
  const list = { filters, asc: [], desc: [], place: { kind: 'start' }, size: 1 } as const
  const { rows } = await readRows(table, { fields: key.map(({ name }) => name), references: [] }, list)
  const id = rows[0]?.id
  return id === undefined ? pathOfTable(table.name) : pathOfRecord(table.name, id)
}

/** Reads everything anew that shows rows of a table. */
export function refreshRows(client: QueryClient, table: Table): Promise<void> {
  return client.invalidateQueries({ queryKey: rowsKey(table.name) })
}
