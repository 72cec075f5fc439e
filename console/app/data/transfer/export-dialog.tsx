import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import type { ListArguments } from '../row-documents.ts'
import { countRows } from '../rows.ts'
import { rowsKey, type Table } from '../tables.ts'
import type { ChosenColumns } from '../use-columns.ts'
import { mediaTypes } from './export-format.ts'
import { type ExportChoice, ExportOptions, firstChoice } from './export-options.tsx'
import { FileTooLong, fileName, mostHeldBytes, openFile } from './file-sink.ts'
import { runExport } from './run-export.ts'
import { useWork } from './use-work.ts'
import { WorkProgress } from './work-progress.tsx'

export interface ExportDialogProps {
  readonly table: Table
  readonly list: ListArguments
  readonly columns: Pick<ChosenColumns, 'shown'>
  readonly onClose: () => void
}

/** Asks for the format of a file, and writes all rows of a list to it. */
export function ExportDialog({ table, list, columns, onClose }: ExportDialogProps) {
  const { t, i18n } = useTranslation('transfer')
  const [choice, setChoice] = useState<ExportChoice>(firstChoice)
  const { work, start, cancel, reset } = useWork<{ readonly rows: number; readonly isStreamed: boolean }>()
  const isRunning = work.state === 'running'
  const { filters, asc, desc } = list
  const total = useQuery({
    queryKey: [...rowsKey(table.name), 'count', filters],
    queryFn: ({ signal }) => countRows(table, filters, signal),
  }).data
  const shown = columns.shown.flatMap((column) => (column.kind === 'field' ? [column.field] : []))
  const fields = choice.hasAllColumns ? table.fields : shown
  const { format, delimiter, isForSpreadsheets } = choice

  async function run(): Promise<void> {
    const file = await openFile(fileName(table.name, format), mediaTypes[format])
    if (file === undefined) return
    const options = { fields, delimiter, isForSpreadsheets }
    await start(async (signal, onProgress) => ({
      rows: await runExport(
        { table, list: { filters, asc, desc }, format, options },
        file,
        onProgress,
        signal,
      ),
      isStreamed: file.isStreamed,
    }))
  }

  const close = () => {
    cancel()
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={close}
      closeOnClickOutside={!isRunning}
      title={t('export.title', { table: table.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <LeaveGuard isChanged={isRunning} />
      <Stack>
        {work.state === 'done' ? (
          <Alert color="teal" role="status">
            {t(work.result.isStreamed ? 'export.saved' : 'export.downloaded', {
              count: work.result.rows,
              shown: work.result.rows.toLocaleString(i18n.language),
            })}
          </Alert>
        ) : null}
        {work.state === 'cancelled' ? <Alert color="yellow">{t('export.cancelled')}</Alert> : null}
        {work.state === 'failed' ? <ExportFailure error={work.error} /> : null}
        {isRunning ? (
          <WorkProgress label={t('export.progress')} done={work.done} total={total} onCancel={cancel} />
        ) : (
          <>
            <ExportOptions
              choice={choice}
              counts={{ rows: total, shown: shown.length, all: table.fields.length }}
              onChange={(change) => {
                setChoice({ ...choice, ...change })
                reset()
              }}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t('close')}
              </Button>
              <Button disabled={fields.length === 0} onClick={() => void run()}>
                {t('export.action')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  )
}

function ExportFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('transfer')
  if (!(error instanceof FileTooLong)) return <FailureAlert error={error} />
  return (
    <Alert color="red" role="alert">
      {t('export.tooLong', { megabytes: mostHeldBytes / 1024 / 1024 })}
    </Alert>
  )
}
