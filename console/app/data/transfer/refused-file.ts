/** The refused rows of a file as a file of the same format, to be corrected and imported. */

import { quotedCell } from './export-format.ts'
import type { ReadFile } from './import-dialog.tsx'
import type { RefusedRow } from './send-rows.ts'
import { type SourceRow, sourceRows } from './source-file.ts'

/** The rows as they were, with the reasons in one column more. */
export async function refusedFile(
  { file, form, summary }: ReadFile,
  refused: readonly RefusedRow[],
  title: string,
  signal: AbortSignal,
): Promise<{ readonly content: string; readonly ending: string }> {
  const { columns } = summary
  const reasons = new Map(refused.map((row) => [row.position, row.reasons.join(' ')]))
  const isCsv = form.format === 'csv'
  const lines: string[] = []
  const add = (row: SourceRow, reason: string) => {
    if (!isCsv) lines.push(JSON.stringify({ ...Object.fromEntries(row.values), [title]: reason }))
    else lines.push(csvLine([...columns.map((name) => row.values.get(name)), reason], form.delimiter))
  }
  for await (const rows of sourceRows(file, form, signal)) {
    for (const row of rows) {
      const reason = reasons.get(row.position)
      if (reason !== undefined) add(row, reason)
    }
  }
  const head = isCsv ? [`\ufeff${csvLine([...columns, title], form.delimiter)}`] : []
  return { content: [...head, ...lines, ''].join(isCsv ? '\r\n' : '\n'), ending: isCsv ? 'csv' : 'jsonl' }
}

function csvLine(cells: readonly unknown[], delimiter: string): string {
  return cells.map((cell) => (cell === undefined ? '' : quotedCell(String(cell), delimiter))).join(delimiter)
}
