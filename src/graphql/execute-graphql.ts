import type { Database } from '../database/dialect.ts'
import { type Emit, piecesOf } from '../util/pieces-of.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import { answerFromSchema } from './operation/answer-from-schema.ts'
import type { CompiledRoot } from './operation/compile-operation.ts'
import type { LevelPlan } from './operation/operation-plan.ts'
import { type PreparedOperation, RequestErrors } from './operation/prepare-operation.ts'
import { AnswerWriter } from './response/answer-writer.ts'
import type { SchemaSnapshot } from './snapshot.ts'

/** What a request may go on for, and who hears of it. */
export interface ExecutionOptions {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
  /** Hears of errors that the client is not told about. */
  readonly onFailure: (error: unknown) => void
}

/** An answer as JSON text: whole, or piece by piece where it is too long to be held. */
export type GraphqlAnswer =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'pieces'; readonly pieces: AsyncIterable<string> }
  /** The request could not begin: then there is no `data`. */
  | {
      readonly kind: 'refused'
      readonly text: string
      /** It did not begin because it is a mutation or subscription. */
      readonly isNoQuery: boolean
    }

/** How long a client may take for a piece of an answer, whose database connection it keeps. */
const patienceMs = 30_000

/** The whole journey of one request. */
export async function executeGraphql(
  request: GraphqlRequest,
  snapshot: SchemaSnapshot,
  database: Database,
  options: ExecutionOptions,
): Promise<GraphqlAnswer> {
  let operation: PreparedOperation
  try {
    operation = snapshot.operations.prepare(request)
  } catch (error) {
    if (!(error instanceof RequestErrors)) throw error
    return {
      kind: 'refused',
      isNoQuery: error.isNoQuery,
      text: JSON.stringify({ errors: error.errors }),
    }
  }
  return inPieces((emit) => run(operation, snapshot, database, options, emit))
}

/** An answer that fits one piece is whole. */
async function inPieces(produce: (emit: Emit<string>) => Promise<void>): Promise<GraphqlAnswer> {
  const pieces = piecesOf(produce, patienceMs)
  const first = await pieces.next()
  if (first.done) return { kind: 'whole', text: '' }
  const second = await pieces.next()
  return second.done
    ? { kind: 'whole', text: first.value }
    : { kind: 'pieces', pieces: startingWith([first.value, second.value], pieces) }
}

/** A reader that stops at the first pieces ends the others, too. */
async function* startingWith(first: readonly string[], rest: AsyncGenerator<string>): AsyncIterable<string> {
  try {
    yield* first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

/** Answers all root fields, each in its turn; all see one state of the data. */
async function run(
  operation: PreparedOperation,
  snapshot: SchemaSnapshot,
  { dialect, driver }: Database,
  { signal, onFailure }: ExecutionOptions,
  emit: Emit<string>,
): Promise<void> {
  const writer = new AnswerWriter(
    { variables: operation.variables, syntax: dialect.syntax },
    answerFromSchema(operation, snapshot),
    emit,
    onFailure,
  )
  if (operation.roots.every((root) => root.level === undefined)) {
    await writer.write(operation.roots, undefined)
  } else {
    await driver.read((connection) => writer.write(operation.roots, connection), {
      endable: operation.roots.some(readsView),
      ...(signal && { signal }),
    })
  }
}

function readsView({ plan }: CompiledRoot): boolean {
  return 'level' in plan && levelReadsView(plan.level)
}

function levelReadsView({ select, relations }: LevelPlan): boolean {
  return select.table.kind === 'view' || relations.some(({ level }) => levelReadsView(level))
}
