/** The audit as a file. */
import type { AuditEntry } from './audit-filters.ts'

/** How many entries a file has at most: as many as a browser holds without trouble. */
export const mostExported = 100_000

/** How many are read at a time. */
const perCall = 1000

const columns = [
  'at',
  'account',
  'action',
  'record',
  'name',
  'detail',
  'changes',
  'address',
  'request_id',
  'id',
] as const

/** Reads entries until there are no more, or too many. Tells after each call how many there are. */
export async function readAll(
  read: (limit: number, before: string | undefined) => Promise<readonly AuditEntry[]>,
  onProgress: (count: number) => void,
  most = mostExported,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly isWhole: boolean }> {
  const entries: AuditEntry[] = []
  while (entries.length < most) {
    const found = await read(perCall, entries.at(-1)?.id)
    for (const entry of found) entries.push(entry)
    onProgress(entries.length)
    if (found.length < perCall) return { entries, isWhole: true }
  }
  return { entries, isWhole: false }
}

/** Entries as CSV (RFC 4180) that spreadsheets read as text: what they would take for a formula gets an apostrophe. */
export function csvOf(entries: readonly AuditEntry[]): string {
  const lines = entries.map((entry) => columns.map((column) => cellOf(textOf(entry[column]))).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

/** What a record was and is, as JSON; nothing where the audit does not know. */
function textOf(value: AuditEntry[(typeof columns)[number]]): string {
  if (typeof value !== 'object') return value
  return value === null || Object.keys(value).length === 0 ? '' : JSON.stringify(value)
}

function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Entries as a JSON list. */
export function jsonOf(entries: readonly AuditEntry[]): string {
  return `${JSON.stringify(entries, null, 2)}\n`
}
