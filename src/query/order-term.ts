import type { Column } from '../database/database-schema.ts'
import type { RelatedRows } from './filterable.ts'

/** One column that rows are sorted by. */
export interface OrderTerm {
  /** With `via` one of no table, which `select-parts.ts` adds to the rows. */
  readonly column: Column
  readonly direction: 'asc' | 'desc'
  /** For a column of the one row that references lead to. */
  readonly via?: RelatedColumn
}

/** A column of a related row: each step belongs to the one before. */
interface RelatedColumn {
  /** The names of the steps. */
  readonly path: readonly string[]
  readonly steps: readonly RelatedRows[]
  readonly column: Column
}

/** One step of one or several paths. */
export interface JoinedStep {
  /** The path to the row that it belongs to; empty for the row that is sorted. */
  readonly from: string
  readonly rows: RelatedRows
}

/** The steps that terms lead through, by the path up to each: those of paths that begin alike once, and in their order. */
export function joinedStepsOf(terms: readonly OrderTerm[]): ReadonlyMap<string, JoinedStep> {
  const joined = new Map<string, JoinedStep>()
  for (const { via } of terms) {
    let from = ''
    for (const [depth, rows] of (via?.steps ?? []).entries()) {
      const to = pathOf(via?.path.slice(0, depth + 1) ?? [])
      if (!joined.has(to)) joined.set(to, { from, rows })
      from = to
    }
  }
  return joined
}

/** Names as a path, as clients write it. */
export function pathOf(names: readonly string[]): string {
  return names.join('.')
}
