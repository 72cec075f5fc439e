import type { Column } from '../../src/database/database-schema.ts'
import type { EntityType } from '../../src/graphql/model/model.ts'
import { compareValues, isOrderedByDatabase } from '../support/compare-values.ts'
import type { SampledEntity } from './sampled-entity.ts'
import {
  listQuery,
  nodesOf,
  rowLimit,
  type ShownList,
  type ShownRow,
  type SweepContext,
  show,
} from './sweep-context.ts'

/** By how many fields costly tables are sorted. */
const fewFields = 3
/** How much of a table that is not looked at whole is walked through. */
const walked = 60

interface Sorting {
  readonly context: SweepContext
  readonly sampled: SampledEntity
  readonly field: string
  readonly column: Column
  readonly direction: 'asc' | 'desc'
}

/** Sorted by every field both ways: the order is right, and pages in both directions are the list without doubles or gaps. */
export async function checkOrder(context: SweepContext, sampled: SampledEntity): Promise<void> {
  const columns = [...sampled.columns]
  for (const [field, column] of columns.slice(0, sampled.costly ? fewFields : undefined)) {
    for (const direction of ['asc', 'desc'] as const) {
      const sorting = { context, sampled, field, column, direction }
      await checkSorted(sorting)
      if (sampled.entity.key.length > 0) await checkWalks(sorting)
      else await checkOffsets(sorting)
    }
  }
}

async function checkSorted(sorting: Sorting): Promise<void> {
  const { context, sampled, field, column, direction } = sorting
  const { entity, rows, whole } = sampled
  const keyFields = fieldsOfKey(entity)
  const request = {
    list: `${direction}: ${JSON.stringify(field)}, limit: ${rowLimit}`,
    select: `edges { node { ${[...new Set([field, ...keyFields])].join(' ')} } }`,
  }
  const what = `${direction} by "${field}" (${column.nativeType})`
  const list = await context.list(entity, what, request)
  if (list === undefined) return
  const query = listQuery(entity, request)
  const found = nodesOf(list)
  if (found.length !== rows.length)
    context.fail(entity, what, `${found.length} rows, not ${rows.length}`, query)
  const compare = orderOf(sorting)
  const wrong = found.findIndex((row, index) => compare(found[index - 1] ?? row, row) > 0)
  if (wrong !== -1)
    context.fail(entity, what, `${show(found[wrong])} comes after ${show(found[wrong - 1])}`, query)
  if (!whole) return
  const values = (list: readonly ShownRow[]) => list.map((row) => JSON.stringify(row[field])).toSorted()
  if (JSON.stringify(values(found)) !== JSON.stringify(values(rows)))
    context.fail(entity, what, 'other values than unsorted', query)
}

/** The order of two rows: by the field, then by the key where its columns have an order of ours. */
function orderOf({ sampled, field, column, direction }: Sorting): (a: ShownRow, b: ShownRow) => number {
  const { entity } = sampled
  const own = new Map([...sampled.columns].map(([name, { type }]) => [name, type]))
  return (a, b) => {
    if (isOrderedByDatabase(column.type)) {
      // Only nulls have a place of their own.
      const nulls = Number(a[field] !== null) - Number(b[field] !== null)
      return direction === 'asc' ? nulls : -nulls
    }
    const byField = compareValues(column.type, a[field], b[field])
    if (byField !== 0) return direction === 'asc' ? byField : -byField
    for (const name of fieldsOfKey(entity)) {
      const type = own.get(name) ?? 'other'
      if (isOrderedByDatabase(type)) return 0
      const byKey = name === field ? 0 : compareValues(type, a[name], b[name])
      if (byKey !== 0) return byKey
    }
    return 0
  }
}

function fieldsOfKey({ key, filterable }: EntityType): readonly string[] {
  return key.flatMap((column) =>
    [...filterable.columns].filter(([, own]) => own === column).map(([name]) => name),
  )
}

/** The list by pages from both ends, and for part of a large table the part that `limit` cuts. */
async function checkWalks(sorting: Sorting): Promise<void> {
  const { whole, total } = sorting.sampled
  if (whole) {
    const expected = await globalIds(sorting, `limit: ${rowLimit}`)
    const size = Math.max(1, Math.ceil(total / 3))
    await walk(sorting, { list: '', size, expected, forward: true })
    await walk(sorting, { list: '', size, expected, forward: false })
    return
  }
  const size = walked / 3
  const start = await globalIds(sorting, `first: ${walked}`)
  const end = await globalIds(sorting, `last: ${walked}`)
  await walk(sorting, { list: '', size, expected: start, forward: true })
  await walk(sorting, { list: '', size, expected: end, forward: false })
  const list = `limit: ${walked}, `
  await walk(sorting, { list, size, expected: start, forward: true })
  await walk(sorting, { list, size, expected: start, forward: false })
}

async function globalIds(sorting: Sorting, list: string): Promise<readonly unknown[]> {
  const { context, sampled, field, direction } = sorting
  const request = {
    list: `${direction}: ${JSON.stringify(field)}, ${list}`,
    select: 'edges { node { GlobalId } }',
  }
  const answer = await context.list(sampled.entity, `${direction} by "${field}", ${list}`, request)
  return nodesOf(answer).map((row) => row.GlobalId)
}

interface Walk {
  /** Arguments besides the order and the page. */
  readonly list: string
  readonly size: number
  readonly expected: readonly unknown[]
  readonly forward: boolean
}

async function walk(sorting: Sorting, { list, size, expected, forward }: Walk): Promise<void> {
  const { context, sampled, field, direction } = sorting
  const { entity } = sampled
  const [count, from] = forward ? ['first', 'after'] : ['last', 'before']
  const request = {
    declared: '$cursor: String',
    list: `${direction}: ${JSON.stringify(field)}, ${list}${count}: ${size}, ${from}: $cursor`,
    select: `edges { cursor node { GlobalId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`,
  }
  const query = listQuery(entity, request)
  const what = `a walk ${forward ? 'forward' : 'backward'}, ${direction} by "${field}"`
  let seen: readonly unknown[] = []
  let cursor: string | null = null
  while (seen.length < expected.length || expected.length === 0) {
    const variables: { readonly cursor: string | null } = { cursor }
    const page: ShownList | undefined = await context.list(entity, what, { ...request, variables })
    if (page === undefined) return
    const ids = nodesOf(page).map((row) => row.GlobalId)
    const wanted = forward
      ? expected.slice(seen.length, seen.length + size)
      : expected.slice(Math.max(0, expected.length - seen.length - size), expected.length - seen.length)
    if (show(ids) !== show(wanted) || ids.length !== wanted.length) {
      const found = `page of ${ids.length} after ${seen.length} rows: ${show(ids)}, not ${show(wanted)}`
      context.fail(entity, what, found, query, variables)
      return
    }
    checkPageInfo(sorting, page, {
      query,
      variables,
      what,
      forward,
      before: seen.length,
      expected,
      cut: list,
    })
    seen = forward ? [...seen, ...ids] : [...ids, ...seen]
    cursor = (forward ? page.pageInfo?.endCursor : page.pageInfo?.startCursor) ?? null
    if (expected.length === 0) return
  }
}

function checkPageInfo(
  { context, sampled }: Sorting,
  { pageInfo, edges = [] }: ShownList,
  at: {
    readonly query: string
    readonly variables: Readonly<Record<string, unknown>>
    readonly what: string
    readonly forward: boolean
    readonly before: number
    readonly expected: readonly unknown[]
    readonly cut: string
  },
): void {
  const isPartOnly = !sampled.whole && at.cut === ''
  const behind = at.before > 0
  const ahead = isPartOnly || at.before + edges.length < at.expected.length
  const expected = {
    hasNextPage: at.forward ? ahead : behind,
    hasPreviousPage: at.forward ? behind : ahead,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  }
  if (show(pageInfo) !== show(expected)) {
    const found = `pageInfo ${show(pageInfo)}, not ${show(expected)}`
    context.fail(sampled.entity, at.what, found, at.query, at.variables)
  }
}

/** Without a key rows of one value have no order: only the values are compared. */
async function checkOffsets({ context, sampled, field, direction }: Sorting): Promise<void> {
  const { entity, total } = sampled
  const order = `${direction}: ${JSON.stringify(field)}`
  const select = `edges { node { ${field} } }`
  const what = `pages by offset, ${order}`
  const values = (list: ShownList | undefined) => nodesOf(list).map((row) => row[field])
  const size = Math.ceil(Math.min(total, walked) / 3)
  const expected = values(await context.list(entity, what, { list: `${order}, limit: ${size * 3}`, select }))
  const found: unknown[] = []
  for (const offset of [0, size, size * 2])
    found.push(
      ...values(
        await context.list(entity, what, { list: `${order}, offset: ${offset}, limit: ${size}`, select }),
      ),
    )
  if (show(found) !== show(expected))
    context.fail(
      entity,
      what,
      `${show(found)}, not ${show(expected)}`,
      listQuery(entity, { list: order, select }),
    )
}
