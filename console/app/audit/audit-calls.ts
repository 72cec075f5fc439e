/** The audit: who changed what. */
import { dataOf, gateway } from '../api/gateway.ts'
import { type ListPage, pageSize } from '../api/list-page.ts'
import { type AuditEntry, type AuditFilters, queryOf } from './audit-filters.ts'

/** The key under which pages of the audit are kept. */
export const auditKey = ['audit'] as const

/** Some entries, newest first, that are older than the one with an id. */
export function readEntries(
  filters: AuditFilters,
  limit: number,
  before: string | undefined,
): Promise<readonly AuditEntry[]> {
  const query = { ...queryOf(filters), limit, ...(before && { before }) }
  return dataOf(gateway.GET('/manage/audit', { params: { query } }))
}

/** A page of the audit. */
export async function readAuditPage(
  filters: AuditFilters,
  before: string | undefined,
): Promise<ListPage<AuditEntry>> {
  const found = await readEntries(filters, pageSize + 1, before)
  const items = found.slice(0, pageSize)
  return { items, next: found.length > pageSize ? items.at(-1)?.id : undefined }
}
