import type { FastifyReply } from 'fastify'
import type { LazySignal } from '../util/lazy-signal.ts'

/** Aborted when the client goes away before its answer is complete. */
export function clientGone({ raw }: FastifyReply): LazySignal {
  let controller: AbortController | undefined
  return () => {
    if (controller === undefined) {
      const made = new AbortController()
      const onClose = () => {
        if (!raw.writableFinished) made.abort()
      }
      if (raw.destroyed) onClose()
      else raw.once('close', onClose)
      controller = made
    }
    return controller.signal
  }
}
