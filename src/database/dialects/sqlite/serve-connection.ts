/**
 * Owns one SQLite connection, in a separate thread or process. SQLite is synchronous: here it may take its time, while
 * the main thread continues to serve.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Serving } from '../../../worker/call-server.ts'
import { HandedOver, type MaybeHandedOver, Streamed } from '../../../worker/calls.ts'
import type { Statement } from '../../driver.ts'
import type { Row } from '../../sql-value.ts'
import {
  type ConnectionCalls,
  cancellationCheckFunction,
  type Selecting,
  type Streaming,
  type WorkerOptions,
} from './connection-calls.ts'
import { type PackedResult, RowPacker } from './fast-reads/packed-result.ts'
import { ShortResults } from './fast-reads/short-results.ts'
import { openConnection } from './open-connection.ts'
import { bound, PreparedStatements, withPlainNumbers } from './prepared-statements.ts'

/** Smaller memory is copied faster than it is transferred. */
const handedOverFrom = 4096

/** Opens the connection; throws SQLite's error. */
export function serveConnection(options: WorkerOptions, serving: Serving): ConnectionCalls {
  return serveOpened(openConnection(options.file, options.busyTimeoutMs), options, serving)
}

/** The functions of a connection that is open. */
export function serveOpened(
  database: DatabaseSync,
  { ending }: Pick<WorkerOptions, 'ending'>,
  serving: Serving,
): ConnectionCalls {
  const prepared = new PreparedStatements(database)
  const packing = new Packing(database, prepared)
  database.function(cancellationCheckFunction, () => {
    if (ending !== undefined && Atomics.load(ending, 0) === serving.current) {
      throw new Error('The statement was ended.')
    }
    return 1
  })
  const short = new ShortStatements()
  serving.mayTakeLong = (argument) => !short.has((argument as Partial<Statement> | undefined)?.sql)
  return {
    query: ({ sql, parameters }) => short.timed(sql, () => prepared.rows(sql, parameters)),
    select: (statement) => short.timed(statement.sql, () => packing.select(statement)),
    execute: ({ sql, parameters }) => short.timed(sql, () => prepared.run(sql, parameters)),
    stream: (statement) => packing.stream(statement),
  }
}

const shortMs = 1
const mostShort = 1000

/** Which statements were short the last time. */
class ShortStatements {
  readonly #texts = new Set<string>()

  has(sql: string | undefined): boolean {
    return sql !== undefined && this.#texts.has(sql)
  }

  timed<Result>(sql: string, run: () => Result): Result {
    const start = performance.now()
    const result = run()
    const isShort = performance.now() - start < shortMs
    if (isShort === this.#texts.has(sql)) return result
    if (!isShort) this.#texts.delete(sql)
    else if (this.#texts.size < mostShort) this.#texts.add(sql)
    else this.#texts.clear()
    return result
  }
}

/** Reads rows into memory that is transferred. */
class Packing {
  readonly #database: DatabaseSync
  readonly #prepared: PreparedStatements
  readonly #shortResults: ShortResults
  readonly #packer = new RowPacker()

  constructor(database: DatabaseSync, prepared: PreparedStatements) {
    this.#database = database
    this.#prepared = prepared
    this.#shortResults = new ShortResults(database, prepared)
  }

  select({ sql, parameters, mostBytes }: Selecting): MaybeHandedOver<PackedResult> {
    if (mostBytes === undefined) return handOver(this.#packer.pack(this.#prepared.rows(sql, parameters)))
    const short = this.#shortResults.rows(sql, parameters)
    if (short !== undefined)
      return handOver(this.#packer.packNext(short.values(), Number.POSITIVE_INFINITY, mostBytes, true))
    return this.#prepared.take(sql, parameters, (rows, areExact) => {
      const packed = this.#packer.packNext(rows, Number.POSITIVE_INFINITY, mostBytes, areExact)
      return handOver(packed.isCut ? { ...packed, isCut: rows.next().done !== true } : packed)
    })
  }

  stream({ sql, parameters, pieceRows, pieceBytes }: Streaming): Streamed<undefined, PackedResult> {
    // Not a cached statement, which could run again before the stream has ended.
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    statement.setReadBigInts(true)
    const all = statement.iterate(...bound(parameters)) as unknown as IteratorObject<Row, undefined>
    const rows = all.map(withPlainNumbers)
    const pieces: Iterator<MaybeHandedOver<PackedResult>, void> = {
      next: () => ({
        value: handOver(this.#packer.packNext(rows, pieceRows, pieceBytes, true)),
      }),
      return: () => {
        rows.return?.()
        return { done: true, value: undefined }
      },
    }
    return new Streamed(undefined, pieces)
  }
}

function handOver(packed: PackedResult): MaybeHandedOver<PackedResult> {
  const { memory } = packed
  return memory.byteLength < handedOverFrom ? packed : new HandedOver(packed, [memory])
}
