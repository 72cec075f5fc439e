import type { Column, ColumnType } from '../../src/database/database-schema.ts'
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
  /** Whether each question takes the database long, so that fewer are asked. */
  readonly costly: boolean
  /** The columns to ask about by field, without those that show values of another type. */
  readonly columns: ReadonlyMap<string, Column>
}

/** Tables with more rows are asked less, and so are views, which may compute anything. */
const manyRows = 5000

/** Where to count and show the first rows takes longer, only the first field is asked about: a sweep takes seconds. */
const slowMilliseconds = 50
const slowFields = 1

/** Reads the rows of an entity, and compares their number with what the database itself counts. */
export async function sampleEntity(
  context: SweepContext,
  entity: EntityType,
): Promise<SampledEntity | undefined> {
  const start = performance.now()
  const first = await context.list(entity, 'the first rows', {
    list: 'first: 5',
    select: `totalCount edges { cursor node { __typename ${scalarSelection(entity)} } }`,
  })
  const slow = performance.now() - start > slowMilliseconds
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
  const fitting = [...entity.filterable.columns].filter((field) => isFitting(context, entity, field, rows))
  const columns = new Map(fitting.slice(0, slow ? slowFields : undefined))
  const costly = total > manyRows || entity.table.kind === 'view'
  return { entity, total, rows, whole: total <= rowLimit, costly, columns }
}

async function countRows({ database }: SweepContext, { table }: EntityType): Promise<number> {
  const { dialect, driver } = database
  const sql = `select count(*) from ${dialect.syntax.quoteTable(table)}`
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

/** The form in which each type is shown. */
const forms: Readonly<Partial<Record<ColumnType, (value: unknown) => boolean>>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'number' && (value | 0) === value,
  bigint: (value) =>
    Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{16,20}$/.test(value)),
  float: (value) => typeof value === 'number',
  decimal: (value) => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value),
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  dateTime: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?$/.test(value),
  binary: (value) => typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value,
}

function isFitting(
  context: SweepContext,
  entity: EntityType,
  [field, { type, nativeType, nullable }]: readonly [string, Column],
  rows: readonly ShownRow[],
): boolean {
  const isWell = (value: unknown) => (value === null ? nullable : (forms[type]?.(value) ?? true))
  const wrong = rows.find((row) => !isWell(row[field]))
  if (wrong === undefined) return true
  // Any column of SQLite may hold a text, which is then shown; nothing else can be said of such a column.
  if (context.database.dialect.product === 'sqlite' && typeof wrong[field] === 'string') return false
  const query = `{ ${entity.name} { edges { node { ${field} } } } }`
  context.fail(
    entity,
    `values of "${field}" (${nativeType}) have the form of its type`,
    show(wrong[field]),
    query,
  )
  return false
}
