/** One uploader at a time, across all nodes. */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import type { UploadLease } from '../../store/upload-store.ts'
import type { EntityParts } from '../entity-parts.ts'
import { type LeaseTimes, leaseTimes } from './lease-times.ts'

/** Decides when a lease has expired: when it has not changed for long enough, by this node's clock. */
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
 * Runs work while no other uploader can. The lock belongs to the connection on which everything is done: an uploader that
 * was presumed dead has lost its connection, and can do nothing more if it comes back.
 */
export async function aloneWith<Result>(
  connection: Connection,
  parts: EntityParts,
  work: () => Promise<Result>,
): Promise<Result> {
  // Without it, the transaction is the only writer anyway.
  if (parts.database.dialect.tableLock === undefined) return work()
  await takeLock(connection, parts)
  return withLock(connection, parts, work)
}

/** The same if the lock is free, or its lease has expired; otherwise returns undefined at once. */
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
    // A lost connection no longer has the lock.
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

/** Ends the connection of an uploader without a heartbeat. If that is not permitted, waits for its own end. */
async function evictIfOver(watch: LeaseWatch, { database, store }: EntityParts): Promise<void> {
  if (!watch.isOver(await store.read((connection) => store.uploads.lease(connection)))) return
  await store
    .transaction(async (connection) => database.dialect.tableLock?.evict(connection))
    .catch(() => undefined)
}
