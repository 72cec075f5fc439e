import type { EntityType } from '../../src/graphql/model/model.ts'
import {
  nodesOf,
  rowLimit,
  type ShownRow,
  type SweepContext,
  scalarSelection,
  show,
} from './sweep-context.ts'

/** An entity with the rows that the sweep compares everything with. */
export interface SampledEntity {
  readonly entity: EntityType
  /** How many rows the table has. */
  readonly total: number
  /** The first rows by key, at most `rowLimit`. */
  readonly rows: readonly ShownRow[]
  /** Whether `rows` are all there are. */
  readonly whole: boolean
}

/** Reads the rows of an entity, and compares their number with what the database itself counts. */
export async function sampleEntity(
  context: SweepContext,
  entity: EntityType,
): Promise<SampledEntity | undefined> {
  const first = await context.list(entity, 'the first rows', {
    list: 'first: 5',
    select: `totalCount edges { cursor node { __typename ${scalarSelection(entity)} } }`,
  })
  const list = await context.list(entity, 'the rows', {
    list: `limit: ${rowLimit}`,
    select: `edges { node { ${scalarSelection(entity)} } }`,
  })
  if (first === undefined || list === undefined) return undefined
  const rows = nodesOf(list)
  const total = first.totalCount ?? -1
  const counted = await countRows(context, entity)
  const query = `{ ${entity.name} { totalCount } }`
  if (counted !== total)
    context.fail(entity, 'totalCount is the number of rows', `${total}, not ${counted}`, query)
  if (rows.length !== Math.min(total, rowLimit))
    context.fail(entity, 'the list has as many rows as the table', `${rows.length} of ${total}`, query)
  checkGlobalIds(context, entity, rows)
  return { entity, total, rows, whole: total <= rowLimit }
}

async function countRows({ database }: SweepContext, { table }: EntityType): Promise<number> {
  const { dialect, driver } = database
  const sql = `select count(*) from ${dialect.syntax.quoteIdentifier(table.name)}`
  const rows = await driver.read((connection) => connection.query({ sql, parameters: [] }))
  return Number(rows[0]?.[0])
}

function checkGlobalIds(context: SweepContext, entity: EntityType, rows: readonly ShownRow[]): void {
  if (entity.filterable.globalId === undefined) return
  const { name } = entity.filterable.globalId
  const seen = new Set<unknown>()
  for (const row of rows) {
    if (seen.has(row[name])) {
      const query = `{ ${entity.name} { edges { node { ${name} } } } }`
      context.fail(entity, `every row has a ${name} of its own`, `${show(row[name])} twice`, query)
      return
    }
    seen.add(row[name])
  }
}
