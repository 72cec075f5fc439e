import { isFinal, type TableChange } from '../../database/table-change.ts'

/** A named item that depends on others. */
export interface Dependent {
  readonly name: string
  readonly needs: readonly string[]
}

/**
 * Topological order: the dependencies of an item come before it, if possible. Circular dependencies come at the end, with
 * what depends on them.
 */
export function orderByNeed<Item extends Dependent>(items: readonly Item[]): readonly Item[] {
  const ordered: Item[] = []
  let waiting = items
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const isReady = ({ name, needs }: Item) => needs.every((need) => need === name || !names.has(need))
    const ready = waiting.filter(isReady)
    if (ready.length === 0) return [...ordered, ...waiting]
    ordered.push(...ready)
    waiting = waiting.filter((item) => !isReady(item))
  }
  return ordered
}

const ranks: Readonly<Record<TableChange['kind'], number>> = {
  // While its columns still have the names that it uses.
  dropReference: 0,
  renameTable: 1,
  createTable: 2,
  renameColumn: 3,
  addColumn: 4,
  dropUnique: 5,
  changeColumn: 6,
  addUnique: 7,
  addReference: 8,
  dropColumn: 11,
  dropTable: 12,
}

/** Changes in order: whatever can fail or be undone comes before destructive changes, across all tables. */
export function orderChanges(changes: readonly TableChange[]): readonly TableChange[] {
  const cut = new Set(
    changes.flatMap((change) =>
      change.kind === 'changeColumn' && change.isLossy ? [keyOf(change.table, change.to.name)] : [],
    ),
  )
  const rankOf = (change: TableChange) => {
    if (isFinal(change) && change.kind === 'changeColumn') return 9
    if (change.kind === 'addReference' && isCut(change, cut)) return 10
    return ranks[change.kind]
  }
  return changes.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function isCut(
  { table, key }: Extract<TableChange, { kind: 'addReference' | 'dropReference' }>,
  cut: ReadonlySet<string>,
): boolean {
  return (
    key.columns.some((column) => cut.has(keyOf(table, column))) ||
    key.referencedColumns.some((column) => cut.has(keyOf(key.referencedTable, column)))
  )
}

function keyOf(table: string, column: string): string {
  return JSON.stringify([table, column])
}

/** The index in ordered changes from which nothing is undone. */
export function finalFrom(changes: readonly TableChange[]): number {
  const first = changes.findIndex(isFinal)
  return first < 0 ? changes.length : first
}
