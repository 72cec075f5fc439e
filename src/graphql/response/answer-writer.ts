import type { GraphQLFormattedError } from 'graphql'
import { appErrorOf } from '../../database/app-error-of.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import type { BindingContext } from '../../query/binding.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
import type { Emit } from '../../util/pieces-of.ts'
import type { CompiledRoot } from '../operation/compile-operation.ts'
import { fieldError } from './graphql-error.ts'
import { loadRootLevel } from './load-level.ts'
import { writeLongConnection } from './write-long-connection.ts'
import { ConnectionWriter, ObjectWriter } from './write-response.ts'

/** So many bytes go out as one piece. */
const pieceLength = 65_536

/** What becomes of errors that are not the client's. */
export interface FailureOptions {
  /** Hears of errors that the client is not told about. */
  readonly onFailure: (error: unknown) => void
  /** Whether the whole answer fails where the tables have changed under it. */
  readonly beginsAgain: boolean
}

/** Loads and writes the root fields of one answer, one after the other. */
export class AnswerWriter {
  readonly #context: BindingContext
  readonly #fromSchema: Readonly<Record<string, unknown>>
  readonly #emit: Emit<Buffer>
  readonly #onFailure: (error: unknown) => void
  readonly #beginsAgain: boolean
  readonly #errors: GraphQLFormattedError[] = []
  /** What is sure to be a part of the answer, and not yet passed on. */
  readonly #out: ByteWriter

  /** `out` is empty, and nobody else's. */
  constructor(
    context: BindingContext,
    fromSchema: Readonly<Record<string, unknown>>,
    out: ByteWriter,
    emit: Emit<Buffer>,
    { onFailure, beginsAgain }: FailureOptions,
  ) {
    this.#context = context
    this.#fromSchema = fromSchema
    this.#out = out
    this.#emit = emit
    this.#onFailure = onFailure
    this.#beginsAgain = beginsAgain
  }

  /**
   * Writes the whole answer, and gives what was not passed on. A root field that fails is null, with an entry in `errors`; only when a part of it was
   * passed on already, or the database is out of reach, the whole answer fails. `connection` is needed where a root field has statements.
   * May be called again as long as nothing was passed on; only the last answer counts.
   */
  async write(roots: readonly CompiledRoot[], connection: Connection | undefined): Promise<Buffer> {
    this.#errors.length = 0
    this.#out.truncate(0)
    this.#out.write('{"data":{')
    const lastLevel = roots.findLastIndex(({ level }) => level !== undefined)
    for (const [index, root] of roots.entries()) {
      this.#out.write(`${index === 0 ? '' : ','}"${root.plan.key}":`)
      await this.#writeRoot(root, connection, index === lastLevel)
    }
    this.#out.write(this.#errors.length === 0 ? '}}' : `},"errors":${JSON.stringify(this.#errors)}}`)
    return this.#out.take()
  }

  async #writeRoot(root: CompiledRoot, connection: Connection | undefined, isLast: boolean): Promise<void> {
    const { plan } = root
    const start = this.#out.length
    // Nothing is left of a field that fails, unless a part of it was passed on.
    let isPassedOn = false
    const pause = async () => {
      if (this.#out.length < pieceLength) return
      isPassedOn = true
      await this.#emit(this.#out.take())
    }
    try {
      if (plan.kind === 'failed') throw plan.error
      if (plan.kind === 'typeName') this.#out.write(`"${plan.name}"`)
      else if (root.level === undefined) this.#out.write(JSON.stringify(this.#fromSchema[plan.key] ?? null))
      else await this.#writeRows(root, connection, isLast, pause)
    } catch (error) {
      if (isGivenBack(error) || (this.#beginsAgain && isOfBefore(error))) throw error
      if (isPassedOn || isOutOfReach(error)) {
        this.#onFailure(error)
        throw error
      }
      this.#out.truncate(start)
      this.#fail(error, plan)
    }
  }

  async #writeRows(
    { level, writer }: CompiledRoot,
    connection: Connection | undefined,
    isLast: boolean,
    pause: () => Promise<void>,
  ): Promise<void> {
    invariant(connection !== undefined && level !== undefined, 'a root field with rows has a connection')
    const [out, context] = [this.#out, this.#context]
    const loaded = await loadRootLevel(connection, level, context, isLast)
    if ('isLong' in loaded) {
      if (writer instanceof ConnectionWriter)
        await writeLongConnection({ connection, level, list: loaded, writer, context, out, pause })
      return
    }
    const [page] = loaded.pages
    if (writer instanceof ObjectWriter) writer.writePage(out, page, loaded)
    else if (page !== undefined) writer?.write(out, page, loaded)
  }

  #fail(error: unknown, plan: CompiledRoot['plan']): void {
    if (isFailure(error)) this.#onFailure(error)
    this.#errors.push(fieldError(error, plan))
    this.#out.write('null')
  }
}

/** Whether the answer is about to be written again. */
function isGivenBack(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'givenBack'
}

/** Whether the tables are not what they were when the statements were made. */
function isOfBefore(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'schemaChanged'
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
