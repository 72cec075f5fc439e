import * as v from 'valibot'
import { oneOf, refuse, strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { type AuditChanges, type AuditEntry, auditActions, auditedRecords } from '../../store/audit-store.ts'
import { parseDateTime, showDateTime } from '../../util/date-time-text.ts'
import type { AccessParts } from '../access-parts.ts'
import { nameSchema } from '../name.ts'
import { limitParameter } from './list-page.ts'

/** An entry of the audit as it is shown. */
export interface ShownAuditEntry
  extends Pick<AuditEntry, 'id' | 'address' | 'action' | 'record' | 'name' | 'detail'> {
  /** ISO 8601 with milliseconds. */
  readonly at: string
  /** Null if the program did it by itself. */
  readonly account: string | null
  readonly request_id: string
  readonly changes: AuditChanges
}

/** A time as it is written in a query; the result is ISO 8601, UTC, as it is stored. */
function timeParameter(description: string) {
  return v.pipe(
    v.string(),
    refuse((text) =>
      storedTime(text) === undefined
        ? 'A date and time such as "2027-01-31T09:30:00" (UTC) or "2027-01-31T10:30:00+01:00" is expected here.'
        : undefined,
    ),
    v.metadata({ description, format: 'date-time' }),
    v.transform((text) => storedTime(text) ?? ''),
  )
}

function storedTime(text: string): string | undefined {
  const time = parseDateTime(text)
  return time === undefined ? undefined : new Date(`${showDateTime(time)}Z`).toISOString()
}

export const auditQuery = strictObject({
  limit: limitParameter,
  before: v.optional(
    v.pipe(v.string(), v.maxLength(200), v.description('The id of an entry: only older ones are listed.')),
  ),
  account: v.optional(v.pipe(nameSchema, v.description('Who did it.'))),
  action: v.optional(oneOf(auditActions)),
  record: v.optional(oneOf(auditedRecords)),
  name: v.optional(v.pipe(v.string(), v.maxLength(1000), v.description('The name of the record.'))),
  from: v.optional(timeParameter('Only what happened at this time or later.')),
  to: v.optional(timeParameter('Only what happened before this time.')),
})

/** Who changed what, newest first: `limit` entries, older than the one whose id is `before`. */
export async function readAudit(
  { store }: Pick<AccessParts, 'store'>,
  query: unknown,
): Promise<readonly ShownAuditEntry[]> {
  const page = parseDocument(auditQuery, query, 'PARAMETER_INVALID')
  const entries = await store.read((connection) => store.audit.list(connection, page))
  return entries.map(
    ({ id, happenedAt, account, address, requestId, action, record, name, detail, changes = {} }) => ({
      id,
      at: happenedAt.replace('Z', '+00:00'),
      account: account ?? null,
      address,
      request_id: requestId,
      action,
      record,
      name,
      detail,
      changes,
    }),
  )
}
