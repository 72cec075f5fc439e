/**
 * The worker thread that owns one SQLite connection. SQLite answers synchronously: here it may take
 * its time, while the main thread goes on serving.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Row } from '../../driver.ts'
import { decimalKey, decimalKeyFunction } from './decimal-key.ts'
import { momentFunction, momentOf } from './moment.ts'
import type { WorkerAnswer, WorkerOptions, WorkerRequest } from './worker-protocol.ts'

const preparedLimit = 256

const options = workerData as WorkerOptions
const database = openConnection(options)
const prepared = new Map<string, StatementSync>()

parentPort?.on('message', (request: WorkerRequest) => {
  const { id } = request
  try {
    const answer = run(request)
    if (id !== undefined) parentPort?.postMessage({ id, ...answer } satisfies WorkerAnswer)
  } catch (error) {
    if (id !== undefined) parentPort?.postMessage({ id, error: describe(error) } satisfies WorkerAnswer)
  }
})

function run({ kind, sql, parameters }: WorkerRequest): { rows: readonly Row[] } | { changes: number } {
  const statement = prepare(sql)
  const values = [...parameters]
  if (kind === 'query') return { rows: statement.all(...values) as unknown as readonly Row[] }
  return { changes: Number(statement.run(...values).changes) }
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

function openConnection({ file, busyTimeoutMs }: WorkerOptions): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  connection.function(decimalKeyFunction, { deterministic: true }, decimalKey)
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
