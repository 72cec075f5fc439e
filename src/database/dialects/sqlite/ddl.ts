import { createHash } from 'node:crypto'
import type { Ddl } from '../../dialect.ts'
import type { Statement } from '../../driver.ts'
import { ownTablePrefix } from '../../own-tables.ts'
import type { ColumnSpec, TableSpec } from '../../table-spec.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { declaredTypes } from './types.ts'

const quote = standardSyntax.quoteIdentifier
const list = (names: readonly string[]) => names.map(quote).join(', ')
const statement = (sql: string): Statement => ({ sql, parameters: [] })

export const sqliteDdl: Ddl = {
  transactional: true,

  // SQLite looks for the referenced table only when a row is written, so that cycles need no second step.
  createTables: (specs) =>
    specs.flatMap((spec) => [
      createTable(spec),
      ...spec.indexes.map((columns) => createIndex(spec, columns)),
    ]),

  addColumns(found, wanted) {
    const added = wanted.columns.filter((column) => !found.columns.has(column.name))
    const names = new Set(added.map((column) => column.name))
    const touchesAdded = (columns: readonly string[]) => columns.some((name) => names.has(name))
    return [
      ...added.map((column) => addColumn(wanted, column)),
      ...wanted.uniqueKeys.filter(touchesAdded).map((columns) => createIndex(wanted, columns, 'unique ')),
      ...wanted.indexes.filter(touchesAdded).map((columns) => createIndex(wanted, columns)),
    ]
  },

  dropTable: (name) => [statement(`drop table ${quote(name)}`)],
}

function columnText(column: ColumnSpec): string {
  return `${quote(column.name)} ${declaredTypes[column.type]}${column.nullable ? '' : ' not null'}`
}

function createTable(spec: TableSpec): Statement {
  const lines = [
    ...spec.columns.map(columnText),
    `primary key (${list(spec.primaryKey)})`,
    ...spec.uniqueKeys.map((columns) => `unique (${list(columns)})`),
    ...spec.foreignKeys.map(
      (key) =>
        `foreign key (${list(key.columns)}) references ${quote(key.referencedTable)} (${list(key.referencedColumns)})`,
    ),
  ]
  return statement(`create table ${quote(spec.name)} (\n  ${lines.join(',\n  ')}\n)`)
}

function createIndex(spec: TableSpec, columns: readonly string[], unique: '' | 'unique ' = ''): Statement {
  const name = indexName(spec, columns)
  return statement(`create ${unique}index ${quote(name)} on ${quote(spec.name)} (${list(columns)})`)
}

/** Indexes of all tables share one set of names: the digest keeps `A` (`b_c`) apart from `A_b` (`c`). */
function indexName(spec: TableSpec, columns: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([spec.name, columns]))
    .digest('hex')
    .slice(0, 8)
  return `${ownTablePrefix}${spec.name}_${columns.join('_')}_${digest}`
}

function addColumn(spec: TableSpec, column: ColumnSpec): Statement {
  const foreignKey = spec.foreignKeys.find(
    (key) => key.columns.length === 1 && key.columns[0] === column.name,
  )
  const references =
    foreignKey === undefined
      ? ''
      : ` references ${quote(foreignKey.referencedTable)} (${list(foreignKey.referencedColumns)})`
  const fill = column.fill === undefined || column.fill === null ? '' : ` default ${literal(column.fill)}`
  return statement(`alter table ${quote(spec.name)} add column ${columnText(column)}${fill}${references}`)
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
