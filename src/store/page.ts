import type { SqlValue } from '../database/driver.ts'
import { parameter, raw, type SqlFragment, sql } from '../database/sql.ts'

/** Which records of a list, sorted by their key: at most `limit`, of those behind the key `after`. */
export interface Page {
  readonly limit: number
  readonly after?: string | undefined
}

/** The end of a statement that lists records by a key: those of a page, or all. */
export function pageBy(column: string, page: Page | undefined): SqlFragment<SqlValue> {
  const key = raw(column)
  if (page === undefined) return sql`order by ${key}`
  const { limit, after } = page
  const tail = sql<SqlValue>`order by ${key} limit ${parameter<SqlValue>(limit)}`
  return after === undefined ? tail : sql<SqlValue>`where ${key} > ${parameter<SqlValue>(after)} ${tail}`
}

/** So few at a time that reading them takes a few milliseconds. */
const pageSize = 500

/** All records, page by page, so that other work has its turn between two pages. */
export async function readPages<Item>(
  read: (page: Page) => Promise<readonly Item[]>,
  keyOf: (item: Item) => string,
): Promise<readonly Item[]> {
  const all: Item[] = []
  let after: string | undefined
  for (;;) {
    const items = await read({ limit: pageSize, after })
    for (const item of items) all.push(item)
    const last = items.at(-1)
    if (last === undefined || items.length < pageSize) return all
    after = keyOf(last)
  }
}
