import '../mantine-styles-more.ts'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

export { notifications } from '@mantine/notifications'

/** The corner of the page with its notices. */
export function NoticePlace() {
  return <Notifications position="bottom-right" />
}
