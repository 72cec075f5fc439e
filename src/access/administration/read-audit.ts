import * as v from 'valibot'
import { strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import type { AuditEntry } from '../../store/audit-store.ts'
import type { AccessParts } from '../access-parts.ts'
import { limitParameter } from './list-page.ts'

/** An entry of the audit as it is shown. */
export interface ShownAuditEntry
  extends Pick<AuditEntry, 'id' | 'address' | 'action' | 'record' | 'name' | 'detail'> {
  /** ISO 8601 with milliseconds. */
  readonly at: string
  /** Null if the program did it by itself. */
  readonly account: string | null
  readonly request_id: string
}

export const auditQuery = strictObject({
  limit: limitParameter,
  before: v.optional(v.pipe(v.string(), v.maxLength(200))),
})

/** Who changed what, newest first: `limit` entries, older than the one whose id is `before`. */
export async function readAudit(
  { store }: Pick<AccessParts, 'store'>,
  query: unknown,
): Promise<readonly ShownAuditEntry[]> {
  const { limit, before } = parseDocument(auditQuery, query, 'PARAMETER_INVALID')
  const entries = await store.read((connection) => store.audit.list(connection, { limit, before }))
  return entries.map(({ id, happenedAt, account, address, requestId, action, record, name, detail }) => ({
    id,
    at: happenedAt.replace('Z', '+00:00'),
    account: account ?? null,
    address,
    request_id: requestId,
    action,
    record,
    name,
    detail,
  }))
}
