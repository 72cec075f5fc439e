import type { LoadedLevel } from './loaded-level.ts'

/**
 * Whether writing a level, each row as often as it is referenced, takes more than `most` rows. A few rows that
 * reference each other can become very many when written.
 */
export function hasMoreRows(level: LoadedLevel, most: number): boolean {
  // The exact number requires a look at every row.
  return mostRows(level) > most && countRows(level) > most
}

/** How many rows writing a level takes, each row as often as it is referenced. */
export function countRows(level: LoadedLevel): number {
  let total = 0
  for (const rows of rowsByPage(level)) total += rows
  return total
}

/** An upper bound for the rows that one page of the level takes, including all levels below. */
function mostRows({ pages, timesShown, relations }: LoadedLevel): number {
  let longest = 0
  for (const { count } of pages) if (count > longest) longest = count
  let below = 0
  for (const { level } of relations) below += mostRows(level)
  return longest * timesShown * (1 + below)
}

/** For each page of a level the number of rows it takes, including all levels below. */
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
