/**
 * The worker thread that owns one SQLite connection. SQLite answers synchronously: here it may take
 * its time, while the main thread goes on serving.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Row } from '../../driver.ts'
import { decimalKey, decimalKeyFunction } from './decimal-key.ts'
import { momentFunction, momentOf } from './moment.ts'
import { goOnFunction, type WorkerAnswer, type WorkerOptions, type WorkerRequest } from './worker-protocol.ts'

const preparedLimit = 256

const options = workerData as WorkerOptions
const database = openConnection(options)
const prepared = new Map<string, StatementSync>()
const streams = new Map<number, Iterator<unknown>>()
let running = 0

parentPort?.on('message', (request: WorkerRequest) => {
  const { id } = request
  running = id
  try {
    const answer = run(request)
    if (id !== 0) parentPort?.postMessage({ id, ...answer } satisfies WorkerAnswer)
  } catch (error) {
    if (id !== 0) parentPort?.postMessage({ id, error: describe(error) } satisfies WorkerAnswer)
  }
})

function run(request: WorkerRequest): { rows: readonly Row[] } | { changes: number } {
  switch (request.kind) {
    case 'query':
      return { rows: rowsOf(prepare(request.sql), [...request.parameters]) }
    case 'execute':
      return { changes: Number(prepare(request.sql).run(...request.parameters).changes) }
    case 'open': {
      // A statement of its own: one that is kept may run again before the stream has ended.
      const statement = database.prepare(request.sql)
      statement.setReturnArrays(true)
      statement.setReadBigInts(true)
      streams.set(request.id, statement.iterate(...request.parameters))
      return { changes: 0 }
    }
    case 'next':
      return { rows: nextPiece(request.stream, request.pieceRows) }
    case 'close':
      streams.get(request.stream)?.return?.()
      streams.delete(request.stream)
      return { changes: 0 }
  }
}

/** A whole number that JavaScript's numbers do not hold exactly makes all whole numbers of the answer be read anew. */
function rowsOf(statement: StatementSync, values: readonly SQLInputValue[]): readonly Row[] {
  try {
    return statement.all(...values) as unknown as readonly Row[]
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_OUT_OF_RANGE') throw error
  }
  statement.setReadBigInts(true)
  try {
    return (statement.all(...values) as unknown as readonly Row[]).map(withPlainNumbers)
  } finally {
    statement.setReadBigInts(false)
  }
}

function nextPiece(stream: number, pieceRows: number): readonly Row[] {
  const rows = streams.get(stream)
  const piece: Row[] = []
  while (piece.length < pieceRows) {
    const next = rows?.next()
    if (next === undefined || next.done) break
    piece.push(withPlainNumbers(next.value as Row))
  }
  return piece
}

/** Whole numbers as numbers, and as text where those would lose digits. */
function withPlainNumbers(row: Row): Row {
  return row.map((value) => {
    if (typeof value !== 'bigint') return value
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  })
}

function prepare(sql: string): StatementSync {
  const known = prepared.get(sql)
  if (known !== undefined) {
    prepared.delete(sql)
    prepared.set(sql, known)
    return known
  }
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  prepared.set(sql, statement)
  if (prepared.size > preparedLimit) prepared.delete(prepared.keys().next().value ?? '')
  return statement
}

function openConnection({ file, busyTimeoutMs, ending }: WorkerOptions): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  connection.function(decimalKeyFunction, { deterministic: true }, decimalKey)
  connection.function(goOnFunction, () => {
    if (Atomics.load(ending, 0) === running) throw new Error('The statement was ended.')
    return 1
  })
  connection.function(momentFunction, { deterministic: true }, momentOf)
  // Readers and the writer do not wait for each other; what is committed is on the disk.
  connection.exec('pragma synchronous = full')
  try {
    connection.exec('pragma journal_mode = wal')
  } catch (error) {
    if (describe(error).code !== readOnly) throw error
  }
  return connection
}

/** https://www.sqlite.org/rescode.html#readonly */
const readOnly = 8

function describe(error: unknown): { code: number; message: string } {
  const { errcode, message } = error as { errcode?: number; message?: string }
  return { code: errcode ?? 1, message: message ?? String(error) }
}
