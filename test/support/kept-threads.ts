/** Threads of SQLite connections that are used again: a new one takes more work than most tests. */
import { Worker } from 'node:worker_threads'
import type { StartThread, WorkerOptions } from '../../src/database/dialects/sqlite/connection-calls.ts'
import { threadLimits } from '../../src/database/dialects/sqlite/worker-connection.ts'
import type { CallMessage, ReplyMessage } from '../../src/worker/messages.ts'
import type { StartedWorker } from '../../src/worker/start-worker.ts'

/** What `kept-connection-thread.ts` is told. Calls that come after `isClosing` was set are dropped. */
export type ThreadMessage =
  | {
      readonly kind: 'open'
      readonly options: WorkerOptions
      readonly isClosing: Int32Array<SharedArrayBuffer>
    }
  | { readonly kind: 'calls'; readonly calls: readonly CallMessage[] }
  | { readonly kind: 'close' }

type Listener = Parameters<ReturnType<StartThread>>[0]

/** More are ended. */
const mostIdle = 8
const idle: KeptThread[] = []

/** Starts the connection in a thread whose connection was closed, or in a new one. */
export const startKeptThread: StartThread = (options) => (listener) => {
  const thread = idle.pop() ?? new KeptThread()
  return thread.open(options, listener)
}

/** To whoever has its connection it is a thread of its own: it is gone when the connection is closed. */
class KeptThread {
  readonly #worker = new Worker(new URL('./kept-connection-thread.ts', import.meta.url), {
    resourceLimits: threadLimits,
  })
  #listener: Listener | undefined

  constructor() {
    this.#worker.on('message', (message: 'closed' | readonly ReplyMessage[]) => {
      if (message === 'closed') this.#giveBack()
      else this.#listener?.onReplies(message)
    })
    this.#worker.on('error', (error) => this.#listener?.onError(error))
    this.#worker.on('exit', () => {
      const place = idle.indexOf(this)
      if (place !== -1) idle.splice(place, 1)
      this.#listener?.onGone()
    })
  }

  open(options: WorkerOptions, listener: Listener): StartedWorker {
    const isClosing = new Int32Array(new SharedArrayBuffer(4))
    this.#listener = listener
    this.#tell({ kind: 'open', options, isClosing })
    return {
      post: (calls) => {
        if (Atomics.load(isClosing, 0) === 0) this.#tell({ kind: 'calls', calls })
      },
      ref: () => this.#worker.ref(),
      unref: () => this.#worker.unref(),
      terminate: () => {
        if (Atomics.exchange(isClosing, 0, 1) === 0) this.#tell({ kind: 'close' })
      },
    }
  }

  #tell(message: ThreadMessage): void {
    this.#worker.postMessage(message)
  }

  #giveBack(): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#worker.unref()
    if (idle.length < mostIdle) idle.push(this)
    else void this.#worker.terminate()
    listener?.onGone()
  }
}
