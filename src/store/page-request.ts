import { join, parameter, raw, type SqlFragment, sql } from '../database/sql.ts'
import type { SqlValue } from '../database/sql-value.ts'

/** A page of a list, sorted by key: at most `limit` records after the key `after`. */
export interface PageRequest {
  readonly limit: number
  readonly after?: string | undefined
  /** A part of the key, in upper or lower case: other records are left out. */
  readonly q?: string | undefined
}

/** The end of a statement that lists records by a key: those of a page, or all. */
export function pageBy(column: string, page: PageRequest | undefined): SqlFragment<SqlValue> {
  const key = raw(column)
  if (page === undefined) return sql`order by ${key}`
  const { limit, after, q } = page
  const conditions = [
    ...(after === undefined ? [] : [sql<SqlValue>`${key} > ${parameter<SqlValue>(after)}`]),
    ...(q === undefined ? [] : [keyContains(column, q)]),
  ]
  const where = conditions.length === 0 ? raw('') : sql<SqlValue>`where ${join(conditions, ' and ')} `
  return sql<SqlValue>`${where}order by ${key} limit ${parameter<SqlValue>(limit)}`
}

/** Whether a key contains a text, in upper or lower case as far as the database knows letters. */
export function keyContains(column: string, text: string): SqlFragment<SqlValue> {
  const pattern = `%${text.replaceAll(/[!%_]/g, '!$&')}%`
  return sql<SqlValue>`lower(${raw(column)}) like lower(${parameter<SqlValue>(pattern)}) escape '!'`
}

/** Few enough that reading them takes a few milliseconds. */
const pageSize = 500

/** All records, page by page, so that other work can run between pages. */
export async function readPages<Item>(
  read: (page: PageRequest) => Promise<readonly Item[]>,
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
