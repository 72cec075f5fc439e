import type { Column, Table } from '../database/database-schema.ts'
import type { TableRights } from './filter.ts'

/** What clients may filter and sort by: the names in requests, and the columns behind them. */
export interface Filterable {
  readonly columns: ReadonlyMap<string, Column>
  /** Whether errors suggest names of columns; absent if they do. */
  readonly suggestsNames?: boolean
  /** The rows that the name of a reference or a collection leads to, if filters may follow it. */
  readonly related?: (name: string) => RelatedRows | undefined
  /** The global id, if the table has a key: the columns of the key together. */
  readonly globalId?: FilterableId
}

/** The global id of a row as filters take it. */
export interface FilterableId {
  readonly name: string
  readonly typeName: string
  /** Former names of the type: ids with these names stay valid. */
  readonly earlierTypeNames?: readonly string[]
  readonly key: readonly Column[]
  readonly rowNumber?: Column
}

/** The rows of another table that belong to one: those with the same values in `other` as it has in `own`. */
export interface RelatedRows {
  readonly table: Table
  /** Whether there may be several for one row. */
  readonly isList: boolean
  /** What may be read of them; undefined for everything. */
  readonly rights: TableRights | undefined
  readonly own: readonly Column[]
  readonly other: readonly Column[]
  readonly filterable: Filterable
}

/**
 * The rows that a path of names leads to, such as `tenant.portCollection`, with those in between: each belongs to the one
 * before. Undefined if a name leads nowhere.
 */
export function relatedPath(path: string, filterable: Filterable): readonly RelatedRows[] | undefined {
  const steps: RelatedRows[] = []
  let from = filterable
  for (const name of path.split('.')) {
    const step = from.related?.(name)
    if (step === undefined) return undefined
    steps.push(step)
    from = step.filterable
  }
  return steps
}
