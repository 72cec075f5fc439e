import { DatabaseError } from '../../database/database-error.ts'
import type { DeferredConnection } from '../../database/deferred-connection.ts'
import type { Database } from '../../database/dialect.ts'
import type { Connection } from '../../database/driver.ts'
import { responseTimeout, timeoutBehind } from '../../database/response-timeout.ts'
import { AppError } from '../../errors/app-error.ts'
import { invariant } from '../../errors/invariant.ts'
import { hasMoreRows } from '../../query/levels/count-rows.ts'
import { HeldRows, mostHeldBytes, TooManyHeldRows } from '../../query/levels/held-rows.ts'
import { loadLevel } from '../../query/levels/load-level.ts'
import { emptyLevel, type LoadedLevel } from '../../query/levels/loaded-level.ts'
import type { RowKey } from '../../query/mutate-plan.ts'
import { atOnce } from '../../record/at-once.ts'
import { type EnclosingTransaction, SentChange } from '../../record/enclosing-transaction.ts'
import type { KeyChecks } from '../../record/key-checks.ts'
import {
  isRefusal,
  mayBeOutdated,
  notKept,
  type RefusedChange,
  refusalAtEnd,
  triggerFailed,
} from '../../record/refusal-of.ts'
import type { ByteWriter } from '../../util/byte-writer.ts'
import type { TimeLimit } from '../../util/time-limit.ts'
import type { CompiledRoot } from '../planning/compile-operation.ts'
import type { ObjectShape, ResultShape, WritePlan } from '../planning/operation-plan.ts'
import type { PreparedOperation } from '../planning/prepare-operation.ts'
import { writeError } from '../response/graphql-error.ts'
import { type FieldFailure, ResponseOutput } from '../response/response-output.ts'
import type { SchemaView } from '../schema-view.ts'
import { type ResponseLimits, responseTooLarge } from './response-limits.ts'
import { isFailure, isOutOfReach, mayBeginAgain } from './response-writer.ts'
import type { CallerWriting, KeepAnswer } from './write-call.ts'
import { writeRecords } from './write-records.ts'

/** What a mutation runs with. */
export interface MutationContext {
  readonly view: SchemaView
  readonly database: Database
  readonly writing: CallerWriting
  readonly time: TimeLimit
  /** For the response. */
  readonly out: ByteWriter
  /** Called with errors that the client is not told about. */
  readonly onFailure: (error: unknown) => void
  /** Told with errors that are not the client's. */
  readonly requestId: string | undefined
  /** Whether the request starts again if the tables have changed: then the error is thrown. */
  readonly beginsAgain: boolean
}

/** How often a mutation is carried out if others create the same records at the same time. */
const attempts = 3

/**
 * Carries out the fields of a mutation one after the other in one transaction, and returns the response after its commit:
 * `data` is null after any error, and nothing is kept. Throws if the database cannot be reached.
 */
export async function runMutation(operation: PreparedOperation, context: MutationContext): Promise<Buffer> {
  let run = new MutationRun(operation, context, 'byTable')
  const { writing } = context
  const carryOut = async (keep?: KeepAnswer): Promise<Buffer> => {
    let keyChecks: KeyChecks = 'byTable'
    for (let attempt = 1; ; attempt += 1) {
      run = new MutationRun(operation, context, keyChecks)
      try {
        return await run.carryOut(keep)
      } catch (error) {
        if (!run.mayRunAgain(error) || attempt === attempts) throw error
        keyChecks = 'before'
      }
    }
  }
  try {
    if (writing.once === undefined) return await carryOut()
    return Buffer.from(await writing.once(async (keep) => (await carryOut(keep)).toString()))
  } catch (error) {
    return run.refused(error)
  }
}

class MutationRun {
  readonly #operation: PreparedOperation
  readonly #context: MutationContext
  /** The field that is carried out now; undefined when all were. */
  #current: CompiledRoot | undefined
  /** A field inside of it that failed. */
  #failure: FieldFailure | undefined
  readonly #made: RefusedChange[] = []
  /** Whether something was changed that cannot be undone. */
  #isPermanent = false
  readonly #keyChecks: KeyChecks

  constructor(operation: PreparedOperation, context: MutationContext, keyChecks: KeyChecks) {
    this.#operation = operation
    this.#context = context
    this.#keyChecks = keyChecks
  }

  async carryOut(keep?: KeepAnswer): Promise<Buffer> {
    const { database, time } = this.#context
    const calls = this.#operation.roots.map((root) => {
      this.#current = root
      return { root, args: this.#argumentsOf(root) }
    })
    const [first] = calls
    if (keep === undefined && first !== undefined) {
      const response = await this.#atOnce(first.root, first.args)
      if (response !== undefined) return response
    }
    try {
      return await database.driver.transaction(
        async (connection) => {
          const held = new HeldRows(this.#context.view.responseLimits.heldRows)
          const loaded: LoadedLevel[] = []
          for (const { root, args } of calls) {
            this.#current = root
            assertInTime(time)
            loaded.push(await this.#write(root, args, this.#enclosing(connection), held))
          }
          const response = await this.#response(loaded)
          this.#current = undefined
          await keep?.(connection, response.toString())
          return response
        },
        { cancellation: time },
      )
    } catch (error) {
      throw (error instanceof DatabaseError && refusalAtEnd(error, this.#made)) || error
    }
  }

  /**
   * The same in one round trip to the database, if it is one record that is written and shown by statements which are all known before.
   * Undefined if they are not, or the database refuses them: then nothing was changed. What is shown are fields of one row, which have
   * neither limits nor errors of their own.
   */
  async #atOnce(root: CompiledRoot, args: Readonly<Record<string, unknown>>): Promise<Buffer | undefined> {
    const { database, time, view } = this.#context
    const { plan } = root
    const isSingle = this.#operation.isSingle && this.#operation.roots.length === 1
    const isOfOne = plan.kind === 'write' && (plan.write.kind === 'create' || plan.write.kind === 'update')
    if (!isSingle || !isOfOne || !showsFieldsOnly(plan.result) || this.#keyChecks !== 'byTable')
      return undefined
    const { writes, type } = this.#entityOf(plan.write, view)
    if (type.rights !== undefined) return undefined
    assertInTime(time)
    const kind = plan.write.kind === 'create' ? 'insert' : 'update'
    const work = async (enclosing: EnclosingTransaction, deferred: DeferredConnection) => {
      const held = HeldRows.ofOneRow()
      return this.#response([await this.#write(root, args, enclosing, held, () => deferred.expectLast())])
    }
    return atOnce(kind, writes.entity, { database, cancellation: time }, work, root.shown)
  }

  /**
   * Whether the mutation is to be carried out again after an error: with checks that tell what the table refused, or because another
   * writer has created a record meanwhile that it did not find, or deleted one that it had found.
   */
  mayRunAgain(error: unknown): boolean {
    if (this.#isPermanent) return false
    return this.#isOvertaken(error) || (this.#keyChecks === 'byTable' && isRefusal(error))
  }

  #isOvertaken(error: unknown): boolean {
    const isUpsert = this.#operation.roots.some(
      ({ plan }) => plan.kind === 'write' && plan.write.kind === 'upsert',
    )
    if (!isUpsert || !(error instanceof AppError)) return false
    return (
      error.code === 'RECORD_NOT_FOUND' || (error.code === 'VALUE_NOT_UNIQUE' && error.cause !== undefined)
    )
  }

  /** The response after an error. */
  refused(given: unknown): Buffer {
    const { time, view, onFailure, beginsAgain, requestId } = this.#context
    if (beginsAgain && !this.#isPermanent && mayBeOutdated(given)) throw given
    const error = meant(timeoutBehind(given, time), view.responseLimits, beginsAgain)
    if (isFailure(error)) onFailure(error)
    const [only, ...others] = this.#operation.roots
    const plan = (this.#current ?? (others.length === 0 ? only : undefined))?.plan
    const place = this.#failure ?? (plan && { path: [plan.key], locations: plan.locations })
    const told = writeError(error, place, requestId, this.#made.length > 0)
    return Buffer.from(JSON.stringify({ data: null, errors: [told] }))
  }

  #argumentsOf({ plan }: CompiledRoot): Readonly<Record<string, unknown>> {
    if (plan.kind === 'failed') throw plan.error
    return plan.kind === 'write' ? plan.write.readArguments(this.#operation.variables) : {}
  }

  #enclosing(connection: Connection): EnclosingTransaction {
    const made = (change: RefusedChange) => {
      this.#made.push(change)
      this.#isPermanent ||= change.table.isPermanent === true
    }
    return { connection, keyChecks: this.#keyChecks, made, sent: new SentChange() }
  }

  /** Returns what is shown of the written rows. */
  async #write(
    { plan, ...root }: CompiledRoot,
    args: Readonly<Record<string, unknown>>,
    enclosing: EnclosingTransaction,
    held: HeldRows,
    beforeReading: () => void = () => {},
  ): Promise<LoadedLevel> {
    const level = (enclosing.isDeferred && root.levelByAddress) || root.level
    if (plan.kind !== 'write' || level === undefined) return emptyLevel
    const { view, writing, database } = this.#context
    const { variables } = this.#operation
    const { kind } = plan.write
    const entity = this.#entityOf(plan.write, view)
    const isNew = kind === 'create' || kind === 'createAll' || kind === 'upsert'
    const isReadWhole = entity.type.rights === undefined
    const loading = { variables, syntax: database.dialect.syntax, held }
    let loaded = emptyLevel
    const read = async (keys: readonly RowKey[]) => {
      const values = keys.map((key) => key.map(({ value }) => value))
      if (values.length === 0) return
      beforeReading()
      loaded = await loadLevel(enclosing.connection, level, { ...loading, keys: values })
      if (isNew && isReadWhole && loaded.pages.some(({ count }) => count === 0)) throw notKept()
    }
    try {
      await writeRecords({
        kind,
        where: plan.write.where,
        args,
        variables,
        read,
        assertInTime: () => assertInTime(this.#context.time),
        writes: entity.writes,
        allWrites: entity.allWrites,
        type: entity.type,
        model: entity.model,
        writing: { ...writing, parts: { ...writing.parts, enclosing } },
      })
    } finally {
      // Its error explains those of the statements after it.
      await enclosing.sent.settled()
    }
    return loaded
  }

  #entityOf({ entity }: WritePlan, { model }: SchemaView) {
    const { writes: allWrites = new Map() } = this.#operation
    const [writes, type] = [allWrites.get(entity), model.entities.get(entity)]
    invariant(writes !== undefined && type !== undefined, `${entity} is an entity with mutations`)
    return { writes, allWrites, type, model }
  }

  /** All of it, so that nothing is kept that cannot be shown. */
  async #response(loaded: readonly LoadedLevel[]): Promise<Buffer> {
    const { out, time, view } = this.#context
    const limits = { ...view.responseLimits, bytes: Math.min(view.responseLimits.bytes, mostHeldBytes) }
    const pieces: Buffer[] = []
    const to = new ResponseOutput(out, limits, time, async (piece) => {
      pieces.push(piece)
    })
    to.restart()
    to.bytes.write('{"data":{')
    for (const [index, { plan, result }] of this.#operation.roots.entries()) {
      this.#current = this.#operation.roots[index]
      to.bytes.write(`${index === 0 ? '' : ','}"${plan.key}":`)
      const level = loaded[index] ?? emptyLevel
      if (hasMoreRows(level, to.rowsLeft)) throw responseTooLarge('rows', to.mostRows)
      if (plan.kind === 'typeName') to.bytes.write(`"${plan.name}"`)
      else await result?.write(to, level)
      if (to.truncatedBy !== undefined) throw to.truncatedBy
      this.#failure = to.failures[0]
      if (this.#failure !== undefined) throw this.#failure.error
    }
    to.bytes.write('}}')
    pieces.push(to.bytes.take())
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
  }
}

/** Whether a result is one record with nothing but fields of its own. */
function showsFieldsOnly(result: ResultShape): boolean {
  const areFields = ({ members }: ObjectShape): boolean =>
    members.every(({ shape }) =>
      shape.kind === 'nested'
        ? areFields(shape.object)
        : shape.kind === 'column' || shape.kind === 'globalId' || shape.kind === 'typeName',
    )
  return result.kind === 'one' && areFields(result.object)
}

function assertInTime({ isOver }: TimeLimit): void {
  if (isOver) throw responseTimeout()
}

/** The error that the client is told of. Throws those that end the whole request. */
function meant(error: unknown, limits: ResponseLimits, beginsAgain: boolean): unknown {
  if (error instanceof TooManyHeldRows) return responseTooLarge('heldRows', limits.heldRows)
  if (!(error instanceof DatabaseError)) return error
  if (isOutOfReach(error) || (beginsAgain && mayBeginAgain(error))) throw error
  // The schema was read again by then: what is missing is missing in a trigger.
  return error.kind === 'schemaChanged' ? triggerFailed(error) : error
}
