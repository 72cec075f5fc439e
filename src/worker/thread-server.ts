import { parentPort, workerData } from 'node:worker_threads'
import { CallServer, type Serving } from './call-server.ts'
import type { Calls } from './calls.ts'

/** Serves the functions to a `WorkerChannel`, in a thread started by `inThread`. */
export function serveThread<C extends Calls<C>, Data = undefined, Event = never>(
  build: (data: Data, serving: Serving<Event>) => C,
  faultOf: (error: unknown) => unknown,
): void {
  const port = parentPort
  if (port === null) throw new Error('This file runs in a thread.')
  const server = new CallServer<C, Event>(
    (serving) => build(workerData as Data, serving),
    faultOf,
    (replies, handedOver) => port.postMessage(replies, handedOver),
  )
  port.on('message', (calls) => server.handle(calls))
}
