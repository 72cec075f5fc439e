/** The foreign keys that become relations, and their permanent ids. */
import type { Column, DatabaseSchema, ForeignKey, Table } from '../../database/database-schema.ts'
import { tableKeyOf } from '../../database/table-names.ts'

/** A foreign key with both of its tables. */
export interface Relation {
  /** Unique, and independent of the name that the database gives the foreign key. */
  readonly id: string
  readonly key: ForeignKey
  readonly referencing: Table
  readonly referenced: Table
  readonly referencingColumns: readonly Column[]
  readonly referencedColumns: readonly Column[]
}

/** All relations between tables: by table, then by the positions of their columns. */
export function relationsOf({ tables }: DatabaseSchema): readonly Relation[] {
  return tablesByPrecedence({ tables }).flatMap((table) =>
    keysByColumns(table).flatMap((key) => relationOf(key, table, tables)),
  )
}

/** The keys of the tables that get the fields of a relation: the reference, and the collection. */
export function tablesOfRelation(id: string): readonly [string, string] {
  const [referencing, , referenced] = JSON.parse(id) as readonly [string, unknown, string, unknown]
  return [referencing, referenced]
}

/** The id of a foreign key, made from the ids of its tables. */
export function foreignKeyId(table: string, key: ForeignKey, referencedTable: string): string {
  return JSON.stringify([table, key.columns, referencedTable, key.referencedColumns])
}

/** Tables that need no schema for a unique name come first. */
export function tablesByPrecedence({ tables }: Pick<DatabaseSchema, 'tables'>): readonly Table[] {
  const all = [...tables.values()]
  return [...all.filter(({ id, name }) => id === name), ...all.filter(({ id, name }) => id !== name)]
}

/**
 * By the positions of their columns in the table: the same on every product, and a new foreign key over later columns
 * takes no name from existing ones.
 */
function keysByColumns({ columns, foreignKeys }: Table): readonly ForeignKey[] {
  const positions = new Map([...columns.keys()].map((name, position) => [name, position]))
  const positionsOf = (key: ForeignKey) => key.columns.map((name) => positions.get(name) ?? columns.size)
  return foreignKeys.toSorted((a, b) => {
    const [own, other] = [positionsOf(a), positionsOf(b)]
    const different = own.findIndex((position, index) => position !== other[index])
    return different === -1 ? own.length - other.length : (own[different] ?? 0) - (other[different] ?? -1)
  })
}

function relationOf(
  key: ForeignKey,
  referencing: Table,
  tables: ReadonlyMap<string, Table>,
): readonly Relation[] {
  const referenced = tables.get(key.referencedTable)
  if (referenced === undefined) return []
  const referencingColumns = columnsNamed(referencing, key.columns)
  const referencedColumns = columnsNamed(referenced, key.referencedColumns)
  const complete =
    referencingColumns.length === key.columns.length && referencedColumns.length === key.columns.length
  if (!complete) return []
  const id = foreignKeyId(tableKeyOf(referencing), key, tableKeyOf(referenced))
  return [{ id, key, referencing, referenced, referencingColumns, referencedColumns }]
}

function columnsNamed(table: Table, names: readonly string[]): readonly Column[] {
  return names.flatMap((name) => table.columns.get(name) ?? [])
}
