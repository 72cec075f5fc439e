import type { EntityParts } from '../entity-parts.ts'
import { finishUpload } from './journaled-upload.ts'
import { leaseTimes } from './lease-times.ts'
import { aloneIfFree, LeaseWatch } from './upload-lock.ts'

/** Looks for interrupted uploads, until it is stopped. */
export interface UploadFinisher {
  /** Resolves when it has looked once. */
  readonly first: Promise<void>
  stop(): Promise<void>
}

const intervalMs = 2000

/**
 * Completes interrupted uploads of any node: now, and as soon as the uploader is known to be gone. Calls `finished` after
 * each.
 */
export function finishUploads(parts: EntityParts, finished: () => Promise<void>): UploadFinisher {
  const { database, store, observe, lease = leaseTimes } = parts
  const { dialect, driver } = database
  if (dialect.ddl.transactional || store.isSeparate) {
    return { first: Promise.resolve(), stop: async () => undefined }
  }
  const watch = new LeaseWatch(lease)
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const look = async () => {
    const entry = await store.read((connection) => store.uploads.unfinished(connection))
    if (entry === undefined) return
    const done = await driver.transaction(
      (connection) => aloneIfFree(connection, parts, watch, () => finishUpload(connection, parts)),
      { unlimited: true },
    )
    if (done !== undefined) await finished()
  }
  const lookAgain = async () => {
    try {
      await look()
    } catch (error) {
      observe({ kind: 'UploadUnfinished', upload: '', error })
    }
    if (!isStopped) timer = setTimeout(() => void track(lookAgain()), intervalMs).unref()
  }
  let running: Promise<void> = Promise.resolve()
  const track = (work: Promise<void>) => {
    running = work
    return work
  }
  const first = track(lookAgain())
  return {
    first,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
