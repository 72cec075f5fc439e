import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../../../browser/refusal.ts'
import type { Table } from '../tables.ts'
import { changeCall } from './change-call.ts'
import { type Difference, differencesOf, isConflict } from './conflict.ts'
import { refreshRows } from './find-row.ts'
import { readStored, write } from './record-calls.ts'
import type { RecordRights } from './record-rights.ts'
import { type RecordValues, type StoredRecord, writableFields } from './stored-record.ts'

/** A change that someone else was quicker with. */
export interface Conflict {
  /** The record as it is now. */
  readonly theirs: StoredRecord
  readonly differences: readonly Difference[]
}

interface Change {
  /** The record as whoever changes it knows it. */
  readonly stored: StoredRecord
  readonly changes: RecordValues
  /** The record as it is now, if that is known. */
  readonly theirs?: StoredRecord
}

interface ChangeOptions {
  readonly table: Table
  readonly rights: RecordRights
  readonly onChanged: (after: StoredRecord) => unknown
}

/** How often a record is read again if only what the gateway itself writes was changed. */
const mostReads = 5

/** Changes a record, unless someone else has changed it since it was read: then there is a conflict, to be decided. */
export function useChange({ table, rights, onChanged }: ChangeOptions) {
  const { t } = useTranslation('data')
  const client = useQueryClient()
  const [conflict, setConflict] = useState<Conflict>()
  const fields = writableFields(table)

  async function attempt({ stored, changes }: Change, reads: number): Promise<StoredRecord | Conflict> {
    const call = changeCall(stored, changes, fields, rights)
    if (call === undefined) throw new Error(t(rights.PUT ? 'edit.needsValues' : 'edit.needsPut'))
    try {
      return await write(call, table)
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.status === 412
      if (!isOvertaken || !rights.GET || reads === 0) throw error
      // Throws that the record is gone, if it is.
      const theirs = await readStored(stored.path)
      return compare({ stored, changes, theirs }, reads - 1)
    }
  }

  async function compare({ stored, changes, theirs }: Required<Change>, reads: number) {
    const differences = differencesOf(fields, { base: stored.values, changes, theirs: theirs.values })
    return isConflict(differences) ? { theirs, differences } : attempt({ stored: theirs, changes }, reads)
  }

  const save = useMutation({
    mutationFn({ theirs, ...change }: Change) {
      return theirs === undefined ? attempt(change, mostReads) : compare({ ...change, theirs }, mostReads)
    },
    async onSuccess(result) {
      const isOvertaken = 'differences' in result
      setConflict(isOvertaken ? result : undefined)
      if (!isOvertaken) await onChanged(result)
    },
    onError(error) {
      setConflict(undefined)
      // It is gone.
      if (error instanceof Refusal && error.status === 404) void refreshRows(client, table)
    },
  })
  return {
    conflict,
    error: save.error,
    isSaving: save.isPending,
    save: (change: Change) => save.mutate(change),
    /** Writes over the newer record what was chosen; nothing if that is empty. */
    async decide(changes: RecordValues) {
      if (conflict === undefined) return
      const { theirs } = conflict
      if (Object.keys(changes).length > 0) return save.mutate({ stored: theirs, changes })
      setConflict(undefined)
      await onChanged(theirs)
    },
    giveUp: () => setConflict(undefined),
  }
}
