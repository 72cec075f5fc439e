import type { Observer } from '../observe/events.ts'
import type { ChangeKind, ChangeVersions } from '../store/change-store.ts'
import type { Store } from '../store/store.ts'

export interface Following {
  readonly store: Pick<Store, 'read' | 'changes'>
  /** The store's versions before the current records were read. */
  readonly versions: ChangeVersions
  /** Called when something has changed, here or on another node; resolves when the change has taken effect. */
  readonly changed: Readonly<Record<ChangeKind, () => Promise<void>>>
  /** Called when it is unknown whether something has changed. */
  readonly lost: () => void
  readonly observe: Observer
}

export interface FollowedChanges {
  /**
   * Takes the version of a change that was made by this node and is already in effect here; changes by others may precede
   * it.
   */
  holds(kind: ChangeKind, version: string): void
  stop(): Promise<void>
}

/** How often the store is polled, with or without notices. */
const intervalMs = 400
/** The shortest time between polls, however many notices arrive. */
const leastMs = 25
/** How long cached records may be used without a successful poll. */
const trustMs = 10_000

/**
 * Follows changes by other nodes until it is stopped: by notices of the database, and by polling the store. A change is
 * noticed within half a second; if the store cannot be reached for ten seconds, `lost` is called.
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
