import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { randomId } from '../../components/random-id.ts'
import { apiPathOf } from '../record-address.ts'
import type { Row } from '../rows.ts'
import { isJson } from '../show-value.ts'
import type { Field, Table } from '../tables.ts'
import { showInPages } from './cell-value.ts'
import { type Entered, enteredOf, readEntered } from './entered.ts'
import { readStored } from './record-calls.ts'
import { mistakesOf } from './record-draft.ts'
import { useRecordRights } from './record-rights.ts'
import { isSame } from './same.ts'
import { type StoredRecord, storedOf, type WritableField } from './stored-record.ts'
import { useChange } from './use-change.ts'
import { useSavedNotice } from './use-saved-notice.ts'

/** A cell whose value is edited. */
export interface EditedCell {
  readonly table: Table
  readonly row: Row
  readonly field: WritableField
  /** Whether no other value of the row is being saved: only then the row is read again. */
  readonly isNext: boolean
}

/**
 * Changes one value of a record that is shown in a grid. `onSaved` is called when it is, or if nothing has changed; but not if
 * more was entered meanwhile, or if someone has come back to enter more.
 */
export function useCellChange(
  { table, row, field, isNext }: EditedCell,
  onSaved: () => void,
  isBack = () => false,
) {
  const name = field.api_name
  const client = useQueryClient()
  const notice = useSavedNotice(table)
  // The record as it was when the edit began; the row itself may be read again meanwhile.
  const [begun] = useState(() => {
    const path = apiPathOf(table, row.values)
    return path === undefined ? undefined : storedOf(path, table, row)
  })
  const { rights, error: rightsError } = useRecordRights(table, begun?.path)
  const [query] = useState(() => ({
    queryKey: ['changed', table.name, 'cell', begun?.path, randomId()],
    queryFn: () => readStored(begun?.path ?? ''),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  }))
  const { data: read, error: readError } = useQuery({ ...query, enabled: rights?.GET === true && isNext })
  const [written, setWritten] = useState<StoredRecord>()
  const stored = written ?? read
  const shown = isJson(field as Field) ? stored?.values[name] : (stored ?? begun)?.values[name]
  const [typed, setTyped] = useState<{ readonly entered: Entered }>()
  // What the value was when it was touched first.
  const before = useRef<unknown>(undefined)
  const latest = useRef<Entered>(undefined)
  const sent = useRef<Entered>(undefined)
  const [mistake, setMistake] = useState<string>()
  const change = useChange({
    table,
    rights: rights ?? { GET: false, PUT: false, PATCH: false, DELETE: false, POST: false },
    async onChanged(after) {
      const known = change.conflict?.theirs ?? stored ?? begun
      const isShown = showInPages(client, table, row, field, after.values[name])
      if (known !== undefined && rights !== undefined) notice.changed(known, after, rights)
      // Who comes back to the cell after that begins with what was saved.
      await isShown
      const isAll = latest.current === sent.current
      if (isAll && !isBack()) return onSaved()
      if (isAll) setTyped(undefined)
      before.current = after.values[name]
      setWritten(after)
    },
  })
  const entered = typed === undefined ? enteredOf(shown, field) : typed.entered
  const refused = change.error ?? readError ?? (rights === undefined ? rightsError : null)
  return {
    entered,
    /** The value before it was touched. */
    shown,
    conflict: change.conflict,
    decide: change.decide,
    giveUp: change.giveUp,
    isSaving: change.isSaving,
    isTouched: typed !== undefined,
    /** Whether the value and the rights are known; only then it can be saved. */
    isReady: isNext && rights !== undefined && (!rights.GET || stored !== undefined),
    isAllowed: rights === undefined || rights.PATCH || rights.PUT,
    error: mistake ?? mistakesOf(refused, [field])[name] ?? refused?.message,
    enter(value: Entered) {
      if (typed === undefined) before.current = shown
      latest.current = value
      setMistake(undefined)
      setTyped({ entered: value })
    },
    save() {
      const current: StoredRecord | undefined = stored ?? begun
      sent.current = latest.current
      if (typed === undefined || current === undefined) return onSaved()
      const read = readEntered(typed.entered ?? null, field)
      if ('mistake' in read) return setMistake(read.mistake)
      if (isSame(read.value, before.current)) return onSaved()
      const changes = { [name]: read.value }
      if (isSame(before.current, current.values[name])) return change.save({ stored: current, changes })
      // It has changed since the grid was read.
      const known = { ...current, values: { ...current.values, [name]: before.current } }
      change.save({ stored: known, changes, theirs: current })
    },
  }
}
