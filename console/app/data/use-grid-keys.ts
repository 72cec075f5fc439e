import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** A cell of a grid. The head is row -1; the columns are counted with that of the actions, from 0. */
interface GridCell {
  readonly row: number
  readonly column: number
}

interface GridKeyOptions {
  readonly rows: number
  readonly columns: number
  /** How many rows are in the window. */
  readonly pageRows: number
  readonly scrollTo: (row: number) => void
  readonly onOpen: (row: number) => void
  /** Gives whether the cell can be edited. */
  readonly onEdit: ((cell: GridCell) => boolean) | undefined
  /** Makes the column of a cell wider, or narrower. */
  readonly onResize: (column: number, change: number) => void
}

/** What a grid needs for keys: one of its cells can be reached with the Tab key, the others with the arrows. */
export interface GridKeys {
  readonly active: GridCell
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onFocus: (event: FocusEvent) => void
}

/** The keys of a grid: https://www.w3.org/WAI/ARIA/apg/patterns/grid/ */
export function useGridKeys(frame: RefObject<HTMLElement | null>, options: GridKeyOptions): GridKeys {
  const [wanted, setActive] = useState<GridCell>({ row: 0, column: 0 })
  const mustFocus = useRef(false)
  const active = inside(wanted, options)

  // After each render, since a row that was out of the window is there only then.
  useEffect(() => {
    if (!mustFocus.current) return
    const cell = frame.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
    if (cell == null) return
    mustFocus.current = false
    cell.focus()
  })

  function onKeyDown(event: KeyboardEvent): void {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || target.closest('input, textarea, select') !== null) return
    const isOnCell = target.dataset.cell !== undefined
    if (event.altKey && (key === 'ArrowLeft' || key === 'ArrowRight') && active.row === -1) {
      event.preventDefault()
      options.onResize(active.column, key === 'ArrowLeft' ? -20 : 20)
      return
    }
    const next = event.altKey ? undefined : cellAfter(event, active, options)
    if (next !== undefined) {
      event.preventDefault()
      mustFocus.current = true
      setActive(inside(next, options))
      if (next.row >= 0) options.scrollTo(inside(next, options).row)
    } else if (key === 'Enter' && isOnCell && active.row >= 0) {
      event.preventDefault()
      if (!options.onEdit?.(active)) options.onOpen(active.row)
    } else if (key === 'F2' && isOnCell && active.row >= 0) {
      options.onEdit?.(active)
    }
  }

  function onFocus({ target }: FocusEvent): void {
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-cell]') : null
    const [row, column] = cell?.dataset.cell?.split(':').map(Number) ?? []
    if (row !== undefined && column !== undefined) setActive({ row, column })
  }

  return { active, onKeyDown, onFocus }
}

function inside({ row, column }: GridCell, { rows, columns }: GridKeyOptions): GridCell {
  return {
    row: Math.max(-1, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  }
}

function cellAfter(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: GridCell,
  { rows, columns, pageRows }: GridKeyOptions,
): GridCell | undefined {
  const isFar = ctrlKey || metaKey
  switch (key) {
    case 'ArrowUp':
      return { row: row - 1, column }
    case 'ArrowDown':
      return { row: row + 1, column }
    case 'ArrowLeft':
      return { row, column: column - 1 }
    case 'ArrowRight':
      return { row, column: column + 1 }
    case 'PageUp':
      return { row: Math.max(0, row - pageRows), column }
    case 'PageDown':
      return { row: row + pageRows, column }
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 }
    case 'End':
      return { row: isFar ? rows - 1 : row, column: columns - 1 }
    default:
      return undefined
  }
}
