import { createHash } from 'node:crypto'
import type { ForeignKey } from '../../database-schema.ts'
import type { Ddl } from '../../dialect.ts'
import type { SqlValue, Statement } from '../../driver.ts'
import type { ColumnSpec, TableSpec } from '../../table-spec.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { declaredTypes } from './types.ts'

const quote = standardSyntax.quoteIdentifier
const list = (names: readonly string[]) => names.map(quote).join(', ')
const statement = (sql: string, parameters: readonly SqlValue[] = []): Statement => ({ sql, parameters })

export const postgresqlDdl: Ddl = {
  transactional: true,

  // References come when all tables are there, since tables may refer to each other.
  createTables: (specs) => [
    ...specs.map(createTable),
    ...specs.flatMap((spec) => spec.indexes.map((columns) => createIndex(spec, columns))),
    ...specs.flatMap((spec) => spec.foreignKeys.map((key) => addForeignKey(spec, key))),
  ],

  addColumns(found, wanted) {
    const added = wanted.columns.filter((column) => !found.columns.has(column.name))
    const names = new Set(added.map((column) => column.name))
    const touchesAdded = (columns: readonly string[]) => columns.some((name) => names.has(name))
    const filled = added.filter(({ fill }) => fill !== undefined && fill !== null)
    const strictened = filled.filter(({ nullable }) => !nullable)
    return [
      ...alter(
        wanted,
        added.map(
          (column) =>
            `add column ${columnText({ ...column, nullable: column.nullable || filled.includes(column) })}`,
        ),
      ),
      ...fill(wanted, filled),
      ...alter(
        wanted,
        strictened.map(({ name }) => `alter column ${quote(name)} set not null`),
      ),
      ...alter(
        wanted,
        wanted.uniqueKeys.filter(touchesAdded).map((columns) => `add ${uniqueKey(wanted, columns)}`),
      ),
      ...wanted.indexes.filter(touchesAdded).map((columns) => createIndex(wanted, columns)),
      ...wanted.foreignKeys
        .filter(({ columns }) => touchesAdded(columns))
        .map((key) => addForeignKey(wanted, key)),
    ]
  },

  dropTable: (name) => [statement(`drop table ${quote(name)}`)],
}

function columnText({ name, type, nullable }: ColumnSpec): string {
  return `${quote(name)} ${declaredTypes[type]}${nullable ? '' : ' not null'}`
}

function createTable(spec: TableSpec): Statement {
  const primaryKey = boundedName([spec.name], 'pkey')
  const lines = [
    ...spec.columns.map(columnText),
    `constraint ${quote(primaryKey)} primary key (${list(spec.primaryKey)})`,
    ...spec.uniqueKeys.map((columns) => uniqueKey(spec, columns)),
  ]
  return statement(`create table ${quote(spec.name)} (\n  ${lines.join(',\n  ')}\n)`)
}

function alter(spec: TableSpec, changes: readonly string[]): readonly Statement[] {
  return changes.length === 0 ? [] : [statement(`alter table ${quote(spec.name)} ${changes.join(', ')}`)]
}

/** What the rows that are there get in new columns. */
function fill(spec: TableSpec, columns: readonly ColumnSpec[]): readonly Statement[] {
  if (columns.length === 0) return []
  const changes = columns.map(({ name }, index) => `${quote(name)} = $${index + 1}`).join(', ')
  return [
    statement(
      `update ${quote(spec.name)} set ${changes}`,
      columns.map((column) => column.fill ?? null),
    ),
  ]
}

function uniqueKey(spec: TableSpec, columns: readonly string[]): string {
  const name = boundedName([spec.name, ...columns], 'key')
  return `constraint ${quote(name)} unique (${list(columns)})`
}

function createIndex(spec: TableSpec, columns: readonly string[]): Statement {
  const name = boundedName([spec.name, ...columns], 'index')
  return statement(`create index ${quote(name)} on ${quote(spec.name)} (${list(columns)})`)
}

function addForeignKey(
  spec: TableSpec,
  { columns, referencedTable, referencedColumns }: ForeignKey,
): Statement {
  const name = boundedName([spec.name, ...columns], 'ref')
  return statement(
    `alter table ${quote(spec.name)} add constraint ${quote(name)} foreign key (${list(columns)}) references ${quote(referencedTable)} (${list(referencedColumns)})`,
  )
}

/** In bytes; the server cuts what is longer. */
const nameLimit = 63

/**
 * `Port_tenantId_1f3c5a7e_key`. Indexes share one set of names with the tables of their schema: the digest
 * keeps `A` (`b_c`) apart from `A_b` (`c`) and from a table of that name.
 */
function boundedName(parts: readonly string[], ending: string): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)
  const rest = `_${digest}_${ending}`
  let start = Array.from(parts.join('_'))
  while (Buffer.byteLength(start.join('')) + rest.length > nameLimit) start = start.slice(0, -1)
  return start.join('') + rest
}
