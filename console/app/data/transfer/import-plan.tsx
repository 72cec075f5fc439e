import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { randomId } from '../../components/random-id.ts'
import { newRecordFields } from '../edit/stored-record.ts'
import { rowsKey, type Table } from '../tables.ts'
import type { ReadFile } from './import-dialog.tsx'
import { ImportForm } from './import-form.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { type ImportResult, isSessionEnd, isUnfinished, resultOf, resumedResult } from './import-result.ts'
import { ImportRunning } from './import-running.tsx'
import { type ImportKeeper, keptImportOf } from './kept-import.ts'
import { withoutUnanswered } from './leave-out.ts'
import { type ColumnMatches, canBeImported, type EmptyMeaning, guessMatches } from './match-columns.ts'
import {
  type Import,
  type ImportProgress,
  type ImportReport,
  nothingImported,
  type RefusalMode,
} from './run-import.ts'
import type { RowFault, SourceForm } from './source-file.ts'
import { useWork } from './use-work.ts'

export interface ImportPlanProps {
  readonly table: Table
  readonly file: File
  readonly form: SourceForm
  /** Undefined if the file could not be read in this form. */
  readonly read: ReadFile | undefined
  readonly onForm: (form: SourceForm) => void
  /** Called when an import begins and ends. */
  readonly onRunning: (isRunning: boolean) => void
  readonly onClose: () => void
  /** Keeps an import that does not come to its end. */
  readonly keeper: ImportKeeper
}

/** What was chosen for an import. */
export interface ImportChoice {
  readonly matches: ColumnMatches
  readonly empty: EmptyMeaning
  readonly mode: RefusalMode
}

/** From a file that was read to its rows in the table. */
export function ImportPlan(props: ImportPlanProps) {
  const { table, file, form, read } = props
  const client = useQueryClient()
  const words = useWords()
  const fields = useMemo(() => newRecordFields(table), [table])
  const guessed = useMemo(() => guessMatches(read?.summary.columns ?? [], fields), [read, fields])
  const [resumed] = useState(() => keptImportOf(props.keeper.kept, file))
  const [id, setId] = useState(resumed?.id ?? '')
  const [changed, setChanged] = useState<Partial<ImportChoice>>(resumed?.choice ?? {})
  const choice: ImportChoice = { matches: guessed, empty: 'absent', mode: 'row', ...changed }
  const [progress, setProgress] = useState<ImportProgress>()
  const [isDryRun, setIsDryRun] = useState(false)
  const { work, start, cancel, reset } = useWork<ImportResult>()
  if (!canBeImported(table)) return null
  const plan: Import = {
    id,
    file,
    form,
    reading: { fields, matches: choice.matches, empty: choice.empty, format: form.format },
    path: table.api.path,
    mode: choice.mode,
    isDryRun: false,
    words,
  }

  const run = (wanted: Import, before: ImportReport) => {
    setProgress(undefined)
    setIsDryRun(wanted.isDryRun)
    if (!wanted.isDryRun) props.onRunning(true)
    const keep = (report: ImportReport) => props.keeper.keep({ id: wanted.id, file, form, choice, report })
    void start(async (signal) => {
      const result = await resultOf({ ...wanted, onSend: keep }, before, setProgress, signal).finally(() =>
        props.onRunning(false),
      )
      if (wanted.isDryRun) return result
      if (isUnfinished(result)) keep(result.report)
      else props.keeper.forget(wanted.id)
      // Whoever has to log in sees the report first.
      if (!isSessionEnd(result)) void client.invalidateQueries({ queryKey: rowsKey(table.name) })
      return result
    })
  }
  const check: Import = { ...plan, mode: 'row', isDryRun: true }

  if (work.state === 'running') {
    return (
      <ImportRunning isDryRun={isDryRun} progress={progress} total={read?.summary.count} onCancel={cancel} />
    )
  }
  const result =
    work.state === 'done' ? work.result : work.state === 'idle' ? resumedResult(resumed) : undefined
  if (result !== undefined && read !== undefined) {
    const { report } = result
    return (
      <ImportOutcome
        result={result}
        plan={plan}
        read={read}
        onContinue={() => run(plan, report)}
        onLeaveOut={() => run(plan, withoutUnanswered(report, words.unknown))}
        onBack={reset}
        onClose={props.onClose}
      />
    )
  }
  return (
    <ImportForm
      {...props}
      plan={plan}
      choice={choice}
      onChoice={(change) => setChanged({ ...changed, ...change })}
      onForm={(next) => {
        setChanged({ empty: choice.empty, mode: choice.mode })
        props.onForm(next)
      }}
      onCheck={() => run(check, nothingImported)}
      onImport={() => {
        const newId = randomId()
        setId(newId)
        run({ ...plan, id: newId }, nothingImported)
      }}
    />
  )
}

function useWords(): Import['words'] & { readonly unknown: string } {
  const { t } = useTranslation('transfer')
  return {
    fault: (fault: RowFault) => t(`rowFault.${fault.kind}`, { ...fault }),
    unknown: t('rowFault.unknown'),
    sameBatch: (position) => t('rowFault.sameBatch', { position }),
  }
}
