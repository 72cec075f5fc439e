/**
 * Runs work for all who ask at the same time. Those who ask while it runs share one further run: the running one may have read what
 * they ask about before it changed.
 */
export function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  return function run(): Promise<Result> {
    if (next !== undefined) return next
    if (running === undefined) {
      running = work().finally(() => {
        running = undefined
      })
      return running
    }
    next = running
      .catch(() => undefined)
      .then((): Promise<Result> => {
        next = undefined
        return run()
      })
    return next
  }
}
