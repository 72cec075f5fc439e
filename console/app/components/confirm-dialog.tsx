import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode
  /** The words of the button that does it. */
  readonly action: string
  /** What must be typed first, for what cannot be undone. */
  readonly mustType?: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is removed or ended. Stays open with the reason if that fails. */
export function ConfirmDialog({ title, children, action, mustType, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation('components')
  const [typed, setTyped] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()

  async function confirm(): Promise<void> {
    setIsBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (reason) {
      setError(reason)
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <Dialog opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        {children}
        {mustType === undefined ? null : (
          <TextInput
            label={t('confirm.type', { text: mustType })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {error === undefined ? null : <FailureAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            color="red"
            loading={isBusy}
            disabled={mustType !== undefined && typed !== mustType}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
