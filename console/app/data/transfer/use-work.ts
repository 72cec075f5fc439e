import { useEffect, useState } from 'react'

/** Work that takes a while. `done` counts what it is about. */
export type Work<Result> =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly done: number }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'cancelled'; readonly done: number }
  | { readonly state: 'failed'; readonly done: number; readonly error: unknown }

type WorkFunction<Result> = (signal: AbortSignal, onProgress: (done: number) => void) => Promise<Result>

export interface WorkControl<Result> {
  readonly work: Work<Result>
  start(run: WorkFunction<Result>): Promise<void>
  cancel(): void
  /** Forgets what was done. */
  reset(): void
}

/** Work that can be watched and cancelled. It is cancelled when the component goes. */
export function useWork<Result>(): WorkControl<Result> {
  const [work, setWork] = useState<Work<Result>>({ state: 'idle' })
  const [runner] = useState(() => workRunner<Result>(setWork))
  useEffect(() => runner.cancel, [runner])
  return { work, ...runner }
}

/** Does one work at a time: the next one cancels the one before, of which nothing is told any more. */
export function workRunner<Result>(
  onChange: (work: Work<Result>) => void,
): Omit<WorkControl<Result>, 'work'> {
  let running: AbortController | undefined
  return {
    async start(run) {
      running?.abort()
      const controller = new AbortController()
      running = controller
      const tell = (work: Work<Result>) => {
        if (running === controller) onChange(work)
      }
      let done = 0
      tell({ state: 'running', done })
      try {
        const result = await run(controller.signal, (count) => {
          done = count
          tell({ state: 'running', done })
        })
        tell({ state: 'done', result })
      } catch (error) {
        tell(controller.signal.aborted ? { state: 'cancelled', done } : { state: 'failed', done, error })
      }
    },
    cancel: () => running?.abort(),
    reset() {
      running?.abort()
      running = undefined
      onChange({ state: 'idle' })
    },
  }
}
