import { type Call, useAllowed } from '../../api/access.ts'
import type { Table } from '../tables.ts'

/** What the roles allow with one record. */
export interface RecordRights {
  readonly GET: boolean
  readonly PUT: boolean
  readonly PATCH: boolean
  readonly DELETE: boolean
  /** To create records in its table. */
  readonly POST: boolean
}

const methods = ['GET', 'PUT', 'PATCH', 'DELETE'] as const

/** What the roles allow with the record at a path; undefined until the gateway has said so. */
export function useRecordRights(table: Table, path: string | undefined): RecordRights | undefined {
  const calls: readonly Call[] =
    path === undefined || table.api === null
      ? []
      : [...methods.map((method) => ({ method, path })), { method: 'POST', path: table.api.path }]
  const allowed = useAllowed(calls)
  if (allowed === undefined) return undefined
  const [GET = false, PUT = false, PATCH = false, DELETE = false, POST = false] = allowed
  return { GET, PUT, PATCH, DELETE, POST }
}
