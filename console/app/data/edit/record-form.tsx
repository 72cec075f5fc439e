import { Alert, Button, Group, Stack } from '@mantine/core'
import { type Dispatch, type ReactNode, type SetStateAction, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { LockedInputs } from '../../components/locked-inputs.tsx'
import { RestoredNotice } from '../../components/restored-notice.tsx'
import type { Table } from '../tables.ts'
import classes from './edit.module.css'
import { isToldBesideFields, mistakesOf, type ReadDraft, type RecordDraft } from './record-draft.ts'
import { RecordFieldsForm } from './record-fields-form.tsx'
import { writableFields } from './stored-record.ts'

interface RecordFormProps {
  readonly table: Table
  readonly isNew: boolean
  /** Whether it shows what was entered before the session ended. */
  readonly isRestored: boolean
  readonly draft: RecordDraft
  readonly read: ReadDraft
  /** Why the gateway refused it. */
  readonly error: unknown
  readonly isSaving: boolean
  /** Whether there is something to save. */
  readonly isReady: boolean
  /** Where Cancel leads. */
  readonly back: string
  /** Further buttons. */
  readonly actions: ReactNode
  readonly onDraft: Dispatch<SetStateAction<RecordDraft>>
  readonly onSave: () => void
}

/** The form of a record; mistakes stand beside the fields that they are about. */
export function RecordForm({ table, isNew, draft, read, error, onDraft, onSave, ...props }: RecordFormProps) {
  const { t } = useTranslation('data')
  const { t: shared } = useTranslation('components')
  const fields = writableFields(table)
  const mistakes = { ...mistakesOf(error, fields), ...read.mistakes }
  const form = useRef<HTMLFormElement>(null)
  const enter = useCallback(
    (values: RecordDraft) => onDraft((entered) => ({ ...entered, ...values })),
    [onDraft],
  )
  // After a refusal, where the first mistake is.
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSave()
      }}
    >
      <Stack>
        {props.isRestored ? <RestoredNotice /> : null}
        <LockedInputs isLocked={props.isSaving}>
          <RecordFieldsForm table={table} draft={draft} mistakes={mistakes} isNew={isNew} onEnter={enter} />
        </LockedInputs>
        {error === null || error === undefined ? null : isToldBesideFields(error, fields) ? (
          <Alert role="alert" color="red" variant="light">
            {t('edit.refused', { count: Object.keys(mistakesOf(error, fields)).length })}
          </Alert>
        ) : (
          <FailureAlert error={error} />
        )}
        <Group className={classes.bar ?? ''}>
          <Button type="submit" loading={props.isSaving} disabled={!props.isReady}>
            {t(isNew ? 'edit.create' : 'edit.save')}
          </Button>
          <Button component={Link} to={props.back} variant="default">
            {shared('cancel')}
          </Button>
          {props.actions}
        </Group>
      </Stack>
    </form>
  )
}
