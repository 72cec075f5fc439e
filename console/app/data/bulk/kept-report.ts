/** Keeps in this tab what became of many records when the session ended meanwhile, until it was looked at. */
import type { BulkAction, Written } from './bulk-actions.ts'
import type { BulkReport } from './run-bulk.ts'

export interface KeptReport {
  readonly kind: BulkAction['kind']
  readonly isUndo: boolean
  readonly report: BulkReport<Written>
  /** What can be taken back. */
  readonly undoable: readonly Written[]
}

/** Where the report of an account about a table is kept. */
export function reportKey(account: string, table: string): string {
  return `gatehouse.console.bulk.${account}.${table}`
}

/** Keeps a report; without what it needs for undo if there is no room for that. */
export function keepReport(key: string, kept: KeptReport): void {
  const small = { ...kept, report: { ...kept.report, problems: kept.report.problems.slice(0, 100) } }
  for (const one of [kept, { ...small, undoable: [] }]) {
    try {
      sessionStorage.setItem(key, JSON.stringify(one))
      return
    } catch {
      // The storage of the browser is full, or turned off.
    }
  }
}

export function keptReport(key: string): KeptReport | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as KeptReport)
  } catch {
    return undefined
  }
}

export function forgetReport(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // It is turned off.
  }
}
