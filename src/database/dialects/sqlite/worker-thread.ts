/** A SQLite connection in a thread of this process. */
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from './serve.ts'
import type { WorkerOptions } from './worker-protocol.ts'

const handle = serve(workerData as WorkerOptions, (answers, handedOver) =>
  parentPort?.postMessage(answers, handedOver),
)
parentPort?.on('message', handle)
