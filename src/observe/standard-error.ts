import { constants, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, destination } from 'pino'

/** Where the log goes. */
export interface LogDestination extends DestinationStream {
  /** Waits until everything is written, at most two seconds. */
  flush(): Promise<void>
}

/** How many characters wait for a reader at most; about 30,000 lines. */
const mostWaiting = 8_000_000
const flushMs = 2000

/**
 * Standard error of the process. Lines are written immediately, so that a crash loses none. If it
 * is a pipe whose reader has stopped, the process continues: lines wait in memory, and beyond 8 MB
 * they are dropped and counted.
 */
export function standardError(): LogDestination {
  const pipe = openPipe()
  if (pipe === undefined) {
    const file = destination({ dest: 2, sync: true })
    return { write: (line) => void file.write(line), flush: async () => {} }
  }
  return writeWithoutWaiting(pipe)
}

/**
 * Writes lines to a stream as it accepts them; drops and counts those that come when too much
 * waits.
 */
export function writeWithoutWaiting(stream: Writable, most: number = mostWaiting): LogDestination {
  let dropped = 0
  stream.on('error', () => {
    // The reader of the log has gone.
  })
  return {
    write(line) {
      if (stream.destroyed) return
      if (stream.writableLength > most) {
        dropped += 1
        return
      }
      if (dropped > 0) stream.write(droppedLine(dropped))
      dropped = 0
      stream.write(line)
    },
    async flush() {
      if (stream.destroyed || stream.writableLength === 0) return
      const written = new Promise<void>((resolve) => stream.write('', () => resolve()))
      await Promise.race([written, wait(flushMs, undefined, { ref: false })])
    },
  }
}

function droppedLine(lines: number): string {
  const text = 'Log lines were dropped: nothing reads standard error fast enough.'
  const time = new Date().toISOString()
  return `${JSON.stringify({ level: 'warn', time, kind: 'LogLinesDropped', lines, text })}\n`
}

/**
 * Standard error as a non-blocking stream; undefined for a file or a terminal, which always accept
 * lines.
 */
function openPipe(): Socket | undefined {
  const kind = fstatSync(2)
  if (!kind.isFIFO() && !kind.isSocket()) return undefined
  const pipe = new Socket({ fd: openAnew() ?? 2, readable: false, writable: true })
  pipe.unref()
  return pipe
}

/**
 * Opens the pipe a second time, so that its non-blocking mode does not affect other processes that
 * write to it.
 */
function openAnew(): number | undefined {
  try {
    return openSync('/dev/stderr', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND)
  } catch {
    // A socket, a pipe that belongs to another user, or a system without such a name.
    return undefined
  }
}
