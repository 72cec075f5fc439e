import type { GraphQLError } from 'graphql'
import { appErrorOf } from '../../database/app-error-of.ts'
import { DatabaseError } from '../../database/database-error.ts'
import type { Connection } from '../../database/driver.ts'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import type { BindingContext } from '../../query/binding.ts'
import type { Emit } from '../../util/pieces-of.ts'
import type { CompiledRoot } from '../operation/compile-operation.ts'
import { fieldError } from './graphql-error.ts'
import { loadRootLevel } from './load-level.ts'
import { TextWriter } from './text-writer.ts'
import { writeLongConnection } from './write-long-connection.ts'
import { writeConnection, writeObjectOfPage } from './write-response.ts'

/** So much text goes out as one piece. */
const pieceLength = 65_536

/** Loads and writes the root fields of one answer, one after the other. */
export class AnswerWriter {
  readonly #context: BindingContext
  readonly #fromSchema: Readonly<Record<string, unknown>>
  readonly #emit: Emit<string>
  readonly #onFailure: (error: unknown) => void
  readonly #errors: GraphQLError[] = []
  /** What is sure to be a part of the answer, and not yet passed on. */
  readonly #out = new TextWriter()

  constructor(
    context: BindingContext,
    fromSchema: Readonly<Record<string, unknown>>,
    emit: Emit<string>,
    onFailure: (error: unknown) => void,
  ) {
    this.#context = context
    this.#fromSchema = fromSchema
    this.#emit = emit
    this.#onFailure = onFailure
  }

  /**
   * Writes the whole answer. A root field that fails is null, with an entry in `errors`; only when a part of it was
   * passed on already, or the database is out of reach, the whole answer fails. `connection` is needed where a root field has statements.
   */
  async write(roots: readonly CompiledRoot[], connection: Connection | undefined): Promise<void> {
    this.#out.write('{"data":{')
    for (const [index, root] of roots.entries()) {
      this.#out.write(`${index === 0 ? '' : ','}"${root.plan.key}":`)
      await this.#writeRoot(root, connection)
    }
    this.#out.write(this.#errors.length === 0 ? '}}' : `},"errors":${JSON.stringify(this.#errors)}}`)
    await this.#emit(this.#out.take())
  }

  async #writeRoot(root: CompiledRoot, connection: Connection | undefined): Promise<void> {
    const { plan } = root
    // Apart from the rest, so that nothing is left of a field that fails.
    const own = new TextWriter()
    let isPassedOn = false
    const pause = async () => {
      if (own.length < pieceLength) return
      isPassedOn = true
      this.#out.write(own.take())
      await this.#emit(this.#out.take())
    }
    try {
      if (plan.kind === 'failed') throw plan.error
      if (plan.kind === 'typeName') own.write(`"${plan.name}"`)
      else if (root.level === undefined) own.write(JSON.stringify(this.#fromSchema[plan.key] ?? null))
      else await this.#writeRows(root, connection, own, pause)
    } catch (error) {
      if (isPassedOn || isOutOfReach(error)) {
        this.#onFailure(error)
        throw error
      }
      this.#fail(error, plan.key)
      return
    }
    this.#out.write(own.take())
  }

  async #writeRows(
    { plan, level }: CompiledRoot,
    connection: Connection | undefined,
    out: TextWriter,
    pause: () => Promise<void>,
  ): Promise<void> {
    invariant(connection !== undefined && level !== undefined, 'a root field with rows has a connection')
    const context = this.#context
    const loaded = await loadRootLevel(connection, level, context)
    if (plan.kind === 'connection' && 'isLong' in loaded) {
      const shape = plan.connection
      await writeLongConnection({ connection, level, list: loaded, shape, context, out, pause })
    } else if (!('isLong' in loaded)) {
      const [page] = loaded.pages
      if (plan.kind === 'connection' && page) writeConnection(page, loaded, plan.connection, out)
      else if (plan.kind === 'node') writeObjectOfPage(page, loaded, plan.object, out)
    }
  }

  #fail(error: unknown, key: string): void {
    if (isFailure(error)) this.#onFailure(error)
    this.#errors.push(fieldError(error, key))
    this.#out.write('null')
  }
}

/** Without its database the rest of the answer would fail as well. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'unavailable'
}

/** Whether an error is more than a mistake in the request. */
function isFailure(error: unknown): boolean {
  const known = error instanceof AppError ? error : appErrorOf(error)
  return known === undefined || known.kind.status >= 500
}
