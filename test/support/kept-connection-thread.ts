/** A thread that has one SQLite connection after another: `kept-threads.ts` starts it. */
import type { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import type { ConnectionCalls, WorkerOptions } from '../../src/database/dialects/sqlite/connection-calls.ts'
import { describeError, openConnection } from '../../src/database/dialects/sqlite/open-connection.ts'
import { serveOpened } from '../../src/database/dialects/sqlite/serve-connection.ts'
import { CallServer } from '../../src/worker/call-server.ts'
import type { ThreadMessage } from './kept-threads.ts'

if (parentPort === null) throw new Error('This file runs in a thread.')
const port = parentPort
let opened:
  | { readonly database: DatabaseSync; readonly server: CallServer<ConnectionCalls, never> }
  | undefined
let isClosing: Int32Array<SharedArrayBuffer> | undefined

port.on('message', (message: ThreadMessage) => {
  if (message.kind === 'open') {
    isClosing = message.isClosing
    opened = open(message.options)
  } else if (message.kind === 'close') {
    opened?.database.close()
    opened = undefined
    port.postMessage('closed')
  } else if (isClosing !== undefined && Atomics.load(isClosing, 0) === 0) {
    opened?.server.handle(message.calls)
  }
})

/** An error ends the thread, and `Worker` tells it. */
function open(options: WorkerOptions): NonNullable<typeof opened> {
  const database = openConnection(options.file, options.busyTimeoutMs)
  const server = new CallServer<ConnectionCalls, never>(
    (serving) => serveOpened(database, options, serving),
    describeError,
    (replies, handedOver) => port.postMessage(replies, handedOver),
  )
  return { database, server }
}
