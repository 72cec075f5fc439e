import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { useAccess } from '../../api/access.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { randomId } from '../../components/random-id.ts'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import { useKeptForm } from '../../components/use-kept-form.ts'
import { BackLink } from '../back-link.tsx'
import { TableAbsent } from '../table-absent.tsx'
import { pathOfTable } from '../table-view.ts'
import { type Table, tableQuery } from '../tables.ts'
import { isOnlyWritten } from '../unlisted-rows.tsx'
import { addressOf } from './find-row.ts'
import { write } from './record-calls.ts'
import { isEntered, type RecordDraft, readDraft } from './record-draft.ts'
import { RecordForm } from './record-form.tsx'
import { createCall, newRecordFields, type RecordValues } from './stored-record.ts'
import { useSavedNotice } from './use-saved-notice.ts'

/** Creates a record. */
export function NewRecordPage() {
  const { table: name = '' } = useParams()
  const query = useQuery(tableQuery(name))
  if (query.data === undefined) return <TableAbsent name={name} query={query} />
  return <NewRecord key={name} table={query.data} />
}

function NewRecord({ table }: { readonly table: Table }) {
  const { t } = useTranslation('data')
  const path = table.api?.path ?? ''
  const { allowed, error } = useAccess([{ method: 'POST', path }])
  return (
    <>
      <BackLink {...(isOnlyWritten(table) ? {} : { table: table.name })} />
      <PageHeader title={t('edit.newOf', { table: table.name })} />
      {allowed === undefined && error !== null ? <FailureAlert error={error} /> : null}
      {allowed?.[0] && table.api !== null ? <NewRecordForm table={table} api={table.api} /> : null}
      {allowed?.[0] === false ? (
        <EmptyState title={t('edit.notAllowed')}>{t('edit.notAllowedWhy')}</EmptyState>
      ) : null}
    </>
  )
}

interface NewRecordFormProps {
  readonly table: Table
  readonly api: NonNullable<Table['api']>
}

function NewRecordForm({ table, api }: NewRecordFormProps) {
  const navigate = useNavigate()
  const fields = newRecordFields(table)
  const kept = useKeptForm<RecordDraft>()
  const [draft, setDraft] = useState(kept.restored ?? {})
  const [created, setCreated] = useState<string>()
  const notice = useSavedNotice(table)
  const keyOf = useIdempotencyKeys()
  const read = readDraft(fields, draft, undefined)
  const save = useMutation({
    mutationFn: (values: RecordValues) => write(createCall(api, values, keyOf(values)), table),
    async onSuccess(record) {
      notice.created(record)
      setCreated(await addressOf(table, record).catch(() => pathOfTable(table.name)))
    },
  })
  const isChanged = isEntered(read) && created === undefined
  kept.hold(isChanged ? draft : undefined)
  // Only when the guard below has let go.
  useEffect(() => {
    if (created !== undefined) void navigate(created, { replace: true })
  }, [created, navigate])
  return (
    <>
      <LeaveGuard isChanged={isChanged} />
      <RecordForm
        table={table}
        isNew
        isRestored={kept.restored !== undefined}
        draft={draft}
        read={read}
        error={save.error}
        isSaving={save.isPending || created !== undefined}
        isReady={Object.keys(read.mistakes).length === 0}
        back={isOnlyWritten(table) ? '/data' : pathOfTable(table.name)}
        onDraft={setDraft}
        onSave={() => save.mutate(read.values)}
        actions={<ShowAsButton call={createCall(api, read.values)} />}
      />
    </>
  )
}

/** A key for each record that is sent: if an answer is lost, sending the same again does not create it twice. */
function useIdempotencyKeys(): (values: RecordValues) => string {
  const last = useRef({ text: '', key: '' })
  return (values) => {
    const text = JSON.stringify(values)
    if (text !== last.current.text) last.current = { text, key: randomId() }
    return last.current.key
  }
}
