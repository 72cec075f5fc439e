import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { CallMessage, ReplyMessage } from './messages.ts'

/** A started worker, thread or process. */
export interface StartedWorker {
  post(calls: readonly CallMessage[], handedOver: readonly ArrayBuffer[]): void
  /** Keeps this process alive. */
  ref(): void
  unref(): void
  /**
   * Ends the worker, whatever it is doing. A thread ends only when its current native call returns, such as a
   * statement.
   */
  terminate(): void
}

interface WorkerListener {
  readonly onReplies: (replies: readonly ReplyMessage[]) => void
  /** Called when the worker ends with an error. */
  readonly onError: (error: unknown) => void
  readonly onGone: () => void
}

/** Starts a worker. */
export type StartWorker = (listener: WorkerListener) => StartedWorker

/**
 * The file with that name beside a module (`import.meta.url`), with the extension: .ts in the sources, .js when built.
 */
export function fileBeside(module: string, name: string): URL {
  return new URL(`./${name}${extname(module)}`, module)
}

export interface ThreadOptions {
  /** The data that `serveThread` gets. */
  readonly data: unknown
  /** The environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string>>
  readonly resourceLimits?: ResourceLimits
}

/** A worker in a thread: cheap, and fast to call. Its file calls `serveThread`. */
export function inThread(file: URL, { data, env, resourceLimits }: ThreadOptions): StartWorker {
  return ({ onReplies, onError, onGone }) => {
    const worker = new Worker(file, {
      workerData: data,
      ...(env === undefined ? {} : { env }),
      ...(resourceLimits === undefined ? {} : { resourceLimits }),
    })
    worker.on('message', onReplies)
    worker.on('error', onError)
    worker.on('exit', onGone)
    return {
      post: (calls, handedOver) => worker.postMessage(calls, handedOver),
      ref: () => worker.ref(),
      unref: () => worker.unref(),
      terminate: () => void worker.terminate(),
    }
  }
}

/** A worker in a separate process, which can be ended at any time. Its file calls `serveProcess`. */
export function inProcess(file: URL, data: unknown): StartWorker {
  return ({ onReplies, onError, onGone }) => {
    const child = fork(file, { serialization: 'advanced', stdio: 'ignore' })
    child.on('message', (replies) => onReplies(replies as readonly ReplyMessage[]))
    // A process that could not be started emits no `exit`.
    child.on('error', (error) => {
      onError(error)
      if (child.pid === undefined) onGone()
    })
    child.on('exit', onGone)
    child.send(data as object)
    return {
      post: (calls) => {
        if (child.connected) child.send(calls)
      },
      ref() {
        child.ref()
        child.channel?.ref()
      },
      unref() {
        child.unref()
        child.channel?.unref()
      },
      terminate: () => void child.kill('SIGKILL'),
    }
  }
}
