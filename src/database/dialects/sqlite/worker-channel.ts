import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from './worker-protocol.ts'

/** The way to a worker, whether it is a thread or a process. */
export interface WorkerChannel {
  /** What is posted before the event loop goes on is sent together. */
  post(request: WorkerRequest): void
  /** Keeps this process alive while something is awaited. */
  ref(): void
  unref(): void
  /** Ends the worker, whatever it does. A thread ends only when its statement has. */
  end(): void
}

export interface WorkerListener {
  readonly onAnswers: (answers: readonly WorkerAnswer[]) => void
  /** Called once, with the error where there was one. */
  readonly onEnd: (error: unknown) => void
}

// The files beside this one have this one's ending: .ts from the sources, .js when built.
const fileOf = (name: string) => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)

/** Sends what is posted when the event loop goes on: a message wakes the other side, which costs more than what is in it. */
function together(send: (requests: readonly WorkerRequest[]) => void): WorkerChannel['post'] {
  let waiting: WorkerRequest[] = []
  const flush = () => {
    const requests = waiting
    waiting = []
    send(requests)
  }
  return (request) => {
    if (waiting.push(request) === 1) setImmediate(flush)
  }
}

/** What a statement's rows leave behind is thrown away often, so that many threads together keep little. */
const maxYoungGenerationSizeMb = 6

/** A worker in a thread: cheap, and what it is doing can be ended only where it asks. */
export function openThread(options: WorkerOptions, { onAnswers, onEnd }: WorkerListener): WorkerChannel {
  const worker = new Worker(fileOf('worker-thread'), {
    workerData: options,
    resourceLimits: { stackSizeMb: 4, maxYoungGenerationSizeMb },
  })
  worker.on('message', onAnswers)
  worker.on('error', onEnd)
  worker.on('exit', () => onEnd(undefined))
  return {
    post: together((requests) => worker.postMessage(requests)),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    end: () => void worker.terminate(),
  }
}

/** A worker in a process of its own, for statements that cannot be ended otherwise. */
export function openProcess(options: WorkerOptions, { onAnswers, onEnd }: WorkerListener): WorkerChannel {
  const child = fork(fileOf('worker-process'), { serialization: 'advanced', stdio: 'ignore' })
  child.on('message', (answers) => onAnswers(answers as readonly WorkerAnswer[]))
  child.on('error', onEnd)
  child.on('exit', () => onEnd(undefined))
  child.send(options)
  return {
    post: together((requests) => {
      if (child.connected) child.send(requests)
    }),
    ref() {
      child.ref()
      child.channel?.ref()
    },
    unref() {
      child.unref()
      child.channel?.unref()
    },
    end: () => void child.kill('SIGKILL'),
  }
}
