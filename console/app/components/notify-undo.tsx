import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

interface UndoneNotice {
  /** What was done. */
  readonly message: string
  /** The words of the button. */
  readonly label: string
  readonly undo: () => Promise<unknown>
}

/** Says that something was done, and offers to undo it. */
export function notifyWithUndo({ message, label, undo }: UndoneNotice): void {
  const id = `undo-${crypto.randomUUID()}`
  const run = async () => {
    notifications.hide(id)
    try {
      await undo()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      notifications.show({ message: reason, color: 'red', withBorder: true, autoClose: false })
    }
  }
  notifications.show({
    id,
    color: 'teal',
    withBorder: true,
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
