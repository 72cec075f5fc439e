/**
 * Several processes that serve the same port. The first one starts alone and makes what a first start makes; the
 * others follow when it is ready. The process that started them serves nobody: it passes signals on, and starts
 * another in place of one that has ended.
 */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Observer } from '../observe/events.ts'
import type { Invocation } from './command.ts'
import { exitCodes } from './exit-codes.ts'

/** What a worker and the one who started it tell each other. */
type Message =
  | { readonly kind: 'started' }
  | { readonly kind: 'reload' }
  | { readonly kind: 'end'; readonly signal: string }

/** How long nothing is started in place of a worker that has ended. */
const pauseMs = 1000

/** Runs this very command in several processes until it is asked to end; gives the exit code. */
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

  // One of them tells the others.
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
    // One that has just ended cannot be told anything.
    worker.on('error', () => {})
    worker.on('exit', (code, signal) => {
      resolve(false)
      running.delete(worker.id)
      // One that was still starting had nothing to finish.
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
  // It has said why.
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

/** A worker's invocation: only the first one prints, and what ends it comes from who started it. */
export function asWorker(invocation: Invocation): Invocation {
  const isFirst = cluster.worker?.id === 1
  // A terminal sends its signals to every process of a program.
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
      // A service manager may send its signal to every process, too.
      invocation.onReloadSignal(() => undefined)
    },
    onEndSignal(listener) {
      // A service manager may send its signal to every process, too: the same one is not a second one.
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
