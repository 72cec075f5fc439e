import type { Invocation } from './command.ts'

/** Does work that may take long: after a second, a terminal shows what and for how many seconds. */
export async function withProgress<Result>(
  { terminal }: Pick<Invocation, 'terminal'>,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const show = terminal?.showProgress
  if (show === undefined) return work()
  const start = performance.now()
  const timer = setInterval(() => {
    show(`${what} … ${Math.round((performance.now() - start) / 1000)} s`)
  }, 1000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    show('')
  }
}
