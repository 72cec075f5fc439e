/** Long lists are answered in pages: the query of a request says which one. */
import * as v from 'valibot'
import { refuse } from '../../documents/document-schema.ts'
import type { Page } from '../../store/page.ts'

const limitRange = { least: 1, most: 1000 }

/** The query parameter that says how many records a page has. */
export const limitParameter = v.pipe(v.optional(v.string(), '100'), refuse(limitMistake), v.transform(Number))

/** The query parameters of a list that is sorted by a key: at most `limit` records, of those behind the key `after`. */
export const pageParameters = {
  limit: limitParameter,
  after: v.optional(v.pipe(v.string(), v.maxLength(1000))),
}

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** The query parameters that the next page has beside `after`. */
  readonly limit: number
  /** What the next page is after; undefined where this is the last. */
  readonly next: string | undefined
}

/** Reads a page; one record more than it has is asked for, to see whether there is one. */
export async function readPage<Item>(
  { limit, after }: Page,
  read: (page: Page) => Promise<readonly Item[]>,
  keyOf: (item: Item) => string,
): Promise<ListPage<Item>> {
  const found = await read({ limit: limit + 1, after })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, limit, next: found.length > limit && last !== undefined ? keyOf(last) : undefined }
}

function limitMistake(text: string): string | undefined {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (limit >= limitRange.least && limit <= limitRange.most) return undefined
  return `A whole number from ${limitRange.least} to ${limitRange.most} is expected here.`
}
