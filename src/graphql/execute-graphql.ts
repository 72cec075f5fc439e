import { timeoutBehind } from '../database/answer-timeout.ts'
import type { Database } from '../database/dialect.ts'
import type { ByteWriter } from '../util/byte-writer.ts'
import { ByteWriterPool } from '../util/byte-writer-pool.ts'
import type { CancellationToken } from '../util/cancellation-token.ts'
import type { Emit } from '../util/pieces-of.ts'
import { TimeLimit } from '../util/time-limit.ts'
import { type WholeOrPieces, wholeOrPieces } from '../util/whole-or-pieces.ts'
import { ResponseWriter } from './execution/response-writer.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import { type PreparedOperation, RequestErrors } from './planning/prepare-operation.ts'
import { ResponseOutput } from './response/response-output.ts'
import type { SchemaView } from './snapshot.ts'

/** What a request may go on for, and who hears of it. */
export interface ExecutionOptions {
  /** Who waits for the answer. */
  readonly cancellation?: CancellationToken
  /** How long all statements together may take, and what is between them. */
  readonly timeLimitMs?: number
  /** Hears of errors that the client is not told about. */
  readonly onFailure: (error: unknown) => void
  /** Whether a request whose tables have changed under it is begun again: then it fails whole. */
  readonly beginsAgain?: boolean
  /** What answers are written with; without it each has a writer of its own. */
  readonly writers?: ByteWriterPool
}

/** An answer as JSON in UTF-8: whole, or piece by piece where it is too long to be held. */
export type GraphqlResponse =
  | WholeOrPieces<Buffer>
  /** The request could not begin: then there is no `data`. */
  | {
      readonly kind: 'refused'
      readonly text: string
      /** It did not begin because it is a mutation or subscription. */
      readonly isNoQuery: boolean
    }

/** How long a client may take for a piece of an answer, whose database connection it keeps. */
const timeoutMs = 30_000

/** The whole journey of one request. */
export async function executeGraphql(
  request: GraphqlRequest,
  view: SchemaView,
  database: Database,
  options: ExecutionOptions,
): Promise<GraphqlResponse> {
  let operation: PreparedOperation
  try {
    operation = view.operations.prepare(request)
  } catch (error) {
    if (!(error instanceof RequestErrors)) throw error
    return {
      kind: 'refused',
      isNoQuery: error.isNoQuery,
      text: JSON.stringify({ errors: error.errors }),
    }
  }
  const { writers = new ByteWriterPool() } = options
  return wholeOrPieces(
    (emit) => writers.use((out) => run(operation, view, database, options, out, emit)),
    timeoutMs,
  )
}

/** Answers all root fields; all see one state of the data. Gives what was not passed on. */
async function run(
  operation: PreparedOperation,
  view: SchemaView,
  { dialect, driver }: Database,
  { cancellation, timeLimitMs = Number.POSITIVE_INFINITY, onFailure, beginsAgain = false }: ExecutionOptions,
  out: ByteWriter,
  emit: Emit<Buffer>,
): Promise<Buffer> {
  const { roots, readsRows, readsViews, isSingle, seen } = operation
  const time = new TimeLimit(timeLimitMs, cancellation)
  const { responseLimits } = view
  const writer = new ResponseWriter(
    { variables: operation.variables, syntax: dialect.syntax },
    new ResponseOutput(out, responseLimits, time, emit),
    {
      schema: view.graphqlSchema,
      heldRows: responseLimits.heldRows,
      seen,
      onFailure,
      beginsAgain,
    },
  )
  if (!readsRows) return writer.write(roots, [])
  const options = { endable: readsViews, single: isSingle, cancellation: time }
  try {
    if (!seen.isLong) {
      const loaded = await driver.read((connection) => writer.load(roots, connection), {
        ...options,
        kind: roots,
      })
      // Whoever takes the answer slowly keeps no connection.
      if (loaded !== undefined) return await writer.write(roots, loaded)
    }
    return await driver.read((connection) => writer.writeInPieces(roots, connection), options)
  } catch (error) {
    throw timeoutBehind(error, time)
  }
}
