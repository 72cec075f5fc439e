import type { SelectedPage } from '../run-select.ts'
import type { WrittenPages } from './written-pages.ts'

/** The rows of one level and of all levels below it. */
export interface LoadedLevel {
  /** One page, or in a level below one page per key. */
  readonly pages: readonly LoadedPage[]
  /** How often each row is written each time its page is. */
  readonly timesShown: number
  readonly relations: readonly LoadedRelation[]
}

export interface LoadedPage extends SelectedPage {
  /** Rows are numbered across all pages of a level; this is the number of the page's first row. */
  readonly firstRow: number
}

export interface LoadedRelation {
  readonly level: LoadedLevel
  /** For each row of the level above, the index of its page in `level`; -1 if the row has no key. */
  readonly pageOfRow: readonly number[]
  /** Why nothing could be loaded; then `level` is empty. */
  readonly failure?: unknown
  /** Present if many rows share a page. */
  readonly written?: WrittenPages
}

/** A level without rows. */
export const emptyLevel: LoadedLevel = { pages: [], timesShown: 1, relations: [] }
