import { printable } from './printable.ts'

/** Rows under headings, each column as wide as its widest text. Without rows, a sentence. */
export function textTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  nothing: string,
): string {
  if (rows.length === 0) return nothing
  const all = [headings, ...rows.map((row) => row.map(printable))]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all
    .map((row) =>
      widths
        .map((width, column) => (row[column] ?? '').padEnd(width))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
