/**
 * A SQLite connection in a process of its own, which can be ended in the middle of a statement. The first
 * message has the options.
 */
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { serve } from './serve.ts'
import type { WorkerOptions, WorkerRequest } from './worker-protocol.ts'

const { PRIORITY_BELOW_NORMAL: belowNormal } = constants.priority

// Statements over views may compute for long: the gateway and its threads come first where processors are short.
setPriority(belowNormal)

process.once('message', (options) => {
  const handle = serve(options as WorkerOptions, (answers) => process.send?.(answers))
  process.on('message', (requests) => handle(requests as readonly WorkerRequest[]))
})

// While SQLite works nothing here hears that the parent has gone: a thread watches for it.
new Worker(new URL(`./parent-watch-thread${extname(import.meta.url)}`, import.meta.url)).unref()
process.once('disconnect', () => process.exit())
