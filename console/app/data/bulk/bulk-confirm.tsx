import { Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldInput } from '../edit/field-input.tsx'
import { type RecordDraft, readDraft } from '../edit/record-draft.ts'
import type { RecordRights } from '../edit/record-rights.ts'
import { referenceOf } from '../edit/referable.ts'
import { writableFields } from '../edit/stored-record.ts'
import type { ListArguments } from '../row-documents.ts'
import type { Row } from '../rows.ts'
import { type BulkAction, canUndo, mostUndone } from './bulk-actions.ts'
import type { PublishedTable } from './bulk-rights.ts'
import { ShowBulkButton } from './show-bulk-button.tsx'

interface BulkConfirmProps {
  readonly kind: BulkAction['kind']
  readonly table: PublishedTable
  readonly list: ListArguments
  /** The selected rows; undefined for all of the list. */
  readonly rows: readonly Row[] | undefined
  /** Undefined until they are counted. */
  readonly count: number | undefined
  readonly rights: RecordRights
  /** What the fields are to get. */
  readonly draft: RecordDraft
  readonly onDraft: (draft: RecordDraft) => void
  readonly onConfirm: (action: BulkAction) => void
  readonly onClose: () => void
}

/** From here on, the number must be typed. */
const manyRecords = 10

/** What will happen to how many records, and whether it can be undone. */
export function BulkConfirm({ kind, table, count, rights, draft, onDraft, ...props }: BulkConfirmProps) {
  const { t, i18n } = useTranslation('bulk')
  const { t: shared } = useTranslation('components')
  const [typed, setTyped] = useState('')
  const fields = writableFields(table).filter(
    ({ api_name: name, immutable }) => !immutable && !table.api.key.includes(name),
  )
  const chosen = fields.filter(({ api_name: name }) => Object.hasOwn(draft, name))
  const choose = (names: readonly string[]) => {
    const wanted = fields.filter(({ api_name: name }) => names.includes(name))
    // Nobody means null by choosing a field.
    const entered = wanted.map(({ api_name: name }) => [name, draft[name]] as const)
    onDraft(Object.fromEntries(entered))
  }
  const { values, mistakes } = readDraft(chosen, draft, undefined)
  const action: BulkAction = kind === 'delete' ? { kind } : { kind, changes: values }
  const isRead = kind === 'delete' || (chosen.length > 0 && Object.keys(values).length === chosen.length)
  const shown = count?.toLocaleString(i18n.language)
  const undoable = count !== undefined && canUndo(kind, count, rights)
  const mustType = count !== undefined && count > manyRecords && (kind === 'delete' || !undoable)
  return (
    <Stack>
      <Text>{count === undefined ? t('select.counting') : t(`${kind}.what`, { count, shown })}</Text>
      {kind === 'change' ? (
        <>
          <MultiSelect
            label={t('change.fields')}
            searchable
            data={fields.map(({ api_name: name }) => name)}
            value={chosen.map(({ api_name: name }) => name)}
            onChange={choose}
          />
          {chosen.map((field) => (
            <FieldInput
              key={field.api_name}
              field={field}
              value={draft[field.api_name]}
              reference={referenceOf(table, field.name)}
              error={mistakes[field.api_name]}
              onChange={(value) => onDraft({ ...draft, [field.api_name]: value === undefined ? '' : value })}
            />
          ))}
        </>
      ) : null}
      <Text size="sm" c="dimmed">
        {t(rights.GET ? 'guard' : 'noGuard')} {t(undoable ? 'undoable' : 'notUndoable', { most: mostUndone })}
      </Text>
      {mustType ? (
        <TextInput
          label={shared('confirm.type', { text: String(count) })}
          inputMode="numeric"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      ) : null}
      <Group justify="flex-end">
        {isRead ? (
          <ShowBulkButton action={action} table={table} rights={rights} list={props.list} rows={props.rows} />
        ) : null}
        <Button variant="default" onClick={props.onClose}>
          {shared('cancel')}
        </Button>
        <Button
          {...(kind === 'delete' ? { color: 'red' } : {})}
          disabled={count === undefined || !isRead || (mustType && typed.trim() !== String(count))}
          onClick={() => props.onConfirm(action)}
        >
          {count === undefined ? t(`${kind}.button`) : t(`${kind}.action`, { count, shown })}
        </Button>
      </Group>
    </Stack>
  )
}
