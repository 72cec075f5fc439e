/** One uploader at a time, over all nodes. */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { UploadLease } from '../../store/upload-store.ts'
import type { EntityParts } from '../entity-parts.ts'

/** How an uploader shows that it lives, and how long others believe that it does. */
export interface LeaseTimes {
  readonly beatMs: number
  /** An uploader that has not shown for so long that it lives is ended. */
  readonly leaseMs: number
  /** How long another uploader waits for it. */
  readonly waitMs: number
}

export const leaseTimes: LeaseTimes = { beatMs: 1000, leaseMs: 10_000, waitMs: 30_000 }

/** Says when a lease is over: when it has stood still for long enough, by this node's own clock. */
export class LeaseWatch {
  readonly #leaseMs: number
  #last: string | undefined
  #since = 0

  constructor({ leaseMs }: Pick<LeaseTimes, 'leaseMs'>) {
    this.#leaseMs = leaseMs
  }

  isOver({ holder, beat }: UploadLease): boolean {
    const now = performance.now()
    const lease = JSON.stringify([holder, beat])
    if (lease !== this.#last) {
      this.#last = lease
      this.#since = now
    }
    return now - this.#since >= this.#leaseMs
  }
}

/**
 * Runs work while no other uploader can. The lock belongs to the connection, on which everything is done: an uploader
 * that was taken for dead has lost its connection with it, and can do nothing more when it comes back.
 */
export async function aloneWith<Result>(
  connection: Connection,
  parts: EntityParts,
  work: () => Promise<Result>,
): Promise<Result> {
  // Without it the transaction itself is the only one that writes.
  if (parts.database.dialect.tableLock === undefined) return work()
  await takeLock(connection, parts)
  return withLock(connection, parts, work)
}

/** The same where the lock is free, or becomes it by a lease that is over; otherwise undefined, at once. */
export async function aloneIfFree<Result>(
  connection: Connection,
  parts: EntityParts,
  watch: LeaseWatch,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const { tableLock } = parts.database.dialect
  if (await tableLock?.take(connection)) return withLock(connection, parts, work)
  await evictIfOver(watch, parts)
  return undefined
}

async function withLock<Result>(
  connection: Connection,
  parts: EntityParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const { tableLock } = parts.database.dialect
  const holder = randomUUID()
  const { store, lease = leaseTimes } = parts
  const beat = setInterval(() => {
    store.transaction((other) => store.uploads.beat(other, holder)).catch(() => undefined)
  }, lease.beatMs)
  try {
    await store.transaction((other) => store.uploads.hold(other, holder))
    return await work()
  } finally {
    clearInterval(beat)
    // A connection that is lost has no lock any more.
    await tableLock?.release(connection).catch(() => undefined)
  }
}

async function takeLock(connection: Connection, parts: EntityParts): Promise<void> {
  const { database, lease = leaseTimes } = parts
  const watch = new LeaseWatch(lease)
  const end = performance.now() + lease.waitMs
  while (!(await database.dialect.tableLock?.take(connection))) {
    if (performance.now() > end) {
      throw new AppError('UPLOAD_UNDER_WAY', {
        detail:
          'Another upload has been changing tables for a while. Nothing was changed by this one; try again.',
        headers: { 'retry-after': '5' },
      })
    }
    await evictIfOver(watch, parts)
    await wait(100)
  }
}

/** Ends the connection of an uploader that shows no life any more. Where that is not allowed, its own end is waited for. */
async function evictIfOver(watch: LeaseWatch, { database, store }: EntityParts): Promise<void> {
  if (!watch.isOver(await store.read((connection) => store.uploads.lease(connection)))) return
  await store
    .transaction(async (connection) => database.dialect.tableLock?.evict(connection))
    .catch(() => undefined)
}
