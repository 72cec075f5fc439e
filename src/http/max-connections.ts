import { readFileSync } from 'node:fs'

/** Open files that clients cannot use: databases, threads, served files. */
const ownFiles = 100
/** One process does not serve more than this well; the system's limit on open files may allow fewer. */
const most = 10_000
const least = 10

/**
 * How many connections a server accepts by default: a third of the files that the process may open, since a forwarded
 * request opens another connection and a second server may run in the same process.
 */
export function defaultMaxConnections(openFiles: number = maxOpenFiles()): number {
  return Math.max(least, Math.min(most, Math.floor((openFiles - ownFiles) / 3)))
}

function maxOpenFiles(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    // Only Linux has it there.
    return Number.POSITIVE_INFINITY
  }
}
