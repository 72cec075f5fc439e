import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from './worker-protocol.ts'

/** The way to a worker, whether it is a thread or a process. */
export interface WorkerChannel {
  post(request: WorkerRequest): void
  /** Keeps this process alive while something is awaited. */
  ref(): void
  unref(): void
  /** Ends the worker, whatever it does. A thread ends only when its statement has. */
  end(): void
}

export interface WorkerListener {
  readonly onAnswer: (answer: WorkerAnswer) => void
  /** Called once, with the error where there was one. */
  readonly onEnd: (error: unknown) => void
}

// The files beside this one have this one's ending: .ts from the sources, .js when built.
const fileOf = (name: string) => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)

/** A worker in a thread: cheap, and what it is doing can be ended only where it asks. */
export function openThread(options: WorkerOptions, { onAnswer, onEnd }: WorkerListener): WorkerChannel {
  const worker = new Worker(fileOf('worker-thread'), {
    workerData: options,
    resourceLimits: { stackSizeMb: 4 },
  })
  worker.on('message', onAnswer)
  worker.on('error', onEnd)
  worker.on('exit', () => onEnd(undefined))
  return {
    post: (request) => worker.postMessage(request),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    end: () => void worker.terminate(),
  }
}

/** A worker in a process of its own, for statements that cannot be ended otherwise. */
export function openProcess(options: WorkerOptions, { onAnswer, onEnd }: WorkerListener): WorkerChannel {
  const child = fork(fileOf('worker-process'), { serialization: 'advanced', stdio: 'ignore' })
  child.on('message', (answer) => onAnswer(answer as WorkerAnswer))
  child.on('error', onEnd)
  child.on('exit', () => onEnd(undefined))
  child.send(options)
  return {
    post: (request) => {
      if (child.connected) child.send(request)
    },
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
