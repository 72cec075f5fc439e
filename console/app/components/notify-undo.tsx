import { Button, Group, Text } from '@mantine/core'
import i18next from 'i18next'
import { hideNotice, showNotice } from './notices.tsx'
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
    await hideNotice(id)
    try {
      await undo()
    } catch (error) {
      notifyFailed(error instanceof Error ? error.message : String(error))
    }
  }
  void showNotice({
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
