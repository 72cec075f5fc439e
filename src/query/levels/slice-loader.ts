import type { Connection } from '../../database/driver.ts'
import type { SelectContext, SelectedPage } from '../run-select.ts'
import type { CompiledLevel } from './compile-level.ts'
import { HeldRows, TooManyHeldRows } from './held-rows.ts'
import { loadRelations } from './load-level.ts'
import type { LoadedLevel, LoadedPage } from './loaded-level.ts'

/** Rows of a page with all that belongs to them. */
export interface LoadedSlice {
  readonly page: LoadedPage
  /** The level with this page alone. */
  readonly level: LoadedLevel
}

/** What a `SliceLoader` needs to know of the level whose rows are read. */
export interface SliceParts {
  readonly connection: Connection
  readonly level: Pick<CompiledLevel, 'timesShown' | 'relations'>
  readonly context: SelectContext
  /** How many rows of the levels below may be in memory at once. */
  readonly mostHeldRows: number
}

/** Loads what belongs to the rows of a list, for as many rows at a time as fit in memory. */
export class SliceLoader {
  readonly #parts: SliceParts
  #most = Number.POSITIVE_INFINITY

  constructor(parts: SliceParts) {
    this.#parts = parts
  }

  /** For the rows of a page from `from` on; undefined if what belongs to a single row is too much for memory. */
  async load(page: SelectedPage, from: number): Promise<LoadedSlice | undefined> {
    for (;;) {
      const count = Math.min(this.#most, page.count - from)
      const slice = { ...page, start: page.start + from * page.step, count, firstRow: 0 }
      const level = await this.#load(slice)
      if (level !== undefined) {
        this.#most *= 2
        return { page: slice, level }
      }
      if (count <= 1) return undefined
      this.#most = Math.ceil(count / 2)
    }
  }

  /** Undefined if it is too much for memory. */
  async #load(page: LoadedPage): Promise<LoadedLevel | undefined> {
    const { connection, level, context, mostHeldRows } = this.#parts
    const held = new HeldRows(mostHeldRows)
    try {
      const relations = await loadRelations(connection, level.relations, [page], { ...context, held })
      return { pages: [page], timesShown: level.timesShown, relations }
    } catch (error) {
      if (error instanceof TooManyHeldRows) return undefined
      throw error
    }
  }
}
