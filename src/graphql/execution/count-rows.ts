import type { LoadedLevel } from './load-level.ts'

/**
 * Whether writing a level, each row as often as it is referred to, takes more than `most` rows. Few rows that refer to each
 * other may be very many when they are written.
 */
export function hasMoreRows(level: LoadedLevel, most: number): boolean {
  // The exact number costs a look at every row.
  if (mostRows(level) <= most) return false
  let total = 0
  for (const rows of rowsByPage(level)) total += rows
  return total > most
}

/** No page of the level takes more rows than this, times the number of pages at its root. */
function mostRows({ pages, timesShown, relations }: LoadedLevel): number {
  let longest = 0
  for (const { count } of pages) if (count > longest) longest = count
  let below = 0
  for (const { level } of relations) below += mostRows(level)
  return longest * timesShown * (1 + below)
}

/** For each page of a level how many rows it takes, with all below them. */
function rowsByPage({ pages, timesShown, relations }: LoadedLevel): Float64Array {
  const below = relations.map(({ level, pageOfRow }) => ({ rows: rowsByPage(level), pageOfRow }))
  const counts = new Float64Array(pages.length)
  for (const [index, { firstRow, count }] of pages.entries()) {
    let total = count
    for (const { rows, pageOfRow } of below) {
      for (let row = firstRow; row < firstRow + count; row += 1) total += rows[pageOfRow[row] ?? -1] ?? 0
    }
    counts[index] = total * timesShown
  }
  return counts
}
