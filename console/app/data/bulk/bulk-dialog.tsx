import { Stack } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import type { RecordDraft } from '../edit/record-draft.ts'
import type { ListArguments } from '../row-documents.ts'
import type { Row } from '../rows.ts'
import { tableRights } from '../table-rights.ts'
import { WorkProgress } from '../transfer/work-progress.tsx'
import { allRows } from './all-rows.ts'
import type { BulkAction } from './bulk-actions.ts'
import { BulkConfirm } from './bulk-confirm.tsx'
import { BulkOutcome } from './bulk-outcome.tsx'
import type { PublishedTable } from './bulk-rights.ts'
import type { KeptReport } from './kept-report.ts'
import { useBulk } from './use-bulk.ts'

interface BulkDialogProps {
  readonly kind: BulkAction['kind']
  readonly table: PublishedTable
  readonly list: ListArguments
  /** The selected rows; undefined for all of the list. */
  readonly rows: readonly Row[] | undefined
  /** Undefined until they are counted. */
  readonly count: number | undefined
  /** What became of records before the session ended: it is shown instead of the question. */
  readonly kept?: KeptReport | undefined
  /** Called when something was written: the selection has served its purpose. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** More are not held in the memory. */
const mostRows = 100_000

/** Asks before something is done to many records, does it, and tells what became of each. */
export function BulkDialog({ kind, table, list, rows: selected, count, kept, ...props }: BulkDialogProps) {
  const { t, i18n } = useTranslation('bulk')
  const { t: shared } = useTranslation('components')
  const rights = useMemo(() => tableRights(table), [table])
  const [asked, setAsked] = useState({ selected, count })
  const confirmed = asked.count ?? count
  const [draft, setDraft] = useState<RecordDraft>({})
  const { work, report, ...bulk } = useBulk({ kind, table, rights, kept })
  const isRunning = work.state === 'running'

  /** The rows that were confirmed; throws if the list has more by now. */
  async function rowsToWrite(signal: AbortSignal): Promise<readonly Row[]> {
    if (asked.selected !== undefined) return asked.selected
    const all = await allRows(table, list, mostRows, signal)
    const words = (number: number) => ({ count: number, shown: number.toLocaleString(i18n.language) })
    if (all === undefined) throw new Error(t('tooMany', words(mostRows)))
    if (confirmed !== undefined && all.length <= confirmed) return all
    setAsked({ selected: undefined, count: all.length })
    throw new Error(t('grown', words(all.length)))
  }

  const close = () => {
    if (isRunning) return
    bulk.forget()
    if (work.state === 'done') props.onDone()
    props.onClose()
  }
  return (
    <Dialog
      opened
      onClose={close}
      closeOnClickOutside={false}
      size="lg"
      title={t(`${kind}.title`, { table: table.name })}
      closeButtonProps={{ 'aria-label': shared('close') }}
    >
      <LeaveGuard isChanged={isRunning} />
      <Stack>
        {work.state === 'failed' ? <FailureAlert error={work.error} /> : null}
        {isRunning ? (
          <WorkProgress label={t('progress')} done={work.done} total={bulk.total} onCancel={bulk.cancel} />
        ) : report !== undefined ? (
          <BulkOutcome
            kind={kind}
            isUndo={bulk.isUndo}
            report={report}
            onUndo={bulk.takeBack && (() => void bulk.takeBack?.())}
            onClose={close}
          />
        ) : (
          <BulkConfirm
            kind={kind}
            table={table}
            list={list}
            rows={asked.selected}
            count={confirmed}
            rights={rights}
            draft={draft}
            onDraft={setDraft}
            onConfirm={(action) => void bulk.run(action, rowsToWrite)}
            onClose={close}
          />
        )}
      </Stack>
    </Dialog>
  )
}
