import type { Database } from '../database/dialect.ts'
import { timeoutBehind } from '../database/response-timeout.ts'
import { invariant } from '../errors/invariant.ts'
import { pieceTimeoutMs } from '../util/answer-pieces.ts'
import type { ByteWriter } from '../util/byte-writer.ts'
import { ByteWriterPool } from '../util/byte-writer-pool.ts'
import type { CancellationToken } from '../util/cancellation-token.ts'
import type { Emit } from '../util/pieces-of.ts'
import { TimeLimit } from '../util/time-limit.ts'
import { inSlices } from '../util/time-slices.ts'
import { type WholeOrPieces, wholeOrPieces } from '../util/whole-or-pieces.ts'
import { ResponseWriter } from './execution/response-writer.ts'
import { runMutation } from './execution/run-mutation.ts'
import type { CallerWriting } from './execution/write-call.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import { type PreparedOperation, RequestErrors } from './planning/prepare-operation.ts'
import { ResponseOutput } from './response/response-output.ts'
import type { SchemaView } from './schema-view.ts'

/** How to execute a request. */
export interface ExecutionOptions {
  /** Cancelled when the client no longer waits for the response. */
  readonly cancellation?: CancellationToken
  /** Time limit for all statements together, including the time between them. */
  readonly timeLimitMs?: number
  /** The id under which errors are reported; told with those that are not the client's. */
  readonly requestId?: string
  /** Called with errors that the client is not told about. */
  readonly onFailure: (error: unknown) => void
  /** Whether a request is retried when its tables changed meanwhile: then it fails as a whole. */
  readonly beginsAgain?: boolean
  /** What mutations write with, made for a mutation only: queries do not pay for it. Without it there must be none. */
  readonly writing?: () => CallerWriting
  /** Writers to reuse for responses; without them each response creates its own. */
  readonly writers?: ByteWriterPool
}

/** A response as JSON in UTF-8: whole, or in pieces when it is too long to be buffered. */
export type GraphqlResponse =
  | WholeOrPieces<Buffer>
  /** The request could not start: there is no `data`. */
  | {
      readonly kind: 'refused'
      readonly text: string
      /** The request was refused because it is a mutation or subscription. */
      readonly isNoQuery: boolean
    }

/** Executes one request, from document to response. */
export async function executeGraphql(
  request: GraphqlRequest,
  view: SchemaView,
  database: Database,
  options: ExecutionOptions,
): Promise<GraphqlResponse> {
  let operation: PreparedOperation
  try {
    operation = await inSlices(view.operations.prepare(request))
  } catch (error) {
    if (!(error instanceof RequestErrors)) throw error
    return {
      kind: 'refused',
      isNoQuery: error.isNoQuery,
      text: JSON.stringify({ errors: error.errors }),
    }
  }
  const { writers = new ByteWriterPool() } = options
  if (operation.writes !== undefined) {
    const whole = await writers.use((out) => mutate(operation, view, database, options, out))
    return { kind: 'whole', whole }
  }
  return wholeOrPieces(
    (emit) => writers.use((out) => run(operation, view, database, options, out, emit)),
    pieceTimeoutMs,
  )
}

function mutate(
  operation: PreparedOperation,
  view: SchemaView,
  database: Database,
  {
    cancellation,
    timeLimitMs = Number.POSITIVE_INFINITY,
    onFailure,
    requestId,
    beginsAgain = false,
    writing,
  }: ExecutionOptions,
  out: ByteWriter,
): Promise<Buffer> {
  invariant(writing !== undefined, 'a view with mutations is given what they write with')
  const time = new TimeLimit(timeLimitMs, cancellation)
  return runMutation(operation, {
    ...{ view, database, time, out, onFailure, requestId, beginsAgain },
    writing: writing(),
  })
}

/** Resolves all root fields from one consistent state of the data. Returns what was not passed on. */
async function run(
  operation: PreparedOperation,
  view: SchemaView,
  { dialect, driver }: Database,
  {
    cancellation,
    timeLimitMs = Number.POSITIVE_INFINITY,
    requestId,
    onFailure,
    beginsAgain = false,
  }: ExecutionOptions,
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
      requestId,
      heldRows: responseLimits.heldRows,
      seen,
      onFailure,
      beginsAgain,
    },
  )
  if (!readsRows) return writer.write(roots, [])
  const options = { readsViews, cancellation: time }
  try {
    if (!seen.isLong) {
      const loaded = await driver.read((connection) => writer.load(roots, connection), {
        ...options,
        isolation: isSingle ? 'statement' : 'snapshot',
        batchKey: roots,
      })
      // A client that reads slowly does not occupy a connection.
      if (loaded !== undefined) return await writer.write(roots, loaded)
    }
    return await driver.stream((connection) => writer.writeInPieces(roots, connection), options)
  } catch (error) {
    throw timeoutBehind(error, time)
  }
}
