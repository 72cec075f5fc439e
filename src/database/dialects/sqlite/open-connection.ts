import { decimalKey, decimalKeyFunction, decimalOf, decimalOfKeyFunction } from './decimal-key.ts'
import { DecimalSum, decimalAverageFunction, decimalSumFunction } from './decimal-sum.ts'
import { lowerCaseFunction, lowerCaseOf } from './lower-case.ts'
import { DatabaseSync } from './node-sqlite.ts'
import { numberFunction, numberOf, numberTextFunction, textOf } from './number-text.ts'
import { timestampFunction, timestampOf, timestampWindow, windowEnd, windowStart } from './timestamp.ts'

/** Functions for values of any type take 64-bit integers without loss. */
const exactly = { deterministic: true, useBigIntArguments: true } as const

/** A connection to a file, with the functions that our statements use, except the cancellation check. */
export function openConnection(file: string, busyTimeoutMs: number): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  connection.function(decimalKeyFunction, { deterministic: true }, decimalKey)
  connection.function(decimalOfKeyFunction, { deterministic: true }, decimalOf)
  addDecimalSums(connection)
  connection.function(timestampFunction, exactly, timestampOf)
  connection.function(timestampWindow.from, exactly, windowStart)
  connection.function(timestampWindow.to, exactly, windowEnd)
  connection.function(numberFunction, { deterministic: true }, numberOf)
  connection.function(numberTextFunction, { deterministic: true }, textOf)
  connection.function(lowerCaseFunction, { deterministic: true }, lowerCaseOf)
  // Readers and the writer do not block each other; committed changes are on the disk.
  connection.exec('pragma synchronous = full')
  try {
    connection.exec('pragma journal_mode = wal')
  } catch (error) {
    if (describeError(error).code !== readOnly) {
      connection.close()
      throw error
    }
  }
  return connection
}

/** The declared types know only values of SQL between the steps of an aggregate. */
function addDecimalSums(connection: DatabaseSync): void {
  const results: Readonly<Record<string, (sum: DecimalSum) => string | number | null>> = {
    [decimalSumFunction]: (sum) => sum.total,
    [decimalAverageFunction]: (sum) => sum.average,
  }
  for (const [name, result] of Object.entries(results))
    connection.aggregate(name, {
      ...exactly,
      start: () => new DecimalSum() as never,
      step: (sum: unknown, value: unknown) => (sum as DecimalSum).add(value) as never,
      result: (sum: unknown) => result(sum as DecimalSum),
    })
}

/** https://www.sqlite.org/rescode.html#readonly */
const readOnly = 8

/** The code and message of SQLite's error. */
export function describeError(error: unknown): { code: number; message: string } {
  const { errcode, message } = error as { errcode?: number; message?: string }
  return { code: errcode ?? 1, message: message ?? String(error) }
}
