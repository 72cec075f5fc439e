import { useTranslation } from 'react-i18next'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import type { RecordRights } from '../edit/record-rights.ts'
import type { ListArguments } from '../row-documents.ts'
import type { Row } from '../rows.ts'
import { listCall } from '../show-list.ts'
import type { BulkAction } from './bulk-actions.ts'
import { callsForAny, callsForRows } from './bulk-calls.ts'
import type { PublishedTable } from './bulk-rights.ts'

interface ShowBulkButtonProps {
  readonly action: BulkAction
  readonly table: PublishedTable
  readonly rights: RecordRights
  readonly list: ListArguments
  /** The selected rows; undefined for all of the list. */
  readonly rows: readonly Row[] | undefined
}

/** Shows the requests that do the same with many records. */
export function ShowBulkButton({ action, table, rights, list, rows }: ShowBulkButtonProps) {
  const { t, i18n } = useTranslation('bulk')
  const keyNames = table.api.key.join(', ')
  if (rows === undefined) {
    const further = callsForAny(action, table, rights)
    if (further.length === 0) return null
    const call = listCall(table, { shown: [] }, { ...list, place: { kind: 'start' }, size: 1000 })
    return <ShowAsButton call={call} further={further} note={t('showAs.all', { key: keyNames })} />
  }
  const [call, ...further] = callsForRows(rows, action, table, rights)
  if (call === undefined) return null
  const count = rows.length - 1 - further.length
  const note = count > 0 ? t('showAs.more', { count, shown: count.toLocaleString(i18n.language) }) : undefined
  return <ShowAsButton call={call} further={further} {...(note === undefined ? {} : { note })} />
}
