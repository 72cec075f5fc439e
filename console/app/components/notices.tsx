/** Notices in a corner of the page. Their code is loaded with the first one. */
import type { NotificationData } from '@mantine/notifications'
import { lazy, Suspense, useSyncExternalStore } from 'react'

const load = () => import('./notice-place.tsx')
const Place = lazy(async () => ({ default: (await load()).NoticePlace }))

let isWanted = false
const listeners = new Set<() => void>()

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a notice. */
export async function showNotice(notice: NotificationData): Promise<void> {
  isWanted = true
  for (const listener of listeners) listener()
  ;(await load()).notifications.show(notice)
}

/** Takes a notice away. */
export async function hideNotice(id: string): Promise<void> {
  ;(await load()).notifications.hide(id)
}

/** Where notices are shown. */
export function Notices() {
  const isShown = useSyncExternalStore(listen, () => isWanted)
  return isShown ? (
    <Suspense>
      <Place />
    </Suspense>
  ) : null
}
