import { setTimeout as wait } from 'node:timers/promises'

/** Whether a signal is aborted, now or within some milliseconds. */
export async function abortedWithin(signal: AbortSignal, milliseconds: number): Promise<boolean> {
  try {
    await wait(milliseconds, undefined, { signal })
    return false
  } catch {
    return true
  }
}
