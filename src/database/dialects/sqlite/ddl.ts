import { createHash } from 'node:crypto'
import { conversionName } from '../../conversion.ts'
import type { ForeignKey } from '../../database-schema.ts'
import type { Ddl, DdlStep, Effort } from '../../dialect.ts'
import type { Statement } from '../../driver.ts'
import { ownTablePrefix } from '../../own-tables.ts'
import { CatalogDraft, hasColumns } from '../../table-catalog.ts'
import type { TableChange } from '../../table-change.ts'
import type { ColumnSpec, TableSpec } from '../../table-spec.ts'
import { standardSyntax } from '../standard-syntax.ts'
import { conversion } from './conversion.ts'
import { rebuildTable } from './rebuild-table.ts'
import { declaredTypes, hasDeclaredType } from './types.ts'

const quote = standardSyntax.quoteIdentifier
const list = (names: readonly string[]) => names.map(quote).join(', ')
const statement = (sql: string): Statement => ({ sql, parameters: [] })

export const sqliteDdl: Ddl = {
  transactional: true,

  // SQLite looks for the referenced table only when a row is written, so that cycles need no second step.
  createTables: (specs) => {
    const names = new CatalogDraft({ tables: new Map(), names: new Set() })
    return specs.flatMap((spec) => createTable(spec, names))
  },

  changeTables(changes, catalog) {
    const draft = new CatalogDraft(catalog)
    const indexed = changes.map((change, index) => ({ change, index }))
    const of = (kind: TableChange['kind']) => indexed.filter(({ change }) => change.kind === kind)
    const steps: DdlStep[] = []
    for (const { change, index } of [...of('renameTable'), ...of('createTable')]) {
      steps.push({ changes: [index], statements: tableStatements(change, draft) })
      draft.apply(change)
    }
    const inTables = indexed.filter(({ change }) => !tableKinds.has(change.kind))
    for (const [table, items] of Map.groupBy(inTables, ({ change }) => nameAfter(change.table, changes))) {
      const own = items.map(({ change }) => ({ ...change, table }))
      const positions = items.map(({ index }) => index)
      if (own.every((change) => isSimple(change, own, draft))) {
        for (const [number, change] of own.entries()) {
          steps.push({ changes: [positions[number] ?? 0], statements: simpleStatements(change, own, draft) })
          draft.apply(change)
        }
      } else {
        steps.push({ changes: positions, statements: rebuild(table, own, draft) })
      }
    }
    for (const { change, index } of of('dropTable')) {
      steps.push({ changes: [index], statements: tableStatements(change, draft) })
    }
    return steps
  },

  rebuildsTable: (changes, catalog) =>
    !changes.every(
      (change) => tableKinds.has(change.kind) || isSimple(change, changes, new CatalogDraft(catalog)),
    ),

  effortOf,
  hasType: (found, wanted) => hasDeclaredType(found, wanted.type),
  conversion,
  boundLocks: () => [],
  unboundLocks: [],
}

const tableKinds: ReadonlySet<TableChange['kind']> = new Set(['createTable', 'dropTable', 'renameTable'])

/** The name of a table after all tables were renamed. */
function nameAfter(table: string, changes: readonly TableChange[]): string {
  const renaming = changes.find((change) => change.kind === 'renameTable' && change.table === table)
  return renaming?.kind === 'renameTable' ? renaming.to : table
}

function tableStatements(change: TableChange, draft: CatalogDraft): readonly Statement[] {
  switch (change.kind) {
    case 'createTable':
      return createTable(change.spec, draft)
    case 'renameTable':
      return [statement(`alter table ${quote(change.table)} rename to ${quote(change.to)}`)]
    default:
      return [statement(`drop table ${quote(change.table)}`)]
  }
}

/** Whether SQLite supports a change without rebuilding the table. */
function isSimple(change: TableChange, all: readonly TableChange[], draft: CatalogDraft): boolean {
  switch (change.kind) {
    case 'renameColumn':
    case 'addColumn':
    case 'addUnique':
      return true
    case 'dropUnique':
      return draft
        .table(change.table)
        .uniqueKeys.filter((key) => hasColumns(key, change.columns))
        .every(({ name }) => !isAutomatic(name))
    case 'addReference':
      return (
        addedColumn(change.key.columns, all)?.fill == null &&
        addedColumn(change.key.columns, all) !== undefined
      )
    case 'changeColumn':
      return (
        declaredTypes[change.from.type] === declaredTypes[change.to.type] &&
        change.from.nullable === change.to.nullable
      )
    default:
      return false
  }
}

function addedColumn(columns: readonly string[], all: readonly TableChange[]): ColumnSpec | undefined {
  const change = all.find((other) => other.kind === 'addColumn' && other.column.name === columns[0])
  return change?.kind === 'addColumn' && columns.length === 1 ? change.column : undefined
}

/** An index that belongs to a constraint in the table's definition. */
const isAutomatic = (name: string) => name.startsWith('sqlite_autoindex_')

function simpleStatements(
  change: TableChange,
  all: readonly TableChange[],
  draft: CatalogDraft,
): readonly Statement[] {
  const { table } = change
  switch (change.kind) {
    case 'renameColumn':
      return [
        statement(`alter table ${quote(table)} rename column ${quote(change.column)} to ${quote(change.to)}`),
      ]
    case 'addColumn': {
      const { column } = change
      const reference = all.find(
        (other) => other.kind === 'addReference' && other.key.columns[0] === column.name,
      )
      const references = reference?.kind === 'addReference' ? ` ${referencesText(reference.key)}` : ''
      return [
        statement(
          `alter table ${quote(table)} add column ${columnText(column)}${fillText(column)}${references}`,
        ),
      ]
    }
    case 'addReference':
      return [createIndex(table, change.index, draft)]
    case 'addUnique':
      return [createIndex(table, change.columns, draft, 'unique ')]
    case 'dropUnique':
      return draft
        .table(table)
        .uniqueKeys.filter((key) => hasColumns(key, change.columns))
        .map(({ name }) => statement(`drop index ${quote(name)}`))
    case 'changeColumn':
      return cutStatements(table, change.from, change.to)
    default:
      return []
  }
}

/** Types with the same storage may still differ in the values that fit. */
function cutStatements(table: string, from: ColumnSpec, to: ColumnSpec): readonly Statement[] {
  const column = quote(to.name)
  const name = from.type === to.type ? undefined : conversionName(from.type, to.type)
  const { isCut, cut } = name === undefined ? {} : conversion(name, column)
  if (isCut === undefined || cut === undefined) return []
  return [statement(`update ${quote(table)} set ${column} = ${cut} where ${isCut}`)]
}

function rebuild(table: string, changes: readonly TableChange[], draft: CatalogDraft): readonly Statement[] {
  const statements: Statement[] = []
  for (const change of changes.filter(({ kind }) => kind === 'renameColumn')) {
    statements.push(...simpleStatements(change, changes, draft))
    draft.apply(change)
  }
  const found = draft.table(table)
  statements.push(
    ...rebuildTable(found, changes, {
      referencesText,
      newIndexName: (columns) => draft.newName(indexName(table, columns)),
    }),
  )
  for (const change of changes.filter(({ kind }) => kind !== 'renameColumn')) draft.apply(change)
  return statements
}

function effortOf(change: TableChange): Effort {
  switch (change.kind) {
    case 'createTable':
    case 'dropTable':
    case 'renameTable':
    case 'renameColumn':
    case 'addColumn':
      return { table: 'instant', blocks: 'nothing' }
    case 'addUnique':
      return { table: 'read', blocks: 'writes' }
    default:
      return { table: 'rewritten', blocks: 'writes' }
  }
}

function columnText(column: ColumnSpec): string {
  return `${quote(column.name)} ${declaredTypes[column.type]}${column.nullable ? '' : ' not null'}`
}

function referencesText({ referencedTable, referencedColumns }: ForeignKey): string {
  return `references ${quote(referencedTable)} (${list(referencedColumns)})`
}

function createTable(spec: TableSpec, names: CatalogDraft): readonly Statement[] {
  const lines = [
    ...spec.columns.map(columnText),
    `primary key (${list(spec.primaryKey)})`,
    ...spec.uniqueKeys.map((columns) => `unique (${list(columns)})`),
    ...spec.foreignKeys.map((key) => `foreign key (${list(key.columns)}) ${referencesText(key)}`),
  ]
  return [
    statement(`create table ${quote(spec.name)} (\n  ${lines.join(',\n  ')}\n)`),
    ...spec.indexes.map((columns) => createIndex(spec.name, columns, names)),
  ]
}

function createIndex(
  table: string,
  columns: readonly string[],
  names: CatalogDraft,
  unique: '' | 'unique ' = '',
): Statement {
  const name = names.newName(indexName(table, columns))
  return statement(`create ${unique}index ${quote(name)} on ${quote(table)} (${list(columns)})`)
}

/** The indexes of all tables share one namespace: the digest distinguishes `A` (`b_c`) from `A_b` (`c`). */
function indexName(table: string, columns: readonly string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([table, columns]))
    .digest('hex')
    .slice(0, 8)
  return `${ownTablePrefix}${table}_${columns.join('_')}_${digest}`
}

function fillText({ fill }: ColumnSpec): string {
  return fill === undefined || fill === null ? '' : ` default ${literal(fill)}`
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
