import { type Call, useAccess } from '../../api/access.ts'
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

interface RecordAccess {
  /** Undefined until the gateway has said so. */
  readonly rights: RecordRights | undefined
  /** Why the gateway could not be asked; null if it could. */
  readonly error: Error | null
}

/** What the roles allow with the record at a path, or why that is not known. */
export function useRecordRights(table: Table, path: string | undefined): RecordAccess {
  const calls: readonly Call[] =
    path === undefined || table.api === null
      ? []
      : [...methods.map((method) => ({ method, path })), { method: 'POST', path: table.api.path }]
  const { allowed, error } = useAccess(calls)
  if (allowed === undefined) return { rights: undefined, error }
  const [GET = false, PUT = false, PATCH = false, DELETE = false, POST = false] = allowed
  return { rights: { GET, PUT, PATCH, DELETE, POST }, error }
}
