import type { SchemaService } from './serve-schema.ts'

/** Polling takes at most this fraction of a connection's time. */
const share = 20

/**
 * Polls the catalogue, so that changes of tables by other programs are served. Slow polls are made less often. `look`
 * reports its own failures; polling continues.
 */
export function followCatalog({ look }: Pick<SchemaService, 'look'>, everyMs: number): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = everyMs === 0

  const lookAfter = (milliseconds: number) => {
    if (!isStopped) timer = setTimeout(() => void lookOnce(), milliseconds).unref()
  }
  const lookOnce = async () => {
    const start = performance.now()
    // The database may be unavailable; failed statements are reported elsewhere.
    await look().catch(() => undefined)
    lookAfter(Math.max(everyMs, (performance.now() - start) * share))
  }
  lookAfter(everyMs)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
