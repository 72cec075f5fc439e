/** What the catalogue has of tables beside what is served: the names of their keys, which changes of tables need. */
import type { ForeignKey } from './database-schema.ts'
import type { TableChange } from './table-change.ts'

/** A key or an index, by its name in the database. */
interface NamedKey {
  readonly name: string
  readonly columns: readonly string[]
}

interface CataloguedColumn {
  readonly name: string
  /** The type and the default, if there is one, as in the table's definition. */
  readonly definition: string
  readonly nullable: boolean
}

export interface CataloguedTable {
  readonly name: string
  /** Only if a change rebuilds the table. */
  readonly columns: readonly CataloguedColumn[]
  readonly primaryKey: readonly string[]
  readonly uniqueKeys: readonly NamedKey[]
  readonly indexes: readonly NamedKey[]
  readonly foreignKeys: readonly (ForeignKey & { readonly name: string })[]
  /** Statements that recreate other objects that depend on the table and would be lost. */
  readonly others: readonly string[]
  /** Whether the table's definition has properties that are not listed here, and are lost when the table is rebuilt. */
  readonly saysMore?: true
}

export interface TableCatalog {
  readonly tables: ReadonlyMap<string, CataloguedTable>
  /** Names of keys and indexes that are taken. */
  readonly names: ReadonlySet<string>
}

/** The catalogue as it will be after the changes whose statements are already written. */
export class CatalogDraft {
  readonly #tables: Map<string, CataloguedTable>
  readonly #names: Set<string>

  constructor({ tables, names }: TableCatalog) {
    this.#tables = new Map(tables)
    this.#names = new Set(names)
  }

  /** A table; if it is absent, it has no keys. */
  table(name: string): CataloguedTable {
    return this.#tables.get(name) ?? { ...noKeys, name }
  }

  /** Whether a column references something, or is referenced. */
  isLinked(table: string, column: string): boolean {
    return [...this.#tables.values()].some(({ name, foreignKeys }) =>
      foreignKeys.some(
        (key) =>
          (name === table && key.columns.includes(column)) ||
          (key.referencedTable === table && key.referencedColumns.includes(column)),
      ),
    )
  }

  /** A free name similar to the wanted one; it is reserved. */
  newName(wanted: string): string {
    let name = wanted
    for (let number = 2; this.#names.has(name); number += 1) name = `${wanted}_${number}`
    this.#names.add(name)
    return name
  }

  /** Applies a change. Keys that it adds have no known name: no later change in an upload concerns them. */
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

/** Updates references to a renamed table or column. */
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
