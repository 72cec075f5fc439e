import { createHash } from 'node:crypto'
import type { ForeignKey } from '../../database-schema.ts'
import type { Ddl } from '../../dialect.ts'
import type { SqlValue, Statement } from '../../driver.ts'
import type { ColumnSpec, TableSpec } from '../../table-spec.ts'
import { quoteIdentifier as quote } from './quote.ts'
import type { MysqlServer } from './server.ts'
import { declaredTypes } from './types.ts'

const list = (names: readonly string[]) => names.map(quote).join(', ')
const statement = (sql: string, parameters: readonly SqlValue[] = []): Statement => ({ sql, parameters })

/** Tables of InnoDB whose texts compare exactly. Every statement commits by itself. */
export function mysqlDdl(server: MysqlServer): Ddl {
  return {
    transactional: false,

    // References come when all tables are there, since tables may refer to each other.
    createTables: (specs) => [
      ...specs.map((spec) => createTable(spec, server)),
      ...specs.flatMap((spec) => spec.foreignKeys.map((key) => addForeignKey(spec, key))),
    ],

    addColumns(found, wanted) {
      const added = wanted.columns.filter((column) => !found.columns.has(column.name))
      const names = new Set(added.map((column) => column.name))
      const touchesAdded = (columns: readonly string[]) => columns.some((name) => names.has(name))
      const filled = added.filter(({ fill }) => fill !== undefined && fill !== null)
      const additions = added.map((column) => {
        const nullable = column.nullable || filled.includes(column)
        return `add column ${columnText({ ...column, nullable })}`
      })
      const strictened = filled.filter(({ nullable }) => !nullable)
      const finish = [
        ...strictened.map((column) => `modify column ${columnText(column)}`),
        ...wanted.uniqueKeys.filter(touchesAdded).map((columns) => `add ${uniqueKey(wanted, columns)}`),
        ...wanted.indexes.filter(touchesAdded).map((columns) => `add ${index(wanted, columns)}`),
      ]
      return [
        ...alter(wanted, additions),
        ...fill(wanted, filled),
        ...alter(wanted, finish),
        ...wanted.foreignKeys
          .filter(({ columns }) => touchesAdded(columns))
          .map((key) => addForeignKey(wanted, key)),
      ]
    },

    dropTable: (name) => [statement(`drop table ${quote(name)}`)],
  }
}

function columnText({ name, type, nullable }: ColumnSpec): string {
  return `${quote(name)} ${declaredTypes[type]} ${nullable ? 'null' : 'not null'}`
}

function createTable(spec: TableSpec, { exactCollation }: MysqlServer): Statement {
  const lines = [
    ...spec.columns.map(columnText),
    `primary key (${list(spec.primaryKey)})`,
    ...spec.uniqueKeys.map((columns) => uniqueKey(spec, columns)),
    ...spec.indexes.map((columns) => index(spec, columns)),
  ]
  return statement(
    `create table ${quote(spec.name)} (\n  ${lines.join(',\n  ')}\n) engine = InnoDB default character set utf8mb4 collate ${exactCollation}`,
  )
}

function alter(spec: TableSpec, changes: readonly string[]): readonly Statement[] {
  return changes.length === 0 ? [] : [statement(`alter table ${quote(spec.name)} ${changes.join(', ')}`)]
}

/** What the rows that are there get in new columns. */
function fill(spec: TableSpec, columns: readonly ColumnSpec[]): readonly Statement[] {
  if (columns.length === 0) return []
  const changes = columns.map(({ name }) => `${quote(name)} = ?`).join(', ')
  return [
    statement(
      `update ${quote(spec.name)} set ${changes}`,
      columns.map((column) => column.fill ?? null),
    ),
  ]
}

function uniqueKey(spec: TableSpec, columns: readonly string[]): string {
  return `unique key ${quote(boundedName(spec, columns, 'key'))} (${list(columns)})`
}

function index(spec: TableSpec, columns: readonly string[]): string {
  return `key ${quote(boundedName(spec, columns, 'index'))} (${list(columns)})`
}

function addForeignKey(
  spec: TableSpec,
  { columns, referencedTable, referencedColumns }: ForeignKey,
): Statement {
  const name = boundedName(spec, columns, 'ref')
  return statement(
    `alter table ${quote(spec.name)} add constraint ${quote(name)} foreign key (${list(columns)}) references ${quote(referencedTable)} (${list(referencedColumns)})`,
  )
}

const nameLimit = 64

/** `Port_tenantId_key`; a longer name than the server takes ends in a digest of the whole. */
function boundedName(spec: TableSpec, columns: readonly string[], ending: string): string {
  const name = `${spec.name}_${columns.join('_')}_${ending}`
  if (Array.from(name).length <= nameLimit) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12)
  return `${Array.from(name)
    .slice(0, nameLimit - 13)
    .join('')}_${digest}`
}
