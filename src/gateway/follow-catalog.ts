import type { SchemaService } from './serve-schema.ts'

/** Looking takes at most one part in so many of a connection's time. */
const share = 20

/**
 * Looks at the catalogue again and again, so that changes of the tables by others are served without being told of.
 * What takes long is done more seldom. A look that fails is told by whoever looks, and made again.
 */
export function followCatalog({ look }: Pick<SchemaService, 'look'>, everyMs: number): { stop(): void } {
  let timer: NodeJS.Timeout | undefined
  let isStopped = everyMs === 0

  const lookAfter = (milliseconds: number) => {
    if (!isStopped) timer = setTimeout(() => void lookOnce(), milliseconds).unref()
  }
  const lookOnce = async () => {
    const start = performance.now()
    // The database may be away; statements that fail are told already.
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
