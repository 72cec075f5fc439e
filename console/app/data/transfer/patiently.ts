import { Refusal } from '../../../../browser/refusal.ts'

/** How often a call that was asked to wait is made again. */
const mostTries = 8
/** The same while its key is in use: longer than the gateway reserves the key of a call that was interrupted. */
const mostTriesInProgress = 40

/**
 * Makes a call again if the gateway asks to wait: long work of one account may reach the limit of its calls, and an attempt
 * that was not answered may still be under way. `onWait` is called before each wait. Throws what the last call throws, and at
 * once if the work is cancelled.
 */
export async function patiently<Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
  onWait: () => void = () => {},
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      const seconds = error instanceof Refusal ? waitOf(error, tries) : undefined
      if (seconds === undefined) throw error
      onWait()
      await pause(seconds * 1000, signal).catch((reason) => {
        // What was sent may be there: that is more to know than that the work is cancelled.
        throw isInProgress(error) ? error : reason
      })
    }
  }
}

/** Whether an earlier attempt of the call may still be under way. */
export function isInProgress(error: unknown): boolean {
  return error instanceof Refusal && error.problem.code === 'IDEMPOTENCY_KEY_IN_PROGRESS'
}

/** How many seconds to wait after some tries; undefined if it is no use. */
function waitOf(refusal: Refusal, tries: number): number | undefined {
  const after = refusal.response?.headers.get('retry-after') ?? undefined
  if (isInProgress(refusal)) return after === undefined || tries >= mostTriesInProgress ? undefined : 2
  if (refusal.status !== 429 || tries >= mostTries) return undefined
  const seconds = Number(after ?? 1)
  return Number.isFinite(seconds) ? Math.min(60, Math.max(1, seconds)) : 1
}

/** Waits. Throws when the work is cancelled. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const cancel = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    signal.addEventListener('abort', cancel, { once: true })
  })
}
