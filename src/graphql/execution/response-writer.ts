import type { GraphQLFormattedError, GraphQLSchema } from 'graphql'
import { appErrorOf } from '../../database/app-error-of.ts'
import { DatabaseError, type DatabaseErrorKind } from '../../database/database-error.ts'
import type { Connection, StreamingConnection } from '../../database/driver.ts'
import { responseTimeout, timeoutBehind } from '../../database/response-timeout.ts'
import { endsToRunAgain } from '../../database/run-again.ts'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import type { BindingContext } from '../../query/binding.ts'
import { hasMoreRows } from '../../query/levels/count-rows.ts'
import { HeldRows, mostHeldBytes, TooManyHeldRows } from '../../query/levels/held-rows.ts'
import { loadRelations, loadRootLevel } from '../../query/levels/load-level.ts'
import type { LoadedLevel } from '../../query/levels/loaded-level.ts'
import { runRootSelect, type SelectContext } from '../../query/run-select.ts'
import { UnreadPiece } from '../../util/pieces-of.ts'
import type { CompiledRoot, SeenResponse } from '../planning/compile-operation.ts'
import type { RootPlan } from '../planning/operation-plan.ts'
import { fieldError } from '../response/graphql-error.ts'
import type { ResponseOutput } from '../response/response-output.ts'
import { writeIntrospection } from '../response/write-introspection.ts'
import { ConnectionWriter, ObjectWriter } from '../response/write-response.ts'
import { responseTooLarge } from './response-limits.ts'
import { writeInSlices, writeLongConnection } from './write-long-connection.ts'

/** How errors that are not the client's are handled. */
interface FailureOptions {
  /** Called with errors that the client is not told about. */
  readonly onFailure: (error: unknown) => void
  /** Whether the whole response fails if the tables changed meanwhile. */
  readonly beginsAgain: boolean
}

export interface ResponseWriterOptions extends FailureOptions {
  /** Told with errors that are not the client's. */
  readonly requestId: string | undefined
  /** The schema that introspection shows. */
  readonly schema: GraphQLSchema
  /** How many rows may be in memory at once. */
  readonly heldRows: number
  /** Remembers whether the response is too long to be buffered. */
  readonly seen: SeenResponse
}

/** The rows of a root field, or the error why there are none. */
type LoadedRoot = { readonly level: LoadedLevel } | { readonly error: unknown }

/** Loads and writes the root fields of one response. */
export class ResponseWriter {
  readonly #context: SelectContext
  readonly #options: ResponseWriterOptions
  readonly #to: ResponseOutput
  readonly #errors: GraphQLFormattedError[] = []
  /** Whether a statement was ended, and its connection with it. */
  #hasTimedOut = false

  constructor(context: BindingContext, to: ResponseOutput, options: ResponseWriterOptions) {
    this.#context = { ...context, mayFail: (error) => this.#failsAlone(error) }
    this.#to = to
    this.#options = options
  }

  /**
   * Reads everything that the root fields need; undefined if that is too much for memory. May be called again. Throws
   * if the whole response fails.
   */
  async load(
    roots: readonly CompiledRoot[],
    connection: Connection,
  ): Promise<readonly (LoadedRoot | undefined)[] | undefined> {
    const held = new HeldRows(this.#options.heldRows)
    const mayFail = (error: unknown) => this.#wasEnded(error) || this.#failsAlone(error)
    const context = { ...this.#context, held, mayFail }
    const loaded: (LoadedRoot | undefined)[] = []
    this.#hasTimedOut = false
    for (const { level } of roots) {
      if (level === undefined) {
        loaded.push(undefined)
        continue
      }
      try {
        this.#assertReadable()
        const found = await loadRootLevel(connection, level, context)
        if ('isLong' in found) return undefined
        loaded.push({ level: found })
      } catch (error) {
        if (error instanceof TooManyHeldRows) {
          return undefined
        }
        this.#throwIfOfAll(error)
        this.#hasTimedOut ||= isTimeout(error)
        loaded.push({ error })
      }
    }
    return loaded
  }

  /**
   * Writes the whole response from loaded rows, and returns what was not passed on. A root field that fails is null,
   * with an entry in `errors`.
   */
  write(roots: readonly CompiledRoot[], loaded: readonly (LoadedRoot | undefined)[]): Promise<Buffer> {
    return this.#writeRoots(roots, async ({ writer }, index) => {
      const found = loaded[index]
      invariant(found !== undefined, 'a root field with a level was loaded')
      if ('error' in found) throw found.error
      const to = this.#to
      if (hasMoreRows(found.level, to.rowsLeft)) throw responseTooLarge('rows', to.mostRows)
      const [page] = found.level.pages
      if (writer instanceof ObjectWriter) await writer.writePage(to, page, found.level)
      else if (page !== undefined) await writer?.write(to, page, found.level)
    })
  }

  /**
   * Reads and writes the whole response piece by piece, and returns what was not passed on. A field that fails is
   * null, with an entry in `errors`; the whole response fails only if a part of the field was already passed on, or if
   * the database is unreachable.
   */
  writeInPieces(roots: readonly CompiledRoot[], connection: StreamingConnection): Promise<Buffer> {
    const to = this.#to
    const { heldRows: mostHeldRows, seen } = this.#options
    const context = this.#context
    seen.isLong = false
    to.startStreaming()
    this.#hasTimedOut = false
    return this.#writeRoots(roots, async ({ level, writer }) => {
      invariant(level !== undefined, 'a root field with rows has a level')
      const reached = to.reached
      if (reached !== undefined) throw reached
      this.#assertReadable()
      const selected = await runRootSelect(connection, level.select, context, { mostBytes: mostHeldBytes })
      if (writer instanceof ConnectionWriter) {
        const long = { connection, level, writer, context, mostHeldRows, seen, to }
        const isLong = 'isLong' in selected
        new HeldRows(mostHeldRows).add(isLong ? selected.page : selected)
        await (isLong ? writeLongConnection(long, selected) : writeInSlices(long, selected))
      } else if (!('isLong' in selected)) {
        const page = { ...selected, firstRow: 0 }
        const held = new HeldRows(mostHeldRows)
        const relations = await loadRelations(connection, level.relations, [page], { ...context, held })
        await writer?.writePage(to, page, { pages: [page], timesShown: level.timesShown, relations })
      }
    })
  }

  async #writeRoots(
    roots: readonly CompiledRoot[],
    writeRows: (root: CompiledRoot, index: number) => Promise<void>,
  ): Promise<Buffer> {
    const { bytes } = this.#to
    this.#errors.length = 0
    this.#to.restart()
    bytes.write('{"data":{')
    for (const [index, root] of roots.entries()) {
      bytes.write(`${index === 0 ? '' : ','}"${root.plan.key}":`)
      await this.#writeRoot(root, () => writeRows(root, index))
    }
    bytes.write(this.#errors.length === 0 ? '}}' : `},"errors":${JSON.stringify(this.#errors)}}`)
    return bytes.take()
  }

  async #writeRoot(root: CompiledRoot, writeRows: () => Promise<void>): Promise<void> {
    const { plan } = root
    const { bytes, pieces, rows, truncatedBy, failures } = this.#to
    const start = bytes.length
    const failuresBefore = failures.length
    try {
      if (plan.kind === 'failed') throw plan.error
      if (plan.kind === 'typeName') bytes.write(`"${plan.name}"`)
      else if (plan.kind === 'null') bytes.write('null')
      else if (truncatedBy !== undefined) throw truncatedBy
      else if (plan.kind === 'introspection')
        await writeIntrospection(this.#to, plan.field, this.#options.schema)
      else await writeRows()
      for (const failure of failures.slice(failuresBefore))
        this.#addError(this.#meant(failure.error), failure)
      if (this.#to.truncatedBy !== undefined && truncatedBy === undefined)
        this.#endAtLimit(this.#to.truncatedBy, plan, pieces)
    } catch (error) {
      this.#throwIfOfAll(error)
      // A failed field is removed, unless a part of it was passed on.
      if (pieces !== this.#to.pieces) {
        if (!isOfClient(timeoutBehind(error, this.#to.time))) this.#options.onFailure(error)
        throw error
      }
      bytes.truncate(start)
      this.#to.rows = rows
      this.#to.truncatedBy = truncatedBy
      this.#to.forgetFailures(failuresBefore)
      this.#fail(error, plan)
    }
  }

  #addError(error: unknown, field: Parameters<typeof fieldError>[1]): void {
    this.#errors.push(fieldError(error, field, this.#options.requestId))
  }

  /** A field that a limit has cut short is null, unless a part of it was passed on. */
  #endAtLimit(error: AppError, plan: CompiledRoot['plan'], pieces: number): void {
    if (pieces === this.#to.pieces) throw error
    this.#addError(error, placeOf(plan))
  }

  #fail(given: unknown, plan: CompiledRoot['plan']): void {
    const error = this.#meant(given)
    this.#hasTimedOut ||= isTimeout(given)
    if (isFailure(error)) this.#options.onFailure(error)
    this.#addError(error, placeOf(plan))
    this.#to.bytes.write('null')
  }

  /** The cause of a database error. */
  #meant(error: unknown): unknown {
    if (error instanceof TooManyHeldRows) return responseTooLarge('heldRows', this.#options.heldRows)
    // Such an error fails the whole response, unless it only says that the connection was ended with a statement.
    if (isOutOfReach(error)) return new AppError('STATEMENT_TIMEOUT', { detail: notRead })
    return timeoutBehind(error, this.#to.time)
  }

  /** Throws if nothing more can be read. */
  #assertReadable(): void {
    if (this.#to.time.isOver) throw responseTimeout()
    if (this.#hasTimedOut) throw new AppError('STATEMENT_TIMEOUT', { detail: notRead })
  }

  /** Whether a statement was ended by this error, or before it: what was read until then is shown all the same. */
  #wasEnded(error: unknown): boolean {
    if (isTimeout(error)) {
      this.#hasTimedOut = true
      this.#options.onFailure(error)
    }
    return this.#hasTimedOut && error instanceof DatabaseError
  }

  /** Whether the rest of a root field can be read after an error of one field in it. */
  #failsAlone(error: unknown): boolean {
    this.#throwIfOfAll(error)
    const failsAlone =
      error instanceof AppError || (error instanceof DatabaseError && ofOneStatement.has(error.kind))
    if (failsAlone && isFailure(error)) this.#options.onFailure(error)
    return failsAlone
  }

  /** Throws errors that concern more than one field. */
  #throwIfOfAll(error: unknown): void {
    if (endsToRunAgain(error) || (this.#options.beginsAgain && mayBeginAgain(error))) throw error
    if (!isOutOfReach(error)) return
    this.#options.onFailure(error)
    throw error
  }
}

/** Errors after which other statements can run. */
const ofOneStatement: ReadonlySet<DatabaseErrorKind> = new Set([
  'denied',
  'schemaChanged',
  'statement',
  'triggerFailed',
  'valueRefused',
])

function placeOf({ key, locations }: RootPlan) {
  return { path: [key], locations }
}

const notRead =
  'This field was not read: a statement of a field before it took too long, and was ended together with their connection.'

function isTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'timedOut'
}

/** The tables have changed, or may have, since the statements were compiled; or a change of them took precedence. */
const kindsOfChange: ReadonlySet<DatabaseErrorKind> = new Set(['schemaChanged', 'statement', 'deadlock'])

/** Whether the whole request may begin again after the error. */
export function mayBeginAgain(error: unknown): boolean {
  return error instanceof DatabaseError && kindsOfChange.has(error.kind)
}

const outOfReach: ReadonlySet<DatabaseErrorKind> = new Set(['noConnection', 'unavailable', 'unresponsive'])

/** Without its database the rest of the response would fail, too. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof DatabaseError && outOfReach.has(error.kind)
}

/** Whether an error only says that the client has left, or does not read: nothing has failed. */
function isOfClient(error: unknown): boolean {
  return error instanceof UnreadPiece || (error instanceof DatabaseError && error.kind === 'abandoned')
}

/** Whether an error is more than a mistake in the request, or the end of its client. */
export function isFailure(error: unknown): boolean {
  if (isOfClient(error)) return false
  const known = error instanceof AppError ? error : appErrorOf(error)
  return known === undefined || known.kind.status >= 500
}
