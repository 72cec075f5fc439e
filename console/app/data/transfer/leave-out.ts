/** Rows whose fate the gateway cannot tell: those of a call that was interrupted, or that it has forgotten. */

import { isInProgress } from './patiently.ts'
import type { ImportReport } from './run-import.ts'

/** The gateway knows its calls for a day; some time is left for the call itself. */
const knownMs = 23 * 60 * 60 * 1000

/** Whether the gateway may say for ever that it is still busy with the rows that were not answered. */
export function isInterrupted({ unanswered }: ImportReport): boolean {
  return isInProgress(unanswered?.error)
}

/** Whether the rows that were not answered would be there twice if they were sent again. */
export function isForgotten({ unanswered }: ImportReport, now = Date.now()): boolean {
  return unanswered !== undefined && now - unanswered.sentAt > knownMs
}

/** The report with which an import goes on after the rows that were not answered, which are not sent again. */
export function withoutUnanswered({ unanswered, ...report }: ImportReport, reason: string): ImportReport {
  if (unanswered === undefined) return report
  const { positions, last } = unanswered
  const leftOut = positions.map((position) => ({ position, reasons: [reason] }))
  return { ...report, refused: [...report.refused, ...leftOut], done: last }
}
