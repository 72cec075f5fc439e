import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import { useKeptForm } from '../../components/use-kept-form.ts'
import { BackLink } from '../back-link.tsx'
import { apiPathOf } from '../record-address.ts'
import { type Row, readRow } from '../rows.ts'
import { TableAbsent } from '../table-absent.tsx'
import { pathOfRecord, pathOfTable } from '../table-view.ts'
import { type Table, tableQuery } from '../tables.ts'
import { wantedWhole } from '../wanted.ts'
import { changeCall } from './change-call.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { addressOf } from './find-row.ts'
import { readStored } from './record-calls.ts'
import { draftOf, isEntered, type RecordDraft, readDraft } from './record-draft.ts'
import { RecordForm } from './record-form.tsx'
import { type RecordRights, useRecordRights } from './record-rights.ts'
import { type StoredRecord, storedOf, writableFields } from './stored-record.ts'
import { useChange } from './use-change.ts'
import { useSavedNotice } from './use-saved-notice.ts'

/** Changes a record. */
export function ChangeRecordPage() {
  const { table: name = '', id = '' } = useParams()
  const query = useQuery(tableQuery(name))
  if (query.data === undefined) return <TableAbsent name={name} query={query} />
  return <ChangeRecord key={`${name}/${id}`} table={query.data} id={id} />
}

interface ChangeRecordProps {
  readonly table: Table
  readonly id: string
}

/** What a form began with stays, whatever others do meanwhile: when it is saved, both are compared. */
const asBegun = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

function ChangeRecord({ table, id }: ChangeRecordProps) {
  const { t } = useTranslation('data')
  const query = useQuery({
    queryKey: ['changed', table.name, 'row', id],
    queryFn: ({ signal }) => readRow(table, wantedWhole(table), id, signal),
    ...asBegun,
  })
  return (
    <>
      <BackLink table={table.name} />
      <PageHeader title={t('edit.changeOf', { table: table.name })} />
      <QueryContent query={query}>
        {(row) =>
          row === null ? (
            <EmptyState title={t('record.none')}>{t('record.noneWhy')}</EmptyState>
          ) : (
            <ChangeRow table={table} row={row} id={id} />
          )
        }
      </QueryContent>
    </>
  )
}

function ChangeRow({ table, row, id }: ChangeRecordProps & { readonly row: Row }) {
  const { t } = useTranslation('data')
  const [path] = useState(() => apiPathOf(table, row.values))
  const { rights, error } = useRecordRights(table, path)
  const query = useQuery({
    queryKey: ['changed', table.name, 'stored', path],
    queryFn: ({ signal }) => readStored(path ?? '', signal),
    enabled: rights?.GET === true && path !== undefined,
    ...asBegun,
  })
  if (rights === undefined) return error === null ? <Loading /> : <FailureAlert error={error} />
  // Without a path, its key is not readable.
  if (path === undefined || (!rights.PATCH && !rights.PUT)) {
    return <EmptyState title={t('edit.notAllowed')}>{t('edit.notAllowedWhy')}</EmptyState>
  }
  if (!rights.GET) {
    return <ChangeForm table={table} id={id} rights={rights} read={storedOf(path, table, row)} />
  }
  return (
    <QueryContent query={query}>
      {(stored) => <ChangeForm table={table} id={id} rights={rights} read={stored} />}
    </QueryContent>
  )
}

interface ChangeFormProps extends ChangeRecordProps {
  readonly rights: RecordRights
  /** The record as the form begins with it. */
  readonly read: StoredRecord
}

function ChangeForm({ table, id, rights, read: first }: ChangeFormProps) {
  const navigate = useNavigate()
  const fields = writableFields(table)
  const kept = useKeptForm<{ readonly draft: RecordDraft; readonly stored: StoredRecord }>()
  const [stored] = useState(kept.restored?.stored ?? first)
  const [draft, setDraft] = useState(() => kept.restored?.draft ?? draftOf(fields, stored))
  const [done, setDone] = useState<string>()
  const notice = useSavedNotice(table)
  const read = readDraft(fields, draft, stored)
  const change = useChange({
    table,
    rights,
    async onChanged(after) {
      notice.changed(change.conflict?.theirs ?? stored, after, rights)
      const isMoved = after.path !== stored.path
      // It is saved, whether it is found or not.
      const moved = () => addressOf(table, after).catch(() => pathOfTable(table.name))
      setDone(isMoved ? await moved() : pathOfRecord(table.name, id))
    },
  })
  const isChanged = isEntered(read) && done === undefined
  kept.hold(isChanged ? { draft, stored } : undefined)
  // Only when the guard below has let go.
  useEffect(() => {
    if (done !== undefined) void navigate(done, { replace: true })
  }, [done, navigate])
  const call = changeCall(stored, read.values, fields, rights)
  return (
    <>
      <LeaveGuard isChanged={isChanged} />
      <RecordForm
        table={table}
        isNew={false}
        isRestored={kept.restored !== undefined}
        draft={draft}
        read={read}
        error={change.error}
        isSaving={change.isSaving || done !== undefined}
        isReady={isChanged && Object.keys(read.mistakes).length === 0}
        back={pathOfRecord(table.name, id)}
        onDraft={setDraft}
        onSave={() => change.save({ stored, changes: read.values })}
        actions={call === undefined ? null : <ShowAsButton call={call} />}
      />
      {change.conflict === undefined ? null : (
        <ConflictDialog
          key={change.conflict.theirs.etag}
          differences={change.conflict.differences}
          isSaving={change.isSaving}
          onChoose={(changes) => void change.decide(changes)}
          onClose={change.giveUp}
        />
      )}
    </>
  )
}
