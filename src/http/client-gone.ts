import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { CancellationToken } from '../util/cancellation-token.ts'

/** Aborted when the client disconnects before its response is complete. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/**
 * A token that is cancelled when the client disconnects; `client` is the same text for all requests of one client,
 * `cause` for all of one kind. A
 * signal for each request would be a large part of the cost of a short one.
 */
export function clientOf({ raw }: FastifyReply, client: string, cause: string): CancellationToken {
  return new Client(raw, client, cause)
}

class Client implements CancellationToken {
  readonly client: string
  readonly cause: string
  readonly #response: ServerResponse
  #listeners: Set<() => void> | undefined

  constructor(response: ServerResponse, client: string, cause: string) {
    this.#response = response
    this.client = client
    this.cause = cause
  }

  get isCancelled(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished
  }

  onCancelled(listener: () => void): () => void {
    this.#listeners ??= this.#listen()
    const listeners = this.#listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #listen(): Set<() => void> {
    const listeners = new Set<() => void>()
    this.#response.once('close', () => {
      if (this.#response.writableFinished) return
      for (const listener of listeners) listener()
    })
    return listeners
  }
}
