import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError } from '../database/database-error.ts'
import { AppError } from '../errors/app-error.ts'
import { isHealthPath } from '../http/health-path.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { addRoutes } from '../http/routes.ts'
import { createHttpServer, type HttpServerOptions } from '../http/server.ts'

export interface WaitSettings
  extends Pick<HttpServerOptions, 'timeouts' | 'maxConnections' | 'crossOrigin' | 'observe'> {
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
}

const pauses = { first: 500, longest: 4000 }

/**
 * Opens something on a database, retrying with growing pauses while the database cannot be reached. Meanwhile the port
 * responds: alive, not ready, everything else 503. Returns the port, which is free again.
 */
export async function whenReachable<Result>(
  open: () => Promise<Result>,
  settings: WaitSettings,
): Promise<{ readonly result: Result; readonly port: number }> {
  const { port, observe } = settings
  let pause = pauses.first
  let waiting: Awaited<ReturnType<typeof respondWhileWaiting>> | undefined
  try {
    for (;;) {
      try {
        const result = await open()
        return { result, port: waiting?.port ?? port }
      } catch (error) {
        if (!isUnreachable(error)) throw error
        waiting ??= await respondWhileWaiting(settings)
        observe({ kind: 'DatabaseAwaited', error, retryMilliseconds: pause })
      }
      await wait(pause)
      pause = Math.min(pause * 2, pauses.longest)
    }
  } finally {
    await waiting?.close()
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'unavailable' || error.kind === 'timedOut')
}

async function respondWhileWaiting({ host, port, ...settings }: WaitSettings) {
  const server = createHttpServer({ bodyLimitBytes: 1000, ...settings })
  const refuse = async () => {
    throw new AppError('DATABASE_UNAVAILABLE', { headers: { 'retry-after': '1', connection: 'close' } })
  }
  addRoutes(server, healthRoutes({ isReady: async () => false }))
  // Before the body is read, and for any method.
  server.addHook('onRequest', async ({ path }) => {
    if (!isHealthPath(path)) await refuse()
  })
  const address = await server.listen({ host, port })
  return { port: Number(new URL(address).port), close: () => server.close() }
}
