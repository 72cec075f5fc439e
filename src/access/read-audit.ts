import { z } from 'zod'
import { parseDocument } from '../http/parse-document.ts'
import type { AuditEntry } from '../store/audit-store.ts'
import type { AccessParts } from './access-parts.ts'

/** An entry of the audit as it is shown. */
export interface ShownAuditEntry
  extends Pick<AuditEntry, 'id' | 'address' | 'action' | 'record' | 'name' | 'detail'> {
  /** ISO 8601 with milliseconds. */
  readonly at: string
  /** Null when the program did it by itself. */
  readonly account: string | null
  readonly request_id: string
}

const limitRange = { least: 1, most: 1000 }

const querySchema = z.strictObject({
  limit: z
    .string()
    .default('100')
    .transform((text, context) => {
      const limit = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
      if (limit >= limitRange.least && limit <= limitRange.most) return limit
      const message = `A whole number from ${limitRange.least} to ${limitRange.most} is expected here.`
      context.issues.push({ code: 'custom', message, input: text })
      return z.NEVER
    }),
  before: z.string().max(200).optional(),
})

/** Who changed what, newest first: `limit` entries, older than the one whose id is `before`. */
export async function readAudit(
  { store }: Pick<AccessParts, 'store'>,
  query: unknown,
): Promise<readonly ShownAuditEntry[]> {
  const { limit, before } = parseDocument(querySchema, query, 'PARAMETER_INVALID')
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
