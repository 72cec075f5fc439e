import type { FastifyReply } from 'fastify'

/** Aborted when the client goes away before its answer is complete. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
