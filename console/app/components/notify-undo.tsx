import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { notifyFailed } from './notify.ts'
import { randomId } from './random-id.ts'

interface UndoneNotice {
  /** What was done. */
  readonly message: string
  /** The words of the button. */
  readonly label: string
  readonly undo: () => Promise<unknown>
}

/** Says that something was done, and offers to undo it. */
export function notifyWithUndo({ message, label, undo }: UndoneNotice): void {
  const closeButtonProps = { 'aria-label': i18next.t('close', { ns: 'components' }) }
  const id = `undo-${randomId()}`
  const run = async () => {
    notifications.hide(id)
    try {
      await undo()
    } catch (error) {
      notifyFailed(error instanceof Error ? error.message : String(error))
    }
  }
  notifications.show({
    id,
    color: 'teal',
    withBorder: true,
    closeButtonProps,
    autoClose: 15_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void run()}>
          {label}
        </Button>
      </Group>
    ),
  })
}
