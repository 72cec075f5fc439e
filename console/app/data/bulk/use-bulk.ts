import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../shell/session-gate.tsx'
import type { RecordRights } from '../edit/record-rights.ts'
import { nameOfPath } from '../record-address.ts'
import type { Row } from '../rows.ts'
import { rowsKey } from '../tables.ts'
import { useWork } from '../transfer/use-work.ts'
import { actOn, type BulkAction, canUndo, mostUndone, nameOfRow, undo, type Written } from './bulk-actions.ts'
import type { PublishedTable } from './bulk-rights.ts'
import { forgetReport, type KeptReport, keepReport, reportKey } from './kept-report.ts'
import { type BulkReport, runBulk, takingBack } from './run-bulk.ts'

/** What is done with which records. */
interface Bulk {
  readonly kind: BulkAction['kind']
  readonly table: PublishedTable
  readonly rights: RecordRights
  /** What became of records before the session ended: to be looked at first. */
  readonly kept: KeptReport | undefined
}

/** Does something with many records, and takes it back. What became of them outlives the session. */
export function useBulk({ kind, table, rights, kept }: Bulk) {
  const client = useQueryClient()
  const { account } = useSession()
  const key = reportKey(account.name, table.name)
  const [total, setTotal] = useState<number>()
  const [isUndo, setIsUndo] = useState(kept?.isUndo ?? false)
  const [undoable, setUndoable] = useState(kept?.undoable ?? [])
  const { work, start, cancel } = useWork<BulkReport<Written>>()
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])

  function finish(done: Omit<KeptReport, 'kind'>, startedAt: string): BulkReport<Written> {
    // Without a session the dialog goes, but the address stays.
    const isTorn = !isThere.current && location.pathname === startedAt
    if (done.report.hasSessionEnded || isTorn) keepReport(key, { kind, ...done })
    setUndoable(done.undoable)
    void client.invalidateQueries({ queryKey: rowsKey(table.name) })
    return done.report
  }

  return {
    work,
    total,
    isUndo,
    report: work.state === 'done' ? work.result : work.state === 'idle' ? kept?.report : undefined,
    cancel,
    forget: () => forgetReport(key),
    run(action: BulkAction, rowsToWrite: (signal: AbortSignal) => Promise<readonly Row[]>) {
      const { pathname } = location
      return start(async (signal, onProgress) => {
        const items = await rowsToWrite(signal)
        setTotal(items.length)
        const nameOf = (row: Row) => nameOfRow(table, row)
        const act = (row: Row) => actOn(row, action, table, rights)
        const report = await runBulk({ items, nameOf, act, mostKept: mostUndone }, onProgress, signal)
        const backable = canUndo(kind, report.count, rights) ? report.done : []
        return finish({ isUndo: false, report, undoable: backable }, pathname)
      })
    },
    takeBack:
      undoable.length === 0
        ? undefined
        : () => {
            const { pathname } = location
            setIsUndo(true)
            setTotal(undoable.length)
            return start(async (signal, onProgress) => {
              const nameOf = ({ before }: Written) => nameOfPath(before.path)
              const takeBackOne = (written: Written) => undo(written, table, rights)
              const back = takingBack({ done: undoable, nameOf, undo: takeBackOne })
              const report = await runBulk(back, onProgress, signal)
              const undone = new Set(report.done)
              const rest = undoable.filter((written) => !undone.has(written))
              return finish({ isUndo: true, report, undoable: rest }, pathname)
            })
          },
  }
}
