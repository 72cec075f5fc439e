import { notifications } from '@mantine/notifications'
import i18next from 'i18next'

/** Says that something was done. */
export function notifyDone(message: string): void {
  const closeButtonProps = { 'aria-label': i18next.t('close', { ns: 'components' }) }
  notifications.show({ message, color: 'teal', withBorder: true, closeButtonProps })
}

/** Says that something was not done, until it is read. */
export function notifyFailed(message: string): void {
  const closeButtonProps = { 'aria-label': i18next.t('close', { ns: 'components' }) }
  notifications.show({ message, color: 'red', withBorder: true, autoClose: false, closeButtonProps })
}
