import type { Observer } from '../observe/events.ts'
import type { Store } from '../store/store.ts'

export interface Following {
  readonly store: Pick<Store, 'read' | 'changes'>
  /** What the store said before the records were read that are used now. */
  readonly version: string
  /** Called when records have changed, here or on another node; done when the change holds. */
  readonly changed: () => Promise<void>
  /** Called when nobody knows any more whether something has changed. */
  readonly lost: () => void
  readonly observe: Observer
}

/** How often the store is asked. */
const intervalMs = 400
/** How long what was read may be used without knowing that it still holds. */
const trustMs = 10_000

/**
 * Asks the store for changes that other nodes made, again and again, until it is stopped. A change is heard of
 * within half a second; where the store cannot be asked for ten seconds, `lost` is called.
 */
export function followChanges({ store, version, changed, lost, observe }: Following): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let known = version
  let trustedUntil = performance.now() + trustMs

  const ask = async () => {
    const found = await store.read((connection) => store.changes.version(connection))
    if (found !== known) await changed()
    known = found
    trustedUntil = performance.now() + trustMs
  }
  const askAgain = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      ask()
        .catch((error: unknown) => {
          if (performance.now() < trustedUntil) return
          trustedUntil = performance.now() + trustMs
          observe({ kind: 'ChangesLost', error })
          lost()
        })
        .finally(askAgain)
    }, intervalMs)
    timer.unref()
  }
  askAgain()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
