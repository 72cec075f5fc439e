import { useState } from 'react'
import type { Row } from '../rows.ts'

/** The rows that are selected: one by one, or all that a list has. */
export interface Selection {
  /** By the last parts of their addresses. */
  readonly rows: ReadonlyMap<string, Row>
  /** Whether it is all rows of the list, on every page. */
  readonly isAll: boolean
  readonly has: (row: Row) => boolean
  /** Selects a row or not; with `isRange` all rows of the page from the last one that was. */
  readonly toggle: (row: Row, page: readonly Row[], isRange: boolean) => void
  readonly togglePage: (page: readonly Row[]) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

interface Selected {
  readonly list: string
  readonly rows: ReadonlyMap<string, Row>
  readonly isAll: boolean
  /** The row from which a range goes. */
  readonly anchor?: string
}

/** What is selected of a list, over its pages. Another list (other filters) begins with nothing. */
export function useSelection(list: string): Selection {
  const nothing: Selected = { list, rows: new Map(), isAll: false }
  const [kept, setSelected] = useState<Selected>(nothing)
  const selected = kept.list === list ? kept : nothing
  const { rows, isAll, anchor } = selected
  const has = ({ id }: Row) => id !== undefined && (isAll || rows.has(id))
  const set = (changed: readonly Row[], isOn: boolean, from?: string) => {
    const next = new Map(rows)
    for (const row of changed) {
      if (row.id === undefined) continue
      if (isOn) next.set(row.id, row)
      else next.delete(row.id)
    }
    setSelected({ list, rows: next, isAll: false, ...(from === undefined ? {} : { anchor: from }) })
  }
  return {
    rows,
    isAll,
    has,
    toggle(row, page, isRange) {
      const [from, to] = [page.findIndex(({ id }) => id === anchor), page.indexOf(row)]
      const isOn = !has(row)
      if (!isRange || from === -1 || to === -1) set([row], isOn, row.id)
      else set(page.slice(Math.min(from, to), Math.max(from, to) + 1), true, anchor)
    },
    togglePage: (page) => set(page, !page.every(has)),
    selectAll: () => setSelected({ ...selected, isAll: true }),
    clear: () => setSelected(nothing),
  }
}
