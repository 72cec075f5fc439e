import type { Observer } from '../observe/events.ts'
import type { ChangeKind, ChangeVersions } from '../store/change-store.ts'
import type { Store } from '../store/store.ts'

export interface Following {
  readonly store: Pick<Store, 'read' | 'changes'>
  /** What the store said before the records were read that are used now. */
  readonly versions: ChangeVersions
  /** Called when something has changed, here or on another node; done when the change holds. */
  readonly changed: Readonly<Record<ChangeKind, () => Promise<void>>>
  /** Called when nobody knows any more whether something has changed. */
  readonly lost: () => void
  readonly observe: Observer
}

export interface FollowedChanges {
  /** Says which version a change has that was noted here, and holds here already; others may have come before it. */
  holds(kind: ChangeKind, version: string): void
  stop(): Promise<void>
}

/** How often the store is asked, whether or not its database tells of changes. */
const intervalMs = 400
/** The shortest time from one question to the next, however many changes the database tells of. */
const leastMs = 25
/** How long what was read may be used without knowing that it still holds. */
const trustMs = 10_000

/**
 * Asks the store for changes that other nodes made, until it is stopped: as soon as its database tells of one, and
 * again and again. A change is heard of within half a second; where the store cannot be asked for ten seconds, `lost`
 * is called.
 */
export function followChanges({ store, versions, changed, lost, observe }: Following): FollowedChanges {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let isAsking = false
  let isTold = false
  let known = versions
  let trustedUntil = performance.now() + trustMs

  const ask = async () => {
    const found = await store.read((connection) => store.changes.versions(connection))
    const kinds = Object.keys(changed) as ChangeKind[]
    await Promise.all(kinds.filter((kind) => found[kind] !== known[kind]).map((kind) => changed[kind]()))
    known = found
    trustedUntil = performance.now() + trustMs
  }
  const askAfter = (milliseconds: number) => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void askOnce(), milliseconds).unref()
  }
  const askOnce = async () => {
    isAsking = true
    isTold = false
    try {
      await ask()
    } catch (error) {
      if (performance.now() >= trustedUntil) {
        trustedUntil = performance.now() + trustMs
        observe({ kind: 'ChangesLost', error })
        lost()
      }
    }
    isAsking = false
    askAfter(isTold ? leastMs : intervalMs)
  }
  const listening = store.changes.listen(() => {
    if (!isAsking && !isTold) askAfter(leastMs)
    isTold = true
  })
  askAfter(intervalMs)
  return {
    holds(kind, version) {
      if (Number(known[kind]) + 1 === Number(version)) known = { ...known, [kind]: version }
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await listening.stop()
    },
  }
}
