/** Why a call gets no reply. */
export class WorkerLost extends Error {
  /** `mute`: a call took too long; `closed`: this side ended it. */
  readonly reason: 'failed' | 'mute' | 'closed'
  /** Whether the call was the oldest pending one, and so may be the cause. */
  readonly isOldest: boolean

  constructor(reason: WorkerLost['reason'], isOldest: boolean, cause?: unknown) {
    super(cause instanceof Error ? `The worker has ended: ${cause.message}` : 'The worker has ended.', {
      cause,
    })
    this.reason = reason
    this.isOldest = isOldest
  }
}
