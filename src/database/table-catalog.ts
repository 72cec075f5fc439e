/** What a database keeps of tables beside what is served of them: the names of their keys. Changes of tables need them. */
import type { ForeignKey } from './database-schema.ts'
import type { TableChange } from './table-change.ts'

/** A key or an index, by the name the database knows it by. */
export interface NamedKey {
  readonly name: string
  readonly columns: readonly string[]
}

export interface CataloguedColumn {
  readonly name: string
  /** The type and, where there is one, the default, as a definition of a table writes them. */
  readonly definition: string
  readonly nullable: boolean
}

export interface CataloguedTable {
  readonly name: string
  /** Only where a change makes the table again. */
  readonly columns: readonly CataloguedColumn[]
  readonly primaryKey: readonly string[]
  readonly uniqueKeys: readonly NamedKey[]
  readonly indexes: readonly NamedKey[]
  readonly foreignKeys: readonly (ForeignKey & { readonly name: string })[]
  /** Statements that make what else hangs on the table and would go with it. */
  readonly others: readonly string[]
  /** Whether the table's own definition says what is neither here nor there, and is lost where the table is made again. */
  readonly saysMore?: true
}

export interface TableCatalog {
  readonly tables: ReadonlyMap<string, CataloguedTable>
  /** Names of keys and indexes that are taken. */
  readonly names: ReadonlySet<string>
}

/** The catalogue as it will be, while statements for one change after another are written. */
export class CatalogDraft {
  readonly #tables: Map<string, CataloguedTable>
  readonly #names: Set<string>

  constructor({ tables, names }: TableCatalog) {
    this.#tables = new Map(tables)
    this.#names = new Set(names)
  }

  /** A table; one that is not there has no keys. */
  table(name: string): CataloguedTable {
    return this.#tables.get(name) ?? { ...noKeys, name }
  }

  /** Whether a column refers to something, or something to it. */
  isLinked(table: string, column: string): boolean {
    return [...this.#tables.values()].some(({ name, foreignKeys }) =>
      foreignKeys.some(
        (key) =>
          (name === table && key.columns.includes(column)) ||
          (key.referencedTable === table && key.referencedColumns.includes(column)),
      ),
    )
  }

  /** A name that is like the wanted one and not taken; it is taken then. */
  newName(wanted: string): string {
    let name = wanted
    for (let number = 2; this.#names.has(name); number += 1) name = `${wanted}_${number}`
    this.#names.add(name)
    return name
  }

  /** Follows a change. Keys that it adds are not known by name: no later change of an upload is about them. */
  apply(change: TableChange): void {
    const found = this.table(change.table)
    this.#tables.delete(change.table)
    const after = changed(found, change)
    if (after !== undefined) this.#tables.set(after.name, after)
    if (change.kind !== 'renameTable' && change.kind !== 'renameColumn') return
    for (const [name, table] of this.#tables) {
      const foreignKeys = table.foreignKeys.map((key) => ({ ...key, ...referredAfter(key, change) }))
      this.#tables.set(name, { ...table, foreignKeys })
    }
  }
}

const noKeys = { columns: [], primaryKey: [], uniqueKeys: [], indexes: [], foreignKeys: [], others: [] }

/** References follow what they refer to. */
function referredAfter(
  { referencedTable, referencedColumns }: ForeignKey,
  change: Extract<TableChange, { kind: 'renameTable' | 'renameColumn' }>,
): Pick<ForeignKey, 'referencedTable' | 'referencedColumns'> {
  if (referencedTable !== change.table) return { referencedTable, referencedColumns }
  if (change.kind === 'renameTable') return { referencedTable: change.to, referencedColumns }
  const rename = (name: string) => (name === change.column ? change.to : name)
  return { referencedTable, referencedColumns: referencedColumns.map(rename) }
}

function changed(table: CataloguedTable, change: TableChange): CataloguedTable | undefined {
  switch (change.kind) {
    case 'dropTable':
      return undefined
    case 'renameTable':
      return { ...table, name: change.to }
    case 'renameColumn':
      return withColumns(table, (name) => (name === change.column ? change.to : name))
    case 'dropColumn': {
      const stays = ({ columns }: { readonly columns: readonly string[] }) => !columns.includes(change.column)
      return {
        ...table,
        columns: table.columns.filter(({ name }) => name !== change.column),
        uniqueKeys: table.uniqueKeys.filter(stays),
        indexes: table.indexes.filter(stays),
        foreignKeys: table.foreignKeys.filter(stays),
      }
    }
    case 'dropUnique':
      return { ...table, uniqueKeys: table.uniqueKeys.filter((key) => !hasColumns(key, change.columns)) }
    case 'dropReference':
      return {
        ...table,
        foreignKeys: table.foreignKeys.filter((key) => !hasColumns(key, change.key.columns)),
        indexes: table.indexes.filter((key) => !hasColumns(key, change.index)),
      }
    default:
      return table
  }
}

/** Whether a key is over exactly these columns. */
export function hasColumns(
  { columns }: { readonly columns: readonly string[] },
  wanted: readonly string[],
): boolean {
  return columns.length === wanted.length && columns.every((name, index) => name === wanted[index])
}

function withColumns(table: CataloguedTable, rename: (name: string) => string): CataloguedTable {
  const renamed = <Key extends { readonly columns: readonly string[] }>(key: Key): Key => ({
    ...key,
    columns: key.columns.map(rename),
  })
  return {
    ...table,
    columns: table.columns.map((column) => ({ ...column, name: rename(column.name) })),
    primaryKey: table.primaryKey.map(rename),
    uniqueKeys: table.uniqueKeys.map(renamed),
    indexes: table.indexes.map(renamed),
    foreignKeys: table.foreignKeys.map(renamed),
  }
}
