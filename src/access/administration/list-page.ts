/** Long lists are paged: the query of a request selects the page. */
import * as v from 'valibot'
import { refuse, strictObject } from '../../documents/document-schema.ts'
import type { PageRequest } from '../../store/page-request.ts'

const limitRange = { least: 1, most: 1000 }

/** The query parameter for the size of a page. */
export const limitParameter = v.pipe(
  v.optional(v.string(), '100'),
  refuse(limitMistake),
  v.metadata({
    type: 'integer',
    minimum: limitRange.least,
    maximum: limitRange.most,
    default: 100,
    description: 'How many records the page has at most.',
  }),
  v.transform(Number),
)

/** The query parameters of a list that is sorted by a key: at most `limit` records after the key `after`. */
export const pageParameters = {
  limit: limitParameter,
  after: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000),
      v.description('Where the page begins: the header `Link` of the page before has it.'),
    ),
  ),
}

/** The parameters of a list of named records. */
export const namedPageParameters = {
  ...pageParameters,
  q: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(200),
      v.description('Only records whose name contains this text, in upper or lower case.'),
    ),
  ),
}

/** The query of a list of named records that takes nothing else. */
export const pageQuery = strictObject(namedPageParameters)

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** The query parameters of the next page besides `after`. */
  readonly limit: number
  /** The cursor of the next page; undefined for the last one. */
  readonly next: string | undefined
}

/** Reads a page and one more record, to see whether there is a next page. */
export async function readPage<Item>(
  { limit, after, q }: PageRequest,
  read: (page: PageRequest) => Promise<readonly Item[]>,
  keyOf: (item: Item) => string,
): Promise<ListPage<Item>> {
  const found = await read({ limit: limit + 1, after, q })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, limit, next: found.length > limit && last !== undefined ? keyOf(last) : undefined }
}

function limitMistake(text: string): string | undefined {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (limit >= limitRange.least && limit <= limitRange.most) return undefined
  return `A whole number from ${limitRange.least} to ${limitRange.most} is expected here.`
}
