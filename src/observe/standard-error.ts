import { constants, fstatSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, destination } from 'pino'

/** Where the log goes. */
export interface LogDestination extends DestinationStream {
  /** Waits until everything is written, for two seconds at most. */
  flush(): Promise<void>
}

/** How much waits for a reader at most, in characters; about 30,000 lines. */
const mostWaiting = 8_000_000
const flushMs = 2000

/**
 * The error output of the process. Lines are written at once, so that a crash loses none. Where it is a pipe whose reader
 * has stopped, the process goes on: lines wait in memory, and from 8 MB on they are dropped and counted.
 */
export function standardError(): LogDestination {
  const pipe = openPipe()
  if (pipe === undefined) {
    const file = destination({ dest: 2, sync: true })
    return { write: (line) => void file.write(line), flush: async () => {} }
  }
  return writeWithoutWaiting(pipe)
}

/** Writes lines to a stream as it takes them; drops and counts those that come when too much waits. */
export function writeWithoutWaiting(stream: Writable, most: number = mostWaiting): LogDestination {
  let dropped = 0
  stream.on('error', () => {
    // Nobody reads the log any more.
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
  const text = 'Lines of the log were dropped: nothing reads the error output fast enough.'
  const time = new Date().toISOString()
  return `${JSON.stringify({ level: 'warn', time, kind: 'LogLinesDropped', lines, text })}\n`
}

/** The error output as a stream that does not block; undefined where it is a file or a terminal, which always take lines. */
function openPipe(): Socket | undefined {
  const kind = fstatSync(2)
  if (!kind.isFIFO() && !kind.isSocket()) return undefined
  const pipe = new Socket({ fd: openAnew() ?? 2, readable: false, writable: true })
  pipe.unref()
  return pipe
}

/** Opens the pipe once more: that it does not block is nothing that others who write to it should notice. */
function openAnew(): number | undefined {
  try {
    return openSync('/dev/stderr', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND)
  } catch {
    // A socket, a pipe that belongs to another user, or a system without such a name.
    return undefined
  }
}
