import { bytesOf } from '../../database/batching/bytes-of.ts'
import type { Connection, SelectOptions, SqlValue } from '../../database/driver.ts'
import type { RowSet } from '../../database/row-set.ts'
import type { BindingContext } from '../../query/binding.ts'
import { type LongList, runRootSelect, type SelectedPage, selectPages } from '../../query/run-select.ts'
import type { CompiledLevel, CompiledRelation } from '../planning/compile-operation.ts'
import { WrittenPages } from '../response/written-pages.ts'
import { mostHeldBytes } from './response-limits.ts'

/** The rows of one level and of all levels below it. */
export interface LoadedLevel {
  /** One page, or in a level below one page per key. */
  readonly pages: readonly LoadedPage[]
  /** How often each row stands in the answer, every time that its page does. */
  readonly timesShown: number
  readonly relations: readonly LoadedRelation[]
}

export interface LoadedPage extends SelectedPage {
  /** Rows are counted through all pages of a level; this is the number of the page's first row. */
  readonly firstRow: number
}

export interface LoadedRelation {
  readonly level: LoadedLevel
  /** For each row of the level above, which page of `level` is its own; -1 where the row has no key. */
  readonly pageOfRow: readonly number[]
  /** Present where many rows have the same page. */
  readonly written?: WrittenPages
}

/** What one request reads its levels with. */
export interface LoadContext extends BindingContext {
  readonly held: HeldRows
}

/** More rows are to be held at once than may be. */
export class TooManyHeldRows extends Error {}

/** Counts the rows that are held at once. */
export class HeldRows {
  readonly #mostRows: number
  #rows = 0
  #bytes = 0

  constructor(mostRows: number) {
    this.#mostRows = mostRows
  }

  /** Throws `TooManyHeldRows`, also for all that come after. */
  add(rows: RowSet): void {
    this.#rows += rows.length
    this.#bytes += bytesOf(rows)
    if (rows.isCut) throw new TooManyHeldRows()
    this.assert()
  }

  assert(): void {
    if (this.#rows > this.#mostRows || this.#bytes > mostHeldBytes) throw new TooManyHeldRows()
  }
}

/** Runs a level's statements, then those below for the keys it found: as many statements as there are levels. */
async function loadLevel(
  connection: Connection,
  level: CompiledLevel,
  context: LoadContext,
  isLast: boolean,
): Promise<LoadedLevel> {
  context.held.assert()
  const pages = await selectPages(connection, level.select, context, optionsOf(level, isLast))
  if (pages[0] !== undefined) context.held.add(pages[0].rows)
  return below(connection, level, pages, context, isLast)
}

/** The last level is the one with nothing below it. */
function optionsOf({ relations }: CompiledLevel, isLast: boolean): SelectOptions {
  return { last: isLast && relations.length === 0, mostBytes: mostHeldBytes }
}

/**
 * The same for a root field, whose list may be too long to be held: then only what is known of it. `isLast` promises that
 * nothing else is asked of the connection.
 */
export async function loadRootLevel(
  connection: Connection,
  level: CompiledLevel,
  context: LoadContext,
  isLast: boolean,
): Promise<LoadedLevel | LongList> {
  const page = await runRootSelect(connection, level.select, context, optionsOf(level, isLast))
  if (!('isLong' in page)) context.held.add(page.rows)
  return 'isLong' in page ? page : below(connection, level, [page], context, isLast)
}

async function below(
  connection: Connection,
  level: CompiledLevel,
  rowPages: readonly SelectedPage[],
  context: LoadContext,
  isLast: boolean,
): Promise<LoadedLevel> {
  const pages = numberRows(rowPages)
  const { timesShown } = level
  if (level.relations.length === 0) return { pages, timesShown, relations: [] }
  return {
    pages,
    timesShown,
    relations: await loadRelations(connection, level.relations, pages, context, isLast),
  }
}

/** Loads the levels below for the keys of the rows above. */
export function loadRelations(
  connection: Connection,
  relations: readonly CompiledRelation[],
  pages: readonly LoadedPage[],
  context: LoadContext,
  isLast = false,
): Promise<readonly LoadedRelation[]> {
  const isLastOfAll = isLast && relations.length === 1
  return Promise.all(
    relations.map((relation) => loadRelation(connection, relation, pages, context, isLastOfAll)),
  )
}

function numberRows(pages: readonly SelectedPage[]): readonly LoadedPage[] {
  let firstRow = 0
  return pages.map((page) => {
    const numbered = { ...page, firstRow }
    firstRow += page.count
    return numbered
  })
}

/** A level without rows. */
export const emptyLevel: LoadedLevel = { pages: [], timesShown: 1, relations: [] }

async function loadRelation(
  connection: Connection,
  { keyPositions, level }: CompiledRelation,
  pages: readonly LoadedPage[],
  context: LoadContext,
  isLast: boolean,
): Promise<LoadedRelation> {
  const keys: (readonly SqlValue[])[] = []
  const pageOfKey = new Map<unknown, number>()
  const pageOfRow: number[] = []
  for (const { rows, start, step, count } of pages) {
    for (let index = 0; index < count; index += 1)
      pageOfRow.push(pageFor(keyOf(rows, start + index * step, keyPositions), keys, pageOfKey))
  }
  if (keys.length === 0) return { level: emptyLevel, pageOfRow }
  const loaded = await loadLevel(connection, level, { ...context, keys }, isLast)
  const isShared = keys.length * 2 <= pageOfRow.length
  return { level: loaded, pageOfRow, ...(isShared && { written: new WrittenPages(keys.length) }) }
}

/** Undefined where a part of the key is null: such a row refers to nothing. */
function keyOf(rows: RowSet, row: number, positions: readonly number[]): readonly SqlValue[] | undefined {
  const [only] = positions
  if (only !== undefined && positions.length === 1) {
    const value = rows.value(row, only)
    return value === null ? undefined : [value]
  }
  const key = positions.map((position) => rows.value(row, position))
  return key.includes(null) ? undefined : key
}

function pageFor(
  key: readonly SqlValue[] | undefined,
  keys: (readonly SqlValue[])[],
  pageOfKey: Map<unknown, number>,
): number {
  if (key === undefined) return -1
  const identity = key.length === 1 ? key[0] : JSON.stringify(key)
  const known = pageOfKey.get(identity)
  if (known !== undefined) return known
  const page = keys.push(key) - 1
  pageOfKey.set(identity, page)
  return page
}
