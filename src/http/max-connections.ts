import { readFileSync } from 'node:fs'

/** Open files that are not there for clients: databases, threads, what is served. */
const ownFiles = 100
/** More than one process serves well; a limit of the system on open files may allow fewer. */
const most = 10_000
const least = 10

/**
 * How many connections a server takes where nothing else is configured: a third of the files that the process may open,
 * since a forwarded request opens another connection and a second server may run beside.
 */
export function defaultMaxConnections(openFiles: number = maxOpenFiles()): number {
  return Math.max(least, Math.min(most, Math.floor((openFiles - ownFiles) / 3)))
}

function maxOpenFiles(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    // Only Linux tells it there.
    return Number.POSITIVE_INFINITY
  }
}
