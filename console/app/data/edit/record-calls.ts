/** Records of a published API: how they are read and written. */
import { callGateway } from '../../api/gateway.ts'
import { apiPathOf } from '../record-address.ts'
import type { Table } from '../tables.ts'
import { ifMatch, type RecordValues, type StoredRecord, type WriteCall } from './stored-record.ts'

/** Reads a record with what names its state. */
export async function readStored(path: string, signal?: AbortSignal): Promise<StoredRecord> {
  return storedIn(path, await callGateway(path, signal === undefined ? {} : { signal }))
}

/** Writes a record and gives its new state, at the path that it has then. */
export async function write({ method, path, headers, body }: WriteCall, table: Table): Promise<StoredRecord> {
  const response = await callGateway(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const stored = await storedIn(path, response)
  return { ...stored, path: pathOf(table, stored) }
}

/** The call that deletes a record, if it is still in the state that is known. */
export function deleteCall({ path, etag }: StoredRecord) {
  return { method: 'DELETE', path, headers: ifMatch(etag) }
}

/** Deletes a record, if it is still in the state that is known. */
export async function remove(stored: StoredRecord): Promise<void> {
  const { method, path, headers } = deleteCall(stored)
  await callGateway(path, { method, headers })
}

function pathOf(table: Table, { path, values }: StoredRecord): string {
  const named = Object.fromEntries(table.fields.map(({ name, api_name: own }) => [name, values[own ?? '']]))
  return apiPathOf(table, named) ?? path
}

async function storedIn(path: string, response: Response): Promise<StoredRecord> {
  const values = (await response.json()) as RecordValues
  return { path, values, etag: response.headers.get('etag') ?? undefined }
}
