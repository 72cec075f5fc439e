/**
 * Finds the table changes that an interrupted upload has already made. Changes are compared with the tables themselves,
 * never with the journal.
 */
import type { DatabaseSchema, ForeignKey, Table } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { inverseOf, type ReferenceChange, type TableChange } from '../../database/table-change.ts'
import { isUnique, referenceOf } from '../plan/drift.ts'

type Types = Pick<Ddl, 'hasType'>

/** The remaining changes, in order. */
export function remainingChanges(
  changes: readonly TableChange[],
  schema: DatabaseSchema,
  ddl: Types,
): readonly TableChange[] {
  const state = new FoundState(changes, schema, ddl)
  return changes.flatMap((change): readonly TableChange[] => {
    if (change.kind === 'createTable' && state.isDone(change)) {
      // Its references are added after all tables exist.
      return change.spec.foreignKeys
        .filter(({ columns }) => !state.refers(change.table, columns))
        .map((key) => ({ kind: 'addReference', table: change.table, key, index: [] }))
    }
    if (change.kind === 'addReference' && state.willBeDropped(change)) return [change]
    return state.isDone(change) ? [] : [change]
  })
}

/** The changes that undo those already made. */
export function undoingChanges(
  changes: readonly TableChange[],
  schema: DatabaseSchema,
  ddl: Types,
): readonly TableChange[] {
  const state = new FoundState(changes, schema, ddl)
  const dropped: TableChange[] = []
  const added: TableChange[] = []
  const others: TableChange[] = []
  for (const change of changes) {
    switch (change.kind) {
      case 'createTable':
        for (const key of change.spec.foreignKeys) {
          if (state.refers(change.table, key.columns)) {
            dropped.push({ kind: 'dropReference', table: change.table, key, index: [] })
          }
        }
        if (state.isDone(change)) others.push(change)
        break
      case 'addReference': {
        const { table, columns } = state.actual(change.table, change.key.columns)
        if (state.refers(change.table, change.key.columns)) {
          dropped.push({
            ...change,
            kind: 'dropReference',
            table,
            key: { ...change.key, columns },
            index: [columns[0] ?? '', ...change.index.slice(1)],
          })
        }
        break
      }
      case 'dropReference':
        if (state.isDone(change) || state.isReplaced(change)) added.push({ ...change, kind: 'addReference' })
        break
      default:
        if (state.isDone(change)) others.push(change)
    }
  }
  return [...dropped, ...others.toReversed().map(inverseOf), ...added]
}

/** The current tables, by the names that changes use: those after the preceding renames. */
class FoundState {
  readonly #changes: readonly TableChange[]
  readonly #schema: DatabaseSchema
  readonly #ddl: Types

  constructor(changes: readonly TableChange[], schema: DatabaseSchema, ddl: Types) {
    this.#changes = changes
    this.#schema = schema
    this.#ddl = ddl
  }

  /** The current names of a table and its columns. */
  actual(
    table: string,
    columns: readonly string[],
  ): { readonly table: string; readonly columns: readonly string[] } {
    const { tables } = this.#schema
    const now = tables.has(table)
      ? table
      : (this.#renames('renameTable').find(({ to }) => to === table)?.table ?? table)
    const found = tables.get(now)
    const nowOf = (column: string) =>
      found === undefined || found.columns.has(column)
        ? column
        : (this.#renames('renameColumn').find((change) => change.table === table && change.to === column)
            ?.column ?? column)
    return { table: now, columns: columns.map(nowOf) }
  }

  isDone(change: TableChange): boolean {
    const { tables } = this.#schema
    switch (change.kind) {
      case 'createTable':
        return tables.has(change.table)
      case 'dropTable':
        return !tables.has(change.table)
      case 'renameTable':
        return !tables.has(change.table) && tables.has(change.to)
      case 'dropReference': {
        // Under the names before any renames: if they are gone, it was done.
        const table = tables.get(change.table)
        return table === undefined || !sameKey(referenceOf(table, change.key.columns[0] ?? ''), change.key)
      }
      case 'addReference':
        return this.refers(change.table, change.key.columns)
      default:
        return this.#isDoneIn(change)
    }
  }

  /** Whether columns refer to something. */
  refers(table: string, columns: readonly string[]): boolean {
    const actual = this.actual(table, columns)
    const found = this.#schema.tables.get(actual.table)
    return found !== undefined && referenceOf(found, actual.columns[0] ?? '') !== undefined
  }

  /** Whether the existing reference is the one that this one replaces. */
  willBeDropped({ table, key }: ReferenceChange): boolean {
    const actual = this.actual(table, key.columns)
    return this.#changes.some(
      (change) =>
        change.kind === 'dropReference' &&
        !this.isDone(change) &&
        change.table === actual.table &&
        change.key.columns[0] === actual.columns[0],
    )
  }

  /** Whether another reference replaces a dropped one. */
  isReplaced({ table, key }: ReferenceChange): boolean {
    return this.#changes.some((change) => {
      if (change.kind !== 'addReference') return false
      const before = this.#before(change.table, change.key.columns[0] ?? '')
      return before.table === table && before.column === key.columns[0]
    })
  }

  #before(table: string, column: string): { readonly table: string; readonly column: string } {
    const renamed = this.#renames('renameColumn').find(
      (change) => change.table === table && change.to === column,
    )
    return {
      table: this.#renames('renameTable').find(({ to }) => to === table)?.table ?? table,
      column: renamed?.column ?? column,
    }
  }

  #isDoneIn(change: ChangeInTable): boolean {
    const table = this.#schema.tables.get(this.actual(change.table, []).table)
    if (table === undefined) return false
    switch (change.kind) {
      case 'addColumn':
        return table.columns.has(change.column.name)
      case 'dropColumn':
        return !table.columns.has(change.column)
      case 'renameColumn':
        return table.columns.has(change.to) && !table.columns.has(change.column)
      case 'changeColumn': {
        const column = table.columns.get(this.#actualColumn(change.table, change.to.name))
        return (
          column !== undefined &&
          this.#ddl.hasType(column, change.to) &&
          column.nullable === change.to.nullable
        )
      }
      case 'addUnique':
        return this.#isUnique(table, change)
      case 'dropUnique':
        return !this.#isUnique(table, change)
    }
  }

  #isUnique(table: Table, change: { readonly table: string; readonly columns: readonly string[] }): boolean {
    return isUnique(table, this.#actualColumn(change.table, change.columns[0] ?? ''))
  }

  #actualColumn(table: string, column: string): string {
    return this.actual(table, [column]).columns[0] ?? column
  }

  #renames<Kind extends 'renameTable' | 'renameColumn'>(
    kind: Kind,
  ): readonly Extract<TableChange, { kind: Kind }>[] {
    return this.#changes.filter(
      (change): change is Extract<TableChange, { kind: Kind }> => change.kind === kind,
    )
  }
}

type ChangeInTable = Extract<
  TableChange,
  { kind: 'addColumn' | 'dropColumn' | 'renameColumn' | 'changeColumn' | 'addUnique' | 'dropUnique' }
>

function sameKey(found: ForeignKey | undefined, wanted: ForeignKey): boolean {
  return (
    found !== undefined &&
    found.referencedTable === wanted.referencedTable &&
    found.referencedColumns.join() === wanted.referencedColumns.join()
  )
}
