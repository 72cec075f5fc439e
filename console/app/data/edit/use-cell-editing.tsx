import { type ReactNode, useState } from 'react'
import { randomId } from '../../components/random-id.ts'
import type { RowGridProps } from '../row-grid.tsx'
import type { Row } from '../rows.ts'
import type { Field, Table } from '../tables.ts'
import { CellDialog } from './cell-dialog.tsx'
import { CellEditor } from './cell-editor.tsx'
import { isEditable, needsDialog } from './cell-value.ts'
import type { WritableField } from './stored-record.ts'

interface CellEditing extends Required<Pick<RowGridProps, 'onEdit' | 'isEdited' | 'renderValue'>> {
  /** For values that have no place in their cells. */
  readonly dialog: ReactNode
}

/** A cell that is edited, or being saved. */
interface Edited {
  /** Of this edit: the same cell may be edited anew before the page has shown the end of the edit before. */
  readonly id: string
  readonly row: Row
  readonly field: WritableField
  readonly isInDialog: boolean
  /** Another number moves the focus there. */
  readonly turn: number
}

/** Edits values in the cells of a grid, as far as the roles allow it. */
export function useCellEditing(table: Table): CellEditing {
  // Whoever goes on does not wait until the cell before is saved.
  const [edited, setEdited] = useState<readonly Edited[]>([])
  const close = (one: Edited) => setEdited((all) => all.filter(({ id }) => id !== one.id))
  const inDialog = edited.find(({ isInDialog }) => isInDialog)
  return {
    onEdit(row, field) {
      if (row.id === undefined || !isEditable(table, field)) return false
      const isInDialog = needsDialog(field, row.values[field.name])
      const id = randomId()
      setEdited((all) => {
        const before = all.find((other) => isSameCell({ row, field }, other))
        const others = all.filter((other) => other !== before)
        const begun = { id, row, field, isInDialog, turn: 0 }
        return [...others, before === undefined ? begun : { ...before, turn: before.turn + 1 }]
      })
      return true
    },
    isEdited: ({ id }) => edited.some(({ row, isInDialog }) => row.id === id && !isInDialog),
    renderValue(row, field, onGoOn) {
      const place = edited.findIndex((other) => isSameCell({ row, field }, other))
      const one = edited[place]
      if (one === undefined || one.isInDialog) return undefined
      return (
        <CellEditor
          key={one.id}
          table={table}
          row={one.row}
          field={one.field}
          turn={one.turn}
          isNext={!edited.slice(0, place).some((other) => other.row.id === row.id)}
          onClose={() => close(one)}
          onGoOn={onGoOn}
        />
      )
    },
    dialog:
      inDialog === undefined ? null : (
        <CellDialog
          table={table}
          row={inDialog.row}
          field={inDialog.field}
          isNext
          onClose={() => close(inDialog)}
        />
      ),
  }
}

function isSameCell(
  one: { readonly row: Row; readonly field: Pick<Field, 'name'> },
  { row, field }: Edited,
): boolean {
  return one.row.id === row.id && one.field.name === field.name
}
