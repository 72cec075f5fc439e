import i18next from 'i18next'
import { showNotice } from './notices.tsx'

/** Says that something was done. */
export function notifyDone(message: string): void {
  const closeButtonProps = { 'aria-label': i18next.t('close', { ns: 'components' }) }
  void showNotice({ message, color: 'teal', withBorder: true, closeButtonProps })
}

/** Says that something was not done, until it is read. */
export function notifyFailed(message: string): void {
  const closeButtonProps = { 'aria-label': i18next.t('close', { ns: 'components' }) }
  void showNotice({ message, color: 'red', withBorder: true, autoClose: false, closeButtonProps })
}
