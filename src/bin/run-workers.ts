/**
 * Several worker processes that serve the same port. The first one starts alone and does the work of a first start; the
 * others follow when it is ready. The primary process serves no requests: it passes signals on, and replaces workers that
 * have ended.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Observer } from '../observe/events.ts'
import type { Invocation } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** Messages between a worker and the primary process. */
type Message =
  | { readonly kind: 'started' }
  | { readonly kind: 'reload' }
  | { readonly kind: 'end'; readonly signal: string }

/** How long to wait before replacing a worker that has ended. */
const pauseMs = 1000

/** Runs this command in several processes until it is asked to stop; returns the exit code. */
export async function runWorkers(
  count: number,
  observe: Observer,
  { onEndSignal, onReloadSignal }: Invocation,
): Promise<number> {
  const running = new Map<number, Worker>()
  let isEnding = false
  let worstCode: number = exitCodes.fine
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()

  onEndSignal((signal) => {
    isEnding = true
    for (const worker of running.values()) worker.send({ kind: 'end', signal } satisfies Message)
    if (running.size === 0) end()
  })

  // One worker notifies the others.
  onReloadSignal(() => {
    const [worker] = running.values()
    worker?.send({ kind: 'reload' } satisfies Message)
  })

  const start = (): Promise<boolean> => {
    const worker = cluster.fork()
    running.set(worker.id, worker)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    let isStarted = false
    worker.on('message', () => {
      isStarted = true
      resolve(true)
    })
    // A worker that has just ended cannot receive messages.
    worker.on('error', () => {})
    worker.on('exit', (code, signal) => {
      resolve(false)
      running.delete(worker.id)
      // A worker that was still starting had nothing to finish.
      if (isEnding && isStarted) worstCode = Math.max(worstCode, code ?? exitCodes.failed)
      if (isEnding && running.size === 0) end()
      else if (!isEnding && isFirstStarted) {
        observe({ kind: 'WorkerEnded', reason: signal ?? `exit code ${code}` })
        void restart()
      }
    })
    return promise
  }
  const restart = async () => {
    await wait(pauseMs)
    if (!isEnding) await start()
  }

  let isFirstStarted = false
  isFirstStarted = await start()
  // The worker has printed the reason.
  if (!isFirstStarted && !isEnding) return exitCodes.failed
  if (!isEnding) for (let more = 1; more < count; more += 1) void start()
  if (isEnding && running.size === 0) end()
  await ended
  return worstCode
}

/** Whether this process is one of several that `runWorkers` has started. */
export function isWorker(): boolean {
  return cluster.isWorker
}

/** A worker's invocation: only the first worker prints, and the primary process tells it when to stop. */
export function asWorker(invocation: Invocation): Invocation {
  const isFirst = cluster.worker?.id === 1
  // A terminal sends its signals to all processes of a program.
  process.on('SIGINT', () => undefined)
  return {
    ...invocation,
    print(text) {
      if (isFirst) invocation.print(text)
      process.send?.({ kind: 'started' } satisfies Message)
    },
    onReloadSignal(listener) {
      process.on('message', ({ kind }: Message) => {
        if (kind === 'reload') listener()
      })
      // A service manager may also send its signal to all processes.
      invocation.onReloadSignal(() => undefined)
    },
    onEndSignal(listener) {
      // A service manager may also send its signal to all processes: the same signal does not count as a second one.
      let isAskedDirectly = false
      let messages = 0
      process.on('SIGTERM', () => {
        if (messages === 0 && !isAskedDirectly) listener('SIGTERM')
        isAskedDirectly = true
      })
      process.on('message', (message: Message) => {
        if (message.kind !== 'end') return
        messages += 1
        if (messages > 1 || !isAskedDirectly) listener(message.signal)
      })
      process.on('disconnect', () => listener('the end of the process that started it'))
    },
  }
}
