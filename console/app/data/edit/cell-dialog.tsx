import { Alert, Button, Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { referenceOf } from './referable.ts'
import { type EditedCell, useCellChange } from './use-cell-change.ts'

interface CellDialogProps extends EditedCell {
  readonly onClose: () => void
}

/** Edits a value that has no place in its cell. */
export function CellDialog({ onClose, ...cell }: CellDialogProps) {
  const { table, field } = cell
  const { t } = useTranslation('data')
  const { t: shared } = useTranslation('components')
  const change = useCellChange(cell, onClose)
  return (
    <>
      <Dialog
        opened
        onClose={onClose}
        size="lg"
        title={t('edit.cell', { field: field.name })}
        closeButtonProps={{ 'aria-label': shared('close') }}
      >
        <Stack>
          {change.isAllowed ? null : <Alert color="red">{t('edit.notAllowed')}</Alert>}
          {change.isReady ? (
            <FieldInput
              field={field}
              value={change.entered}
              reference={referenceOf(table, field.name)}
              error={change.error}
              isReadOnly={!change.isAllowed}
              onChange={change.enter}
            />
          ) : change.error === undefined ? (
            <Loading />
          ) : (
            <Alert color="red">{change.error}</Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {shared('cancel')}
            </Button>
            <Button
              loading={change.isSaving}
              disabled={!change.isReady || !change.isTouched || !change.isAllowed}
              onClick={change.save}
            >
              {t('edit.save')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      {change.conflict === undefined ? null : (
        <ConflictDialog
          differences={change.conflict.differences}
          isSaving={change.isSaving}
          onChoose={(chosen) => void change.decide(chosen)}
          onClose={change.giveUp}
        />
      )}
    </>
  )
}
