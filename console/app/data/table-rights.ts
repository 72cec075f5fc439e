import type { RecordRights } from './edit/record-rights.ts'
import type { Table } from './tables.ts'

/** What the roles allow with the published records of a table. */
interface TableRights extends RecordRights {
  /** To list them. */
  readonly LIST: boolean
}

/** What the roles allow with some of the published records of a table: nothing if there is no API. */
export function tableRights({ api }: Pick<Table, 'api'>): TableRights {
  const may = (method: string) => api?.record.some((one) => one === method) === true
  return {
    GET: may('GET'),
    PUT: may('PUT'),
    PATCH: may('PATCH'),
    DELETE: may('DELETE'),
    POST: api?.list.includes('POST') === true,
    LIST: api?.list.includes('GET') === true,
  }
}
