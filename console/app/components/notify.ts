import { notifications } from '@mantine/notifications'

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true })
}
