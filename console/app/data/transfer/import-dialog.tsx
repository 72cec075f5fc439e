import { Alert, FileInput, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Loading } from '../../components/loading.tsx'
import { newRecordFields } from '../edit/stored-record.ts'
import type { Table } from '../tables.ts'
import { FileFault } from './file-fault.ts'
import { ImportPlan } from './import-plan.tsx'
import { keptImportOf, useKeptImports } from './kept-import.ts'
import { type FileSummary, guessForm, type SourceForm, summarize } from './source-file.ts'
import { UnfinishedImport } from './unfinished-import.tsx'
import { useWork } from './use-work.ts'

interface ImportDialogProps {
  readonly table: Table
  readonly onClose: () => void
}

/** A file that was read, with how it was read. */
export interface ReadFile {
  readonly file: File
  readonly form: SourceForm
  readonly summary: FileSummary
}

/** Asks for a file, shows what would become of its rows, and imports them. */
export function ImportDialog({ table, onClose }: ImportDialogProps) {
  const { t, i18n } = useTranslation('transfer')
  const isNarrow = useMediaQuery('(max-width: 48em)')
  const [file, setFile] = useState<File | null>(null)
  const [form, setForm] = useState<SourceForm>()
  const [isRunning, setIsRunning] = useState(false)
  const { work, start, reset } = useWork<ReadFile>()
  const keeper = useKeptImports(table.name)
  const { kept } = keeper

  const read = (chosen: File, wanted?: SourceForm) =>
    start(async (signal) => {
      const names = newRecordFields(table).flatMap(({ name, api_name: api }) => [api, name])
      const used = wanted ?? (await guessForm(chosen, names, i18n.language, signal))
      signal.throwIfAborted()
      setForm(used)
      return { file: chosen, form: used, summary: await summarize(chosen, used, signal) }
    })
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setForm(undefined)
    if (chosen === null) reset()
    else void read(chosen, keptImportOf(kept, chosen)?.form)
  }
  const change = (wanted: SourceForm) => {
    if (file !== null) void read(file, wanted)
  }

  return (
    <Dialog
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!isRunning}
      withCloseButton={!isRunning}
      fullScreen={isNarrow ?? false}
      size="70rem"
      title={t('import.title', { table: table.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <LeaveGuard isChanged={isRunning} />
      <Stack>
        {isRunning ? null : (
          <>
            <Text size="sm">{t('import.what')}</Text>
            {file === null
              ? kept.map((one) => (
                  <UnfinishedImport key={one.id} kept={one} onForget={() => keeper.forget(one.id)} />
                ))
              : null}
            <FileInput
              label={t('import.file')}
              placeholder={t('import.choose')}
              accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
              clearable
              clearButtonProps={{ 'aria-label': t('import.clear') }}
              value={file}
              onChange={choose}
            />
          </>
        )}
        {work.state === 'running' ? <Loading /> : null}
        {work.state === 'failed' ? <ReadFailure error={work.error} /> : null}
        {(work.state === 'done' || work.state === 'failed') && file !== null && form !== undefined ? (
          <ImportPlan
            table={table}
            file={file}
            form={form}
            read={work.state === 'done' ? work.result : undefined}
            onForm={change}
            onRunning={setIsRunning}
            onClose={onClose}
            keeper={keeper}
          />
        ) : null}
      </Stack>
    </Dialog>
  )
}

function ReadFailure({ error }: { readonly error: unknown }) {
  const { t } = useTranslation('transfer')
  if (!(error instanceof FileFault)) return <FailureAlert error={error} />
  return (
    <Alert color="red" role="alert">
      {t(`fault.${error.kind}`, { detail: error.detail })}
    </Alert>
  )
}
