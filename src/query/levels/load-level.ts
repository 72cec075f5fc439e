import type { Connection } from '../../database/driver.ts'
import type { RowSet } from '../../database/row-set.ts'
import type { SqlValue } from '../../database/sql-value.ts'
import {
  type LongList,
  runRootSelect,
  type SelectContext,
  type SelectedPage,
  selectPages,
} from '../run-select.ts'
import type { CompiledLevel, CompiledRelation } from './compile-level.ts'
import { type HeldRows, mostHeldBytes } from './held-rows.ts'
import { emptyLevel, type LoadedLevel, type LoadedPage, type LoadedRelation } from './loaded-level.ts'
import { WrittenPages } from './written-pages.ts'

/** What the levels of a request have in common. */
export interface LoadContext extends SelectContext {
  readonly held: HeldRows
}

/** Runs a level's statements, then those of the levels below for the keys it found: as many statements as levels. */
export async function loadLevel(
  connection: Connection,
  level: CompiledLevel,
  context: LoadContext,
): Promise<LoadedLevel> {
  context.held.assert()
  const pages = await selectPages(connection, level.select, context, { mostBytes: mostHeldBytes })
  if (pages[0] !== undefined) context.held.add(pages[0])
  return below(connection, level, pages, context)
}

/** The same for the first level, whose list may be too long for memory: then only what is known of it. */
export async function loadRootLevel(
  connection: Connection,
  level: CompiledLevel,
  context: LoadContext,
): Promise<LoadedLevel | LongList> {
  const page = await runRootSelect(connection, level.select, context, { mostBytes: mostHeldBytes })
  if (!('isLong' in page)) context.held.add(page)
  return 'isLong' in page ? page : below(connection, level, [page], context)
}

async function below(
  connection: Connection,
  level: CompiledLevel,
  rowPages: readonly SelectedPage[],
  context: LoadContext,
): Promise<LoadedLevel> {
  const pages = numberRows(rowPages)
  const { timesShown } = level
  if (level.relations.length === 0) return { pages, timesShown, relations: [] }
  return {
    pages,
    timesShown,
    relations: await loadRelations(connection, level.relations, pages, context),
  }
}

/** Loads the levels below for the keys of the rows above. */
export function loadRelations(
  connection: Connection,
  relations: readonly CompiledRelation[],
  pages: readonly LoadedPage[],
  context: LoadContext,
): Promise<readonly LoadedRelation[]> {
  return Promise.all(relations.map((relation) => loadRelation(connection, relation, pages, context)))
}

function numberRows(pages: readonly SelectedPage[]): readonly LoadedPage[] {
  let firstRow = 0
  return pages.map((page) => {
    const numbered = { ...page, firstRow }
    firstRow += page.count
    return numbered
  })
}

async function loadRelation(
  connection: Connection,
  { keyPositions, level }: CompiledRelation,
  pages: readonly LoadedPage[],
  context: LoadContext,
): Promise<LoadedRelation> {
  const keys: (readonly SqlValue[])[] = []
  const pageOfKey = new Map<unknown, number>()
  const pageOfRow: number[] = []
  for (const { rows, start, step, count } of pages) {
    for (let index = 0; index < count; index += 1)
      pageOfRow.push(pageFor(keyOf(rows, start + index * step, keyPositions), keys, pageOfKey))
  }
  if (keys.length === 0) return { level: emptyLevel, pageOfRow }
  let loaded: LoadedLevel
  try {
    loaded = await loadLevel(connection, level, { ...context, keys })
  } catch (error) {
    if (context.mayFail?.(error) !== true) throw error
    return { level: emptyLevel, pageOfRow, failure: error }
  }
  const isShared = keys.length * 2 <= pageOfRow.length
  return { level: loaded, pageOfRow, ...(isShared && { written: new WrittenPages(keys.length) }) }
}

/** Undefined if a part of the key is null: such a row references nothing. */
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
  const identity = identityOf(key)
  const known = pageOfKey.get(identity)
  if (known !== undefined) return known
  const page = keys.push(key) - 1
  pageOfKey.set(identity, page)
  return page
}

/** What equals the identity of another key if their values are the same: bytes by what they hold. */
function identityOf(key: readonly SqlValue[]): unknown {
  const [only] = key
  return key.length > 1 || only instanceof Uint8Array ? JSON.stringify(key.map(partOf)) : only
}

/** Only texts and finite numbers are themselves in JSON, and each other type is a list with its name. */
function partOf(value: SqlValue): unknown {
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('base64')]
  const isPlain = typeof value === 'string' || Number.isFinite(value)
  return isPlain ? value : [typeof value, String(value)]
}
