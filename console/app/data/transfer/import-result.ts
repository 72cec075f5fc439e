import { LoginNeeded, TokenRefused } from '../../../../browser/refusal.ts'
import type { KeptImport } from './kept-import.ts'
import { type Import, ImportEnded, type ImportProgress, type ImportReport, runImport } from './run-import.ts'

/** What has become of a file: a report, and the error that ended it if one did. */
export interface ImportResult {
  readonly report: ImportReport
  readonly isDryRun: boolean
  readonly error?: unknown
  readonly isCancelled?: true
}

/** Whether there is something to go on with. */
export function isUnfinished({ report, error, isCancelled }: ImportResult): boolean {
  return report.unanswered !== undefined || error !== undefined || isCancelled === true
}

/** Imports or checks the rows of a file, and tells what became of them, whatever ended it. */
export async function resultOf(
  wanted: Import,
  before: ImportReport,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  const { isDryRun } = wanted
  try {
    return { report: await runImport(wanted, before, onProgress, signal), isDryRun }
  } catch (error) {
    if (!(error instanceof ImportEnded)) throw error
    const end = signal.aborted ? { isCancelled: true as const } : { error: error.cause }
    return { report: error.report, isDryRun, ...end }
  }
}

/** An import of an earlier session, as if it had just been stopped. */
export function resumedResult(resumed: KeptImport | undefined): ImportResult | undefined {
  return resumed === undefined
    ? undefined
    : { report: resumed.report, isDryRun: false, isCancelled: true as const }
}

/** Whether the session has ended on the way. */
export function isSessionEnd({ report, error }: ImportResult): boolean {
  return [error, report.unanswered?.error].some(
    (one) => one instanceof LoginNeeded || one instanceof TokenRefused,
  )
}
