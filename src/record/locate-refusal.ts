/** Finds the record of a list that the database refuses, if a statement for many does not say which. */
import type { Connection } from '../database/driver.ts'
import { inSavepoint } from '../database/savepoint.ts'
import { AppError } from '../errors/app-error.ts'
import type { CancellationToken } from '../util/cancellation-token.ts'
import type { RecordParts } from './record-parts.ts'
import { isRefusal } from './refusal-of.ts'

export interface RefusedList<Item> {
  readonly items: readonly Item[]
  /** Inserts some of them, after those that were inserted before. */
  readonly insert: (items: readonly Item[], connection: Connection) => Promise<unknown>
}

/** An error of a list, and the record that it is about. */
export interface LocatedRefusal {
  readonly refusal: AppError
  /** Undefined if none was found. */
  readonly index: number | undefined
}

/**
 * The error of a list with the pointer of the first refused record; the same error if there is none. An enclosing transaction is to
 * be undone afterwards. The search ends when no one waits for it any more.
 */
export async function locateRefusal<Item>(
  refusal: AppError,
  list: RefusedList<Item>,
  { database: { driver }, cancellation, enclosing }: RecordParts,
): Promise<LocatedRefusal> {
  let located: LocatedRefusal = { refusal, index: undefined }
  const undone = new Error('What was found out by it is undone.')
  const find = async (connection: Connection) => {
    located = (await firstRefused(list, connection, cancellation)) ?? located
    throw undone
  }
  // If the search fails, the list is still refused.
  const search =
    enclosing === undefined ? driver.transaction(find, { cancellation }) : find(enclosing.connection)
  await search.catch(() => {})
  return located
}

/** Binary search: inserts half of the rest at a time, until one refused record is left. */
async function firstRefused<Item>(
  { items, insert }: RefusedList<Item>,
  connection: Connection,
  cancellation: CancellationToken | undefined,
): Promise<LocatedRefusal | undefined> {
  let start = 0
  let size = items.length
  while (cancellation?.isCancelled !== true) {
    const part = Math.ceil(size / 2)
    const refusal = await refusalOfPart(
      () => insert(items.slice(start, start + part), connection),
      connection,
    )
    if (refusal !== undefined && part === 1) return { refusal: placed(refusal, start), index: start }
    if (refusal === undefined) {
      start += part
      size -= part
      if (size === 0) return undefined
    } else size = part
  }
  return undefined
}

async function refusalOfPart(
  insert: () => Promise<unknown>,
  connection: Connection,
): Promise<AppError | undefined> {
  try {
    await inSavepoint(connection, async () => {
      await insert()
    })
    return undefined
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

function placed({ code, message, mistakes, cause }: AppError, index: number): AppError {
  const own = mistakes.length > 0 ? mistakes : [{ pointer: '', detail: message }]
  return new AppError(code, {
    mistakes: own.map(({ pointer, detail }) => ({ pointer: `/${index}${pointer}`, detail })),
    cause,
  })
}
