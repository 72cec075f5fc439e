import { useMemo, useState } from 'react'
import {
  type ColumnChoice,
  columnsOf,
  type GridColumn,
  keepChoice,
  keptChoice,
  withMoved,
} from './columns.ts'
import type { Table } from './tables.ts'

/** The columns of a table, and how to choose others. */
export interface ChosenColumns {
  readonly all: readonly { readonly column: GridColumn; readonly isShown: boolean }[]
  /** Those that are shown. */
  readonly shown: readonly GridColumn[]
  readonly pageSize: number
  show(name: string, isShown: boolean): void
  /** To a place among all columns, from 0. */
  move(name: string, place: number): void
  resize(name: string, width: number): void
  setPageSize(size: number): void
  /** Goes back to the columns of the table, in its own order. */
  reset(): void
}

/** The columns of a table as they were chosen in this browser. The component is to have the table's name as its key. */
export function useColumns(table: Table): ChosenColumns {
  const [choice, setChoice] = useState(() => keptChoice(table.name))
  const all = useMemo(() => columnsOf(table, choice), [table, choice])
  const change = (next: ColumnChoice) => {
    setChoice(next)
    keepChoice(table.name, next)
  }
  return {
    all,
    shown: useMemo(() => all.flatMap(({ column, isShown }) => (isShown ? [column] : [])), [all]),
    pageSize: choice.size,
    show: (name, isShown) => change({ ...choice, shown: { ...choice.shown, [name]: isShown } }),
    move(name, place) {
      const names = all.map(({ column }) => column.name)
      change(withMoved(choice, names, name, place))
    },
    resize: (name, width) => change({ ...choice, widths: { ...choice.widths, [name]: Math.round(width) } }),
    setPageSize: (size) => change({ ...choice, size }),
    reset: () => change({ ...choice, order: [], shown: {}, widths: {} }),
  }
}
