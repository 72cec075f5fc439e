import { setTimeout as wait } from 'node:timers/promises'
import { mayPass } from '../database/access-failure.ts'
import { DatabaseError } from '../database/database-error.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'
import { AppError } from '../errors/app-error.ts'
import { isHealthPath } from '../http/health-path.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { addRoutes } from '../http/routes.ts'
import { createHttpServer, type HttpServerOptions } from '../http/server.ts'
import type { Observer } from '../observe/events.ts'

export interface WaitSettings
  extends Pick<HttpServerOptions, 'timeouts' | 'maxConnections' | 'crossOrigin' | 'observe'> {
  readonly host: string
  /** 0 means any free one. */
  readonly port: number
}

const pauses = { first: 500, longest: 4000 }

/** How often the observer is told while the reason stays the same, in milliseconds. */
const reminderMs = 60_000

/**
 * Opens something on a database, retrying with growing pauses while the database cannot be reached for a reason that may
 * pass. Meanwhile the port responds: alive, not ready, everything else 503. Returns the port, which is free again. The
 * observer is told of each new reason, once a minute, and when the database can be reached.
 */
export async function whenReachable<Result>(
  open: () => Promise<Result>,
  settings: WaitSettings,
): Promise<{ readonly result: Result; readonly port: number }> {
  const { port, observe } = settings
  let pause = pauses.first
  let waiting: Awaited<ReturnType<typeof respondWhileWaiting>> | undefined
  const tell = reminder(observe)
  try {
    for (;;) {
      try {
        const result = await open()
        if (waiting !== undefined) observe({ kind: 'DatabaseReached' })
        return { result, port: waiting?.port ?? port }
      } catch (error) {
        if (!isAwaitable(error)) throw error
        waiting ??= await respondWhileWaiting(settings)
        tell(error)
      }
      await wait(pause)
      pause = Math.min(pause * 2, pauses.longest)
    }
  } finally {
    await waiting?.close()
  }
}

/** Tells the observer, but not the same again and again. */
function reminder(observe: Observer): (error: Error) => void {
  let told = { message: '', at: 0 }
  return (error) => {
    const now = performance.now()
    if (error.message === told.message && now < told.at + reminderMs) return
    told = { message: error.message, at: now }
    observe({ kind: 'DatabaseAwaited', error })
  }
}

function isAwaitable(error: unknown): error is Error {
  const found = error instanceof UnusableDatabase ? error.cause : error
  if (!(found instanceof DatabaseError)) return false
  return (found.kind === 'unavailable' || found.kind === 'timedOut') && mayPass(found.accessFailure)
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
