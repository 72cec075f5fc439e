import type { Connection } from '../driver.ts'
import { type StatementListener, TimedConnection } from '../timed-connection.ts'
import { bytesOf } from './bytes-of.ts'
import { KnownQuick } from './known-quick.ts'

/**
 * A read each of whose statements takes less time, with fewer bytes in all, keeps no one waiting who reads beside it. For a slower
 * one the database's other processors matter more than what sharing saves.
 */
const quickMs = 1.5
const quickBytes = 262_144

/** Which reads of several statements are quick, by what was seen of others with the same key (`ReadOptions.batchKey`). */
export class QuickReads {
  readonly #known = new KnownQuick(new WeakMap<object, number>())

  isQuick(batchKey: object): boolean {
    return this.#known.has(batchKey)
  }

  /** Runs a read on its own connection, and looks at how long it takes. */
  async watch<Result>(
    batchKey: object,
    connection: Connection,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    let isQuick = true
    let bytes = 0
    const listener: StatementListener = {
      hasRun(_statement, _rows, milliseconds, rows) {
        bytes += rows === undefined ? Number.POSITIVE_INFINITY : bytesOf(rows)
        isQuick &&= milliseconds <= quickMs && bytes <= quickBytes
      },
      hasFailed: () => undefined,
    }
    const result = await work(new TimedConnection(connection, listener))
    if (isQuick) this.#known.add(batchKey)
    return result
  }

  /** A read with this key failed, or kept others waiting. */
  wasTrouble(batchKey: object): void {
    this.#known.remove(batchKey)
  }
}
