/** Who waits for something, and may go away before it is there. */
export interface Waiter {
  readonly hasGone: boolean
  /** Whose request it is, where places are shared out fairly among clients. */
  readonly client?: string | undefined
  /** What the work that was waited for ends with, where the waiter did not go away by himself. */
  readonly endedBy?: Error | undefined
  /** Calls `listener` when the waiter goes away; gives what takes the listener back. */
  onGone(listener: () => void): () => void
}

/** Somebody who goes away when a signal is aborted. */
export function waiterOf(signal: AbortSignal): Waiter {
  return {
    get hasGone() {
      return signal.aborted
    },
    onGone(listener) {
      signal.addEventListener('abort', listener)
      return () => signal.removeEventListener('abort', listener)
    },
  }
}
