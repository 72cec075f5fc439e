/**
 * Changes of tables, as plain data: they can be shown, stored, compared with what exists, performed on any product,
 * and reversed.
 */
import type { ForeignKey } from './database-schema.ts'
import type { ColumnSpec, TableSpec } from './table-spec.ts'

/** One change. `table` and the columns are the names at the time when the change is performed. */
export type TableChange =
  | { readonly kind: 'createTable'; readonly table: string; readonly spec: TableSpec }
  | { readonly kind: 'dropTable'; readonly table: string }
  | { readonly kind: 'renameTable'; readonly table: string; readonly to: string }
  /** `fill` of the column is the value for existing rows. */
  | { readonly kind: 'addColumn'; readonly table: string; readonly column: ColumnSpec }
  | { readonly kind: 'dropColumn'; readonly table: string; readonly column: string }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly column: string; readonly to: string }
  | ColumnChange
  | { readonly kind: 'addUnique'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'dropUnique'; readonly table: string; readonly columns: readonly string[] }
  | ReferenceChange

/** Another type, or whether it may be null; `to.fill` replaces nulls. */
export interface ColumnChange {
  readonly kind: 'changeColumn'
  readonly table: string
  readonly from: ColumnSpec
  readonly to: ColumnSpec
  /** Whether values are truncated, and cannot be restored. */
  readonly isLossy: boolean
}

/** A reference, with an index on the referencing columns. */
export interface ReferenceChange {
  readonly kind: 'addReference' | 'dropReference'
  readonly table: string
  readonly key: ForeignKey
  readonly index: readonly string[]
}

/** Whether the change deletes something that cannot be restored. */
export function isFinal(change: TableChange): boolean {
  return (
    change.kind === 'dropTable' ||
    change.kind === 'dropColumn' ||
    (change.kind === 'changeColumn' && change.isLossy)
  )
}

/** The change that reverses one that is not final. */
export function inverseOf(change: TableChange): TableChange {
  const { table } = change
  switch (change.kind) {
    case 'createTable':
      return { kind: 'dropTable', table }
    case 'renameTable':
      return { kind: 'renameTable', table: change.to, to: table }
    case 'addColumn':
      return { kind: 'dropColumn', table, column: change.column.name }
    case 'renameColumn':
      return { kind: 'renameColumn', table, column: change.to, to: change.column }
    case 'changeColumn':
      return { ...change, from: change.to, to: change.from }
    case 'addUnique':
      return { ...change, kind: 'dropUnique' }
    case 'dropUnique':
      return { ...change, kind: 'addUnique' }
    case 'addReference':
      return { ...change, kind: 'dropReference' }
    case 'dropReference':
      return { ...change, kind: 'addReference' }
    case 'dropTable':
    case 'dropColumn':
      throw new Error(`What ${change.kind} takes away cannot be had back.`)
  }
}
