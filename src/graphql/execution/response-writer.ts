import type { GraphQLFormattedError, GraphQLSchema } from 'graphql'
import { answerTimeout, timeoutBehind } from '../../database/answer-timeout.ts'
import { appErrorOf } from '../../database/app-error-of.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import type { BindingContext } from '../../query/binding.ts'
import { runRootSelect } from '../../query/run-select.ts'
import type { CompiledRoot, SeenAnswer } from '../planning/compile-operation.ts'
import { fieldError } from '../response/graphql-error.ts'
import type { ResponseOutput } from '../response/response-output.ts'
import { writeIntrospection } from '../response/write-introspection.ts'
import { ConnectionWriter, ObjectWriter } from '../response/write-response.ts'
import { hasMoreRows } from './count-rows.ts'
import { HeldRows, type LoadedLevel, loadRelations, loadRootLevel, TooManyHeldRows } from './load-level.ts'
import { answerTooLarge, mostHeldBytes } from './response-limits.ts'
import { writeInSlices, writeLongConnection } from './write-long-connection.ts'

/** What becomes of errors that are not the client's. */
export interface FailureOptions {
  /** Hears of errors that the client is not told about. */
  readonly onFailure: (error: unknown) => void
  /** Whether the whole answer fails where the tables have changed under it. */
  readonly beginsAgain: boolean
}

export interface ResponseWriterOptions extends FailureOptions {
  /** What introspection is about. */
  readonly schema: GraphQLSchema
  /** How many rows are held at once. */
  readonly heldRows: number
  /** Told whether the answer is too long to be held. */
  readonly seen: SeenAnswer
}

/** What a root field with rows is written from, or why there is nothing to write. */
type LoadedRoot = { readonly level: LoadedLevel } | { readonly error: unknown }

/** Loads and writes the root fields of one answer. */
export class ResponseWriter {
  readonly #context: BindingContext
  readonly #options: ResponseWriterOptions
  readonly #to: ResponseOutput
  readonly #errors: GraphQLFormattedError[] = []

  constructor(context: BindingContext, to: ResponseOutput, options: ResponseWriterOptions) {
    this.#context = context
    this.#to = to
    this.#options = options
  }

  /**
   * Reads all that the root fields need; undefined where that is too much to be held. May be called again. Throws where the
   * whole answer fails.
   */
  async load(
    roots: readonly CompiledRoot[],
    connection: Connection,
  ): Promise<readonly (LoadedRoot | undefined)[] | undefined> {
    const held = new HeldRows(this.#options.heldRows)
    const context = { ...this.#context, held }
    const last = roots.findLastIndex(({ level }) => level !== undefined)
    const loaded: (LoadedRoot | undefined)[] = []
    for (const [index, { level }] of roots.entries()) {
      if (level === undefined) {
        loaded.push(undefined)
        continue
      }
      try {
        this.#assertInTime()
        const found = await loadRootLevel(connection, level, context, index === last)
        if ('isLong' in found) return undefined
        loaded.push({ level: found })
      } catch (error) {
        if (error instanceof TooManyHeldRows) {
          return undefined
        }
        this.#throwIfOfAll(error)
        loaded.push({ error })
      }
    }
    return loaded
  }

  /**
   * Writes the whole answer from what was loaded, and gives what was not passed on. A root field that fails is null, with an
   * entry in `errors`.
   */
  write(roots: readonly CompiledRoot[], loaded: readonly (LoadedRoot | undefined)[]): Promise<Buffer> {
    return this.#writeRoots(roots, async ({ writer }, index) => {
      const found = loaded[index]
      invariant(found !== undefined, 'a root field with a level was loaded')
      if ('error' in found) throw found.error
      const to = this.#to
      if (hasMoreRows(found.level, to.rowsLeft)) throw answerTooLarge('rows', to.mostRows)
      const [page] = found.level.pages
      if (writer instanceof ObjectWriter) await writer.writePage(to, page, found.level)
      else if (page !== undefined) await writer?.write(to, page, found.level)
    })
  }

  /**
   * Reads and writes the whole answer piece by piece, and gives what was not passed on. A field that fails is null, with an
   * entry in `errors`; only when a part of it was passed on already, or the database is out of reach, the whole answer fails.
   */
  writeInPieces(roots: readonly CompiledRoot[], connection: Connection): Promise<Buffer> {
    const to = this.#to
    const { heldRows: mostHeldRows, seen } = this.#options
    const context = this.#context
    seen.isLong = false
    to.goOut()
    return this.#writeRoots(roots, async ({ level, writer }) => {
      invariant(level !== undefined, 'a root field with rows has a level')
      const reached = to.reached
      if (reached !== undefined) throw reached
      const selected = await runRootSelect(connection, level.select, context, { mostBytes: mostHeldBytes })
      if (writer instanceof ConnectionWriter) {
        const long = { connection, level, writer, context, mostHeldRows, seen, to }
        if ('isLong' in selected) await writeLongConnection(long, selected)
        else {
          new HeldRows(mostHeldRows).add(selected.rows)
          await writeInSlices(long, selected)
        }
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
    const { bytes, pieces, rows, cut } = this.#to
    const start = bytes.length
    try {
      if (plan.kind === 'failed') throw plan.error
      if (plan.kind === 'typeName') bytes.write(`"${plan.name}"`)
      else if (plan.kind === 'null') bytes.write('null')
      else if (cut !== undefined) throw cut
      else if (plan.kind === 'introspection')
        await writeIntrospection(this.#to, plan.field, this.#options.schema)
      else await writeRows()
      if (this.#to.cut !== undefined && cut === undefined) this.#endAtLimit(this.#to.cut, plan, pieces)
    } catch (error) {
      this.#throwIfOfAll(error)
      // Nothing is left of a field that fails, unless a part of it was passed on.
      if (pieces !== this.#to.pieces) {
        this.#options.onFailure(error)
        throw error
      }
      bytes.truncate(start)
      this.#to.rows = rows
      this.#to.cut = cut
      this.#fail(error, plan)
    }
  }

  /** A field that a limit has cut is null, unless a part of it was passed on. */
  #endAtLimit(error: AppError, plan: CompiledRoot['plan'], pieces: number): void {
    if (pieces === this.#to.pieces) throw error
    this.#errors.push(fieldError(error, plan))
  }

  #fail(given: unknown, plan: CompiledRoot['plan']): void {
    const error = this.#meant(given)
    if (isFailure(error)) this.#options.onFailure(error)
    this.#errors.push(fieldError(error, plan))
    this.#to.bytes.write('null')
  }

  /** What is behind an error of the database. */
  #meant(error: unknown): unknown {
    if (error instanceof TooManyHeldRows) return answerTooLarge('heldRows', this.#options.heldRows)
    return timeoutBehind(error, this.#to.time)
  }

  #assertInTime(): void {
    if (this.#to.time.isOver) throw answerTimeout()
  }

  /** Throws errors that are about more than one field. */
  #throwIfOfAll(error: unknown): void {
    if (isReleased(error) || (this.#options.beginsAgain && isOfBefore(error))) throw error
    if (!isOutOfReach(error)) return
    this.#options.onFailure(error)
    throw error
  }
}

/** Whether the answer is about to be written again. */
function isReleased(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'givenBack'
}

/** Whether the tables are not, or may not be, what they were when the statements were made. */
function isOfBefore(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'schemaChanged' || error.kind === 'statement')
}

/** Without its database the rest of the answer would fail as well. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof DatabaseError && (error.kind === 'unavailable' || error.kind === 'noConnection')
}

/** Whether an error is more than a mistake in the request. */
function isFailure(error: unknown): boolean {
  const known = error instanceof AppError ? error : appErrorOf(error)
  return known === undefined || known.kind.status >= 500
}
