/** Who waits for something, and may go away before it is there. */
export interface CancellationToken {
  readonly isCancelled: boolean
  /** Whose request it is, where places are shared out fairly among clients. */
  readonly client?: string | undefined
  /** What the work that was waited for ends with, where the waiter did not go away by himself. */
  readonly endedBy?: Error | undefined
  /** Calls `listener` when the waiter goes away; gives what takes the listener back. */
  onCancelled(listener: () => void): () => void
}

/** Somebody who goes away when a signal is aborted. */
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
