/**
 * Notices in a corner of the page. The first page does not need their code; it is loaded with the first click or key, and with other
 * pages: it must be there when nothing can be loaded.
 */
import type { NotificationData } from '@mantine/notifications'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'

const load = () => import('./notice-place.tsx')
const Place = lazy(async () => ({ default: (await load()).NoticePlace }))

/** Loads the code of notices early. Where that fails, the first notice loads it. */
export async function loadNotices(): Promise<void> {
  await load().catch(() => undefined)
}

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
    const stop = new AbortController()
    const { signal } = stop
    for (const kind of ['pointerdown', 'keydown']) {
      window.addEventListener(kind, () => void loadNotices(), { once: true, signal })
    }
    return () => stop.abort()
  }, [])
  return isShown ? (
    <Suspense>
      <Place />
    </Suspense>
  ) : null
}
