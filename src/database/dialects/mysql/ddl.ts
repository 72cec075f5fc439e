import { createHash } from 'node:crypto'
import { conversionName } from '../../conversion.ts'
import type { ForeignKey } from '../../database-schema.ts'
import type { Ddl, DdlStep, Effort } from '../../dialect.ts'
import type { Statement } from '../../driver.ts'
import type { SqlValue } from '../../sql-value.ts'
import { CatalogDraft, hasColumns } from '../../table-catalog.ts'
import type { ColumnChange, TableChange } from '../../table-change.ts'
import type { ColumnSpec, TableSpec } from '../../table-spec.ts'
import { mysqlConversion } from './conversion.ts'
import { orderBySpecs } from './order-by-specs.ts'
import { quoteIdentifier as quote } from './quote.ts'
import type { MysqlServer } from './server.ts'
import { declaredTypes, hasDeclaredType } from './types.ts'

const list = (names: readonly string[]) => names.map(quote).join(', ')
const statement = (sql: string, parameters: readonly SqlValue[] = []): Statement => ({ sql, parameters })
const alter = (table: string, changes: readonly string[]) =>
  statement(`alter table ${quote(table)} ${changes.join(', ')}`)

/** A change to the columns or keys of one table: all of these are one statement, which is atomic. */
type ColumnsChange = Extract<
  TableChange,
  { kind: 'addColumn' | 'dropColumn' | 'renameColumn' | 'changeColumn' | 'addUnique' | 'dropUnique' }
>

const columnsKinds: ReadonlySet<string> = new Set<ColumnsChange['kind']>([
  'addColumn',
  'dropColumn',
  'renameColumn',
  'changeColumn',
  'addUnique',
  'dropUnique',
])

function isColumnsChange(change: TableChange): change is ColumnsChange {
  return columnsKinds.has(change.kind)
}

/** InnoDB tables with an exact collation. Every statement commits implicitly. */
export function mysqlDdl(server: MysqlServer): Ddl {
  return {
    transactional: false,
    createTables(specs) {
      const names = new CatalogDraft({ tables: new Map(), names: new Set() })
      const ordered = orderBySpecs(specs)
      return [
        ...ordered.map(({ spec, earlier }) =>
          createTable({ ...spec, foreignKeys: earlier }, names, server, 'if not exists '),
        ),
        ...ordered.flatMap(({ spec, later }) =>
          later.map((key) => addReference(spec.name, key, undefined, names)),
        ),
      ]
    },

    changeTables(changes, catalog) {
      const draft = new CatalogDraft(catalog)
      const steps: DdlStep[] = []
      const waiting: DdlStep[] = []
      for (let index = 0; index < changes.length; ) {
        const change = changes[index] as TableChange
        if (change.kind !== 'createTable') steps.push(...waiting.splice(0))
        if (isColumnsChange(change)) {
          const run = takeWhileColumns(changes, index)
          steps.push(...changeColumns(run, index, draft, server))
          index += run.length
          continue
        }
        steps.push({ changes: [index], statements: statementsFor(change, draft, server) })
        if (change.kind === 'createTable') {
          const { spec } = change
          for (const key of spec.foreignKeys) {
            waiting.push({
              changes: [index],
              statements: [addReference(spec.name, key, undefined, draft)],
            })
          }
        }
        draft.apply(change)
        index += 1
      }
      return [...steps, ...waiting]
    },

    rebuildsTable: () => false,
    effortOf,
    hasType: (found, wanted) => hasDeclaredType(found, wanted.type, server),
    conversion: mysqlConversion,

    // A waiting change blocks all statements that come after it.
    boundLocks: () => [
      statement('set session lock_wait_timeout = 1'),
      statement('set session innodb_lock_wait_timeout = 5'),
    ],
    unboundLocks: [
      statement('set session lock_wait_timeout = default'),
      statement('set session innodb_lock_wait_timeout = default'),
    ],
  }
}

function takeWhileColumns(changes: readonly TableChange[], start: number): readonly ColumnsChange[] {
  const run: ColumnsChange[] = []
  for (const change of changes.slice(start)) {
    if (!isColumnsChange(change)) break
    run.push(change)
  }
  return run
}

/** One `alter table` for each table; before it, updates of values that would not fit. */
function changeColumns(
  run: readonly ColumnsChange[],
  start: number,
  draft: CatalogDraft,
  server: MysqlServer,
): readonly DdlStep[] {
  const byTable = Map.groupBy(
    run.map((change, index) => ({ change, index: start + index })),
    ({ change }) => change.table,
  )
  const segments = [...byTable.values()].flatMap((items) => segmentsOf(items, draft))
  return segments.map((items): DdlStep => {
    const changes = items.map(({ change }) => change)
    const [{ table } = { table: '' }] = changes
    const columns = new AlteredColumns(server)
    const alterations: string[] = []
    const preparations: Statement[] = []
    for (const change of changes) {
      switch (change.kind) {
        case 'renameColumn':
          columns.rename(change.column, change.to)
          break
        case 'addColumn':
          alterations.push(
            `add column ${exactColumnText(change.column, server)}${defaultText(change.column, server)}`,
          )
          break
        case 'dropColumn':
          alterations.push(`drop column ${quote(change.column)}`)
          break
        case 'changeColumn':
          preparations.push(...preparationsFor(change, columns.oldName(change.to.name)))
          columns.change(change.to)
          break
        case 'addUnique':
          alterations.push(`add ${uniqueKey(table, change.columns, draft)}`)
          break
        case 'dropUnique':
          for (const key of draft.table(table).uniqueKeys) {
            if (hasColumns(key, change.columns)) alterations.push(`drop key ${quote(key.name)}`)
          }
          break
      }
      draft.apply(change)
    }
    alterations.unshift(...columns.alterations())
    const statements = alterations.length === 0 ? preparations : [...preparations, alter(table, alterations)]
    return { changes: items.map(({ index }) => index), statements }
  })
}

interface PlacedChange {
  readonly change: ColumnsChange
  readonly index: number
}

/**
 * For a new type the server copies the table, and meanwhile cannot rename columns of foreign keys: these are renamed
 * first. Everything else is one statement, so that the table differs from both definitions only briefly.
 */
function segmentsOf(
  items: readonly PlacedChange[],
  draft: CatalogDraft,
): readonly (readonly PlacedChange[])[] {
  const copies = items.some(
    ({ change }) => change.kind === 'changeColumn' && change.from.type !== change.to.type,
  )
  const isFirst = ({ change }: PlacedChange) =>
    copies && change.kind === 'renameColumn' && draft.isLinked(change.table, change.column)
  const segments = [items.filter(isFirst), items.filter((item) => !isFirst(item))]
  return segments.filter((segment) => segment.length > 0)
}

/** Columns with a new name or definition; a statement may mention each only once. */
class AlteredColumns {
  readonly #columns = new Map<string, { readonly name: string; readonly spec?: ColumnSpec }>()
  readonly #server: MysqlServer

  constructor(server: MysqlServer) {
    this.#server = server
  }

  /** The column's name before the statement. */
  oldName(name: string): string {
    return [...this.#columns].find(([, column]) => column.name === name)?.[0] ?? name
  }

  rename(name: string, to: string): void {
    const old = this.oldName(name)
    this.#columns.set(old, { ...this.#columns.get(old), name: to })
  }

  change(spec: ColumnSpec): void {
    this.#columns.set(this.oldName(spec.name), { name: spec.name, spec })
  }

  alterations(): readonly string[] {
    return [...this.#columns].map(([old, { name, spec }]) =>
      spec === undefined
        ? `rename column ${quote(old)} to ${quote(name)}`
        : `change column ${quote(old)} ${exactColumnText({ ...spec, name }, this.#server)}`,
    )
  }
}

/** Updates of rows, which can be repeated safely. */
function preparationsFor({ table, from, to }: ColumnChange, oldName: string): readonly Statement[] {
  const column = quote(oldName)
  const statements: Statement[] = []
  const name = conversionName(from.type, to.type)
  const { isCut, cut } = name === undefined ? {} : mysqlConversion(name, column)
  if (isCut !== undefined && cut !== undefined) {
    statements.push(statement(`update ${quote(table)} set ${column} = ${cut} where ${isCut}`))
  }
  if (from.nullable && !to.nullable && to.fill !== undefined && to.fill !== null) {
    statements.push(statement(`update ${quote(table)} set ${column} = ? where ${column} is null`, [to.fill]))
  }
  return statements
}

function statementsFor(
  change: Exclude<TableChange, ColumnsChange>,
  draft: CatalogDraft,
  server: MysqlServer,
): readonly Statement[] {
  const { table } = change
  switch (change.kind) {
    case 'createTable':
      return [createTable({ ...change.spec, foreignKeys: [] }, draft, server, '')]
    case 'dropTable':
      return [statement(`drop table ${quote(table)}`)]
    case 'renameTable':
      return [alter(table, [`rename to ${quote(change.to)}`])]
    case 'addReference':
      return [addReference(table, change.key, change.index, draft)]
    case 'dropReference': {
      const found = draft.table(table)
      const keys = found.foreignKeys.filter((key) => hasColumns(key, change.key.columns))
      const indexes = found.indexes.filter((key) => hasColumns(key, change.index))
      const changes = [
        ...keys.map(({ name }) => `drop foreign key ${quote(name)}`),
        ...indexes.map(({ name }) => `drop key ${quote(name)}`),
      ]
      return changes.length === 0 ? [] : [alter(table, changes)]
    }
  }
}

function effortOf(change: TableChange): Effort {
  switch (change.kind) {
    case 'changeColumn':
      return change.from.type === change.to.type
        ? { table: 'rewritten', blocks: 'nothing' }
        : { table: 'rewritten', blocks: 'writes' }
    case 'addUnique':
      return { table: 'read', blocks: 'nothing' }
    case 'addReference':
      return { table: 'rewritten', blocks: 'writes' }
    default:
      return { table: 'instant', blocks: 'nothing' }
  }
}

/** With an explicit collation: the default of an adopted table may differ. */
function exactColumnText(column: ColumnSpec, { exactCollation }: MysqlServer): string {
  const isText = /^(?:varchar|longtext)/.test(declaredTypes[column.type])
  return columnText(column, isText ? ` collate ${exactCollation}` : '')
}

function columnText({ name, type, nullable }: ColumnSpec, collation = ''): string {
  return `${quote(name)} ${declaredTypes[type]}${collation} ${nullable ? 'null' : 'not null'}`
}

/**
 * The value for existing rows: a constant default costs nothing, whatever their number. It stays, so that nodes that
 * do not know the column yet can continue to write.
 */
function defaultText({ fill, type }: ColumnSpec, { textDefaults }: MysqlServer): string {
  if (fill === undefined || fill === null) return ''
  const value =
    typeof fill === 'number' ? String(fill) : `'${fill.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  return declaredTypes[type] === 'longtext' && textDefaults === 'expressions'
    ? ` default (${value})`
    : ` default ${value}`
}

function createTable(
  spec: TableSpec,
  names: CatalogDraft,
  { exactCollation }: MysqlServer,
  condition: '' | 'if not exists ',
): Statement {
  const lines = [
    ...spec.columns.map((column) => columnText(column)),
    `primary key (${list(spec.primaryKey)})`,
    ...spec.uniqueKeys.map((columns) => uniqueKey(spec.name, columns, names)),
    ...spec.indexes.map((columns) => index(spec.name, columns, names)),
    ...spec.foreignKeys.map((key) => foreignKey(spec.name, key, names)),
  ]
  return statement(
    `create table ${condition}${quote(spec.name)} (\n  ${lines.join(',\n  ')}\n) engine = InnoDB default character set utf8mb4 collate ${exactCollation}`,
  )
}

function uniqueKey(table: string, columns: readonly string[], names: CatalogDraft): string {
  return `unique key ${quote(names.newName(boundedName(table, columns, 'key')))} (${list(columns)})`
}

function index(table: string, columns: readonly string[], names: CatalogDraft): string {
  return `key ${quote(names.newName(boundedName(table, columns, 'index')))} (${list(columns)})`
}

function foreignKey(
  table: string,
  { columns, referencedTable, referencedColumns }: ForeignKey,
  names: CatalogDraft,
): string {
  const name = names.newName(boundedName(table, columns, 'ref'))
  return `constraint ${quote(name)} foreign key (${list(columns)}) references ${quote(referencedTable)} (${list(referencedColumns)})`
}

function addReference(
  table: string,
  key: ForeignKey,
  indexed: readonly string[] | undefined,
  names: CatalogDraft,
): Statement {
  return alter(table, [
    ...(indexed === undefined || indexed.length === 0 ? [] : [`add ${index(table, indexed, names)}`]),
    `add ${foreignKey(table, key, names)}`,
  ])
}

/** With room for a numeric suffix; the server allows 64. */
const nameLimit = 61

/** `Port_tenantId_key`; a longer name ends with a digest of the whole. */
function boundedName(table: string, columns: readonly string[], ending: string): string {
  const name = `${table}_${columns.join('_')}_${ending}`
  if (Array.from(name).length <= nameLimit) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12)
  return `${Array.from(name)
    .slice(0, nameLimit - 13)
    .join('')}_${digest}`
}
