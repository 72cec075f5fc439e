import { Worker } from 'node:worker_threads'
import { CallServer, type Serving } from './call-server.ts'
import type { Calls } from './calls.ts'
import type { CallMessage } from './messages.ts'
import { fileBeside } from './start-worker.ts'

/** Serves the functions to a `WorkerChannel`, in a process started by `inProcess`. */
export function serveProcess<C extends Calls<C>, Data, Event = never>(
  build: (data: Data, serving: Serving<Event>) => C,
  faultOf: (error: unknown) => unknown,
): void {
  process.once('message', (data) => {
    const server = new CallServer<C, Event>(
      (serving) => build(data as Data, serving),
      faultOf,
      (replies) => process.send?.(replies),
    )
    process.on('message', (calls) => server.handle(calls as readonly CallMessage[]))
  })
  // While a function runs, this thread cannot notice that the parent has ended: another thread checks.
  new Worker(fileBeside(import.meta.url, 'parent-watch-thread')).unref()
  process.once('disconnect', () => process.exit())
}
