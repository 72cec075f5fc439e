/** A caller that waits for something, and may cancel before it is there. */
export interface CancellationToken {
  readonly isCancelled: boolean
  /** The client of the request, where slots are shared fairly among clients. */
  readonly client?: string | undefined
  /** What the work is for, as people who look at slow statements know it: `GET /apis/ports`. */
  readonly cause?: string | undefined
  /** The error that ends the work, if it was not the caller that cancelled. */
  readonly endedBy?: Error | undefined
  /** Calls `listener` on cancellation; returns a function that removes the listener. */
  onCancelled(listener: () => void): () => void
}

/** A token that is cancelled when a signal is aborted. */
export function cancellationOf(signal: AbortSignal): CancellationToken {
  return {
    get isCancelled() {
      return signal.aborted
    },
    onCancelled(listener) {
      signal.addEventListener('abort', listener)
      return () => signal.removeEventListener('abort', listener)
    },
  }
}
