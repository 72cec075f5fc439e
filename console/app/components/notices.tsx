/** Notices in a corner of the page. Their code is loaded after the first page: it must be there when nothing can be loaded. */
import type { NotificationData } from '@mantine/notifications'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'

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
  useEffect(() => {
    // Where it fails, the first notice loads it.
    load().catch(() => undefined)
  }, [])
  return isShown ? (
    <Suspense>
      <Place />
    </Suspense>
  ) : null
}
