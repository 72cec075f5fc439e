/** Builds the web front from its settings and starts it: the only place that constructs its parts. */
import type { ContentPolicy } from '../http/document.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { addRoutes } from '../http/routes.ts'
import { createHttpServer } from '../http/server.ts'
import type { Observer } from '../observe/events.ts'
import { contentRoutes } from './content/routes.ts'

export interface WebFrontSettings {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The address that browsers use; without one `http://localhost` and the port. */
  readonly baseUrl?: string
  readonly bodyLimitBytes: number
  readonly content: {
    readonly root: string
    readonly patterns: readonly string[]
    readonly policy: ContentPolicy
  }
  readonly observe: Observer
}

/** A web front that accepts requests. */
export interface WebFront {
  /** Where it listens, for example `http://127.0.0.1:8080`. */
  readonly address: string
  /** The address that browsers use. */
  readonly baseUrl: string
  /** Finishes the requests that are running, then gives everything back. */
  close(): Promise<void>
}

export async function startWebFront(settings: WebFrontSettings): Promise<WebFront> {
  const { observe, content } = settings
  const server = createHttpServer({ bodyLimitBytes: settings.bodyLimitBytes, observe })
  let baseUrl = settings.baseUrl
  let started = false
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...(baseUrl?.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    })
  })
  addRoutes(server, [
    ...healthRoutes({ isReady: async () => started }),
    ...(await contentRoutes(server, { ...content, rendering: async () => {} })),
  ])
  const address = await server.listen({ host: settings.host, port: settings.port })
  baseUrl ??= `http://localhost:${new URL(address).port}`
  started = true
  return { address, baseUrl, close: () => server.close() }
}
