import { createHash } from 'node:crypto'
import { conversionName } from '../../conversion.ts'
import type { ForeignKey } from '../../database-schema.ts'
import type { Ddl, DdlStep, Effort } from '../../dialect.ts'
import type { Statement } from '../../driver.ts'
import type { SqlValue } from '../../sql-value.ts'
import { CatalogDraft, type CataloguedTable, hasColumns } from '../../table-catalog.ts'
import type { ColumnChange, TableChange } from '../../table-change.ts'
import type { ColumnSpec, TableSpec } from '../../table-spec.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { conversion } from './conversion.ts'
import { declaredTypes, nativeTypeOfSpec } from './types.ts'

const quote = standardSyntax.quoteIdentifier
const list = (names: readonly string[]) => names.map(quote).join(', ')
const statement = (sql: string, parameters: readonly SqlValue[] = []): Statement => ({ sql, parameters })
const alter = (table: string, change: string) => statement(`alter table ${quote(table)} ${change}`)

export const postgresqlDdl: Ddl = {
  transactional: true,

  // References are added after all tables, since tables may reference each other.
  createTables: (specs) => {
    const names = new CatalogDraft({ tables: new Map(), names: new Set() })
    return [
      ...specs.flatMap((spec) => createTable(spec, names)),
      ...specs.flatMap((spec) => spec.foreignKeys.map((key) => addForeignKey(spec.name, key, names))),
    ]
  },

  changeTables(changes, catalog) {
    const draft = new CatalogDraft(catalog)
    const steps: DdlStep[] = []
    const waiting: DdlStep[] = []
    for (const [index, change] of changes.entries()) {
      // The first other change comes after all references between created tables.
      if (change.kind !== 'createTable') steps.push(...waiting.splice(0))
      steps.push({ changes: [index], statements: statementsFor(change, draft) })
      if (change.kind === 'createTable' && change.spec.foreignKeys.length > 0) {
        const { spec } = change
        const statements = spec.foreignKeys.map((key) => addForeignKey(spec.name, key, draft))
        waiting.push({ changes: [index], statements })
      }
      draft.apply(change)
    }
    return [...steps, ...waiting]
  },

  rebuildsTable: () => false,
  effortOf,
  hasType: (found, wanted) => found.nativeType === nativeTypeOfSpec(wanted.type),
  conversion,

  // Locks all tables at once and before anything else, for less time than the server's deadlock timeout: a change of
  // tables never aborts another transaction.
  boundLocks: (tables) => [
    statement("set local lock_timeout = '500ms'"),
    ...(tables.length === 0
      ? []
      : [
          statement("set local statement_timeout = '700ms'"),
          statement(`lock table ${list(tables.toSorted())} in access exclusive mode`),
          statement('set local statement_timeout = 0'),
        ]),
  ],
  unboundLocks: [],
}

function statementsFor(change: TableChange, draft: CatalogDraft): readonly Statement[] {
  const { table } = change
  switch (change.kind) {
    case 'createTable':
      return createTable(change.spec, draft)
    case 'dropTable':
      return [statement(`drop table ${quote(table)}`)]
    case 'renameTable':
      return [alter(table, `rename to ${quote(change.to)}`)]
    case 'addColumn': {
      const { column } = change
      // A constant default costs nothing, whatever the number of rows. It stays, so that nodes that do not know the
      // column yet can continue to write.
      const fill = column.fill === undefined || column.fill === null ? '' : ` default ${literal(column.fill)}`
      return [alter(table, `add column ${columnText(column)}${fill}`)]
    }
    case 'dropColumn':
      return [alter(table, `drop column ${quote(change.column)}`)]
    case 'renameColumn':
      return [alter(table, `rename column ${quote(change.column)} to ${quote(change.to)}`)]
    case 'changeColumn':
      return changeColumn(change)
    case 'addUnique':
      return [alter(table, `add ${uniqueKey(table, change.columns, draft)}`)]
    case 'dropUnique':
      return dropUnique(draft.table(table), change.columns)
    case 'addReference':
      return [createIndex(table, change.index, draft), addForeignKey(table, change.key, draft)]
    case 'dropReference': {
      const found = draft.table(table)
      return [
        ...found.foreignKeys
          .filter((key) => hasColumns(key, change.key.columns))
          .map(({ name }) => alter(table, `drop constraint ${quote(name)}`)),
        ...found.indexes
          .filter((key) => hasColumns(key, change.index))
          .map(({ name }) => statement(`drop index ${quote(name)}`)),
      ]
    }
  }
}

function changeColumn({ table, from, to }: ColumnChange): readonly Statement[] {
  const column = quote(to.name)
  const statements: Statement[] = []
  if (from.type !== to.type) {
    const name = conversionName(from.type, to.type)
    const using = name === undefined ? column : conversion(name, column).expression
    statements.push(
      alter(table, `alter column ${column} drop default`),
      alter(table, `alter column ${column} type ${declaredTypes[to.type]} using ${using}`),
    )
  }
  if (from.nullable && !to.nullable) {
    if (to.fill !== undefined && to.fill !== null) {
      const sql = `update ${quote(table)} set ${column} = $1 where ${column} is null`
      statements.push(statement(sql, [to.fill]))
    }
    statements.push(alter(table, `alter column ${column} set not null`))
  }
  if (!from.nullable && to.nullable) statements.push(alter(table, `alter column ${column} drop not null`))
  return statements
}

/** A unique key is a constraint, or only an index if someone else created it. */
function dropUnique(
  { name: table, uniqueKeys }: CataloguedTable,
  columns: readonly string[],
): readonly Statement[] {
  return uniqueKeys
    .filter((key) => hasColumns(key, columns))
    .flatMap(({ name }) => [
      alter(table, `drop constraint if exists ${quote(name)}`),
      statement(`drop index if exists ${quote(name)}`),
    ])
}

function effortOf(change: TableChange): Effort {
  switch (change.kind) {
    case 'changeColumn':
      if (
        change.from.type !== change.to.type &&
        !(change.from.type === 'string' && change.to.type === 'text')
      ) {
        return { table: 'rewritten', blocks: 'everything' }
      }
      return change.from.nullable && !change.to.nullable
        ? { table: 'read', blocks: 'everything' }
        : { table: 'instant', blocks: 'nothing' }
    case 'addUnique':
    case 'addReference':
      return { table: 'read', blocks: 'everything' }
    default:
      return { table: 'instant', blocks: 'nothing' }
  }
}

function columnText({ name, type, nullable }: ColumnSpec): string {
  return `${quote(name)} ${declaredTypes[type]}${nullable ? '' : ' not null'}`
}

function createTable(spec: TableSpec, names: CatalogDraft): readonly Statement[] {
  const primaryKey = names.newName(boundedName([spec.name], 'pkey'))
  const lines = [
    ...spec.columns.map(columnText),
    `constraint ${quote(primaryKey)} primary key (${list(spec.primaryKey)})`,
    ...spec.uniqueKeys.map((columns) => uniqueKey(spec.name, columns, names)),
  ]
  return [
    statement(`create table ${quote(spec.name)} (\n  ${lines.join(',\n  ')}\n)`),
    ...spec.indexes.map((columns) => createIndex(spec.name, columns, names)),
  ]
}

function uniqueKey(table: string, columns: readonly string[], names: CatalogDraft): string {
  const name = names.newName(boundedName([table, ...columns], 'key'))
  return `constraint ${quote(name)} unique (${list(columns)})`
}

function createIndex(table: string, columns: readonly string[], names: CatalogDraft): Statement {
  const name = names.newName(boundedName([table, ...columns], 'index'))
  return statement(`create index ${quote(name)} on ${quote(table)} (${list(columns)})`)
}

function addForeignKey(
  table: string,
  { columns, referencedTable, referencedColumns }: ForeignKey,
  names: CatalogDraft,
): Statement {
  const name = names.newName(boundedName([table, ...columns], 'ref'))
  return alter(
    table,
    `add constraint ${quote(name)} foreign key (${list(columns)}) references ${quote(referencedTable)} (${list(referencedColumns)})`,
  )
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

/** In bytes, with room for a numeric suffix; the server truncates longer names. */
const nameLimit = 60

/**
 * `Port_tenantId_1f3c5a7e_key`. Indexes and tables of a schema share one namespace: the digest distinguishes `A`
 * (`b_c`) from `A_b` (`c`) and from a table with that name.
 */
function boundedName(parts: readonly string[], ending: string): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 8)
  const rest = `_${digest}_${ending}`
  let start = Array.from(parts.join('_'))
  while (Buffer.byteLength(start.join('')) + rest.length > nameLimit) start = start.slice(0, -1)
  return start.join('') + rest
}
