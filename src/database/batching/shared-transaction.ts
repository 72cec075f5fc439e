import { DatabaseError } from '../database-error.ts'
import type { SelectOptions, Statement } from '../driver.ts'
import { listOf, type RowSet } from '../row-set.ts'
import type { ReadConnection } from '../run-again.ts'
import type { Row } from '../sql-value.ts'
import { HeadOfLineTimeout } from './head-of-line-timeout.ts'
import { type SharedConnection, timeoutMs } from './shared-connection.ts'

/** A statement without a response. */
interface PendingStatement {
  readonly member: BatchMember
  readonly fail: (error: unknown) => void
}

/** One transaction with the reads in it. */
export class SharedTransaction {
  readonly #connection: SharedConnection
  readonly #onTrouble: (batchKey: object) => void
  readonly #onEnd: (end: 'commit' | 'rollback') => void
  /** In the order of their responses. */
  readonly #pending: PendingStatement[] = []
  readonly #timeout = new HeadOfLineTimeout(timeoutMs, () => this.#late())
  #members = 0
  #hasEnded = false

  /** `onTrouble` is called with the key of a read that failed or kept others waiting. */
  constructor(
    connection: SharedConnection,
    onTrouble: (batchKey: object) => void,
    onEnd: (end: 'commit' | 'rollback') => void,
  ) {
    this.#connection = connection
    this.#onTrouble = onTrouble
    this.#onEnd = onEnd
  }

  join(batchKey: object): BatchMember {
    this.#members += 1
    return new BatchMember(this, batchKey)
  }

  leave(): void {
    this.#members -= 1
    if (this.#members > 0 || this.#hasEnded) return
    this.#hasEnded = true
    this.#timeout.stop()
    this.#onEnd('commit')
  }

  /** A member asks for what a shared transaction does not do, and other reads with its key would as well. */
  refuse(member: BatchMember): DatabaseError {
    this.#onTrouble(member.batchKey)
    return member.dissolve()
  }

  select(
    member: BatchMember,
    { sql, parameters }: Statement,
    options: SelectOptions | undefined,
  ): Promise<RowSet> {
    if (this.#hasEnded) return Promise.reject(member.dissolve())
    return new Promise((resolve, reject) => {
      this.#pending.push({ member, fail: reject })
      this.#timeout.joined()
      this.#connection.selectUnwatched(sql, parameters, options).then(
        (rows) => {
          if (this.#hasEnded) return
          this.#pending.shift()
          this.#timeout.served()
          resolve(rows)
        },
        () => {
          // A lost connection is not the fault of a read.
          if (!this.#hasEnded) this.#dissolve(this.#connection.usable ? member.batchKey : undefined)
        },
      )
    })
  }

  /** Ends the statement that keeps the others waiting, and the connection with it. */
  #late(): void {
    const [first] = this.#pending
    this.#connection.abandon()
    this.#dissolve(first?.member.batchKey)
  }

  #dissolve(batchKey: object | undefined): void {
    this.#hasEnded = true
    this.#timeout.stop()
    if (batchKey !== undefined) this.#onTrouble(batchKey)
    for (const { member, fail } of this.#pending.splice(0)) fail(member.dissolve())
    this.#onEnd('rollback')
  }
}

/** One read in a shared transaction. */
export class BatchMember implements ReadConnection {
  readonly batchKey: object
  readonly #transaction: SharedTransaction
  #dissolved: DatabaseError | undefined

  constructor(transaction: SharedTransaction, batchKey: object) {
    this.#transaction = transaction
    this.batchKey = batchKey
  }

  get toRunAgain(): DatabaseError | undefined {
    return this.#dissolved
  }

  leave(): void {
    this.#transaction.leave()
  }

  /** The read is to run again without the transaction. */
  dissolve(): DatabaseError {
    this.#dissolved = dissolved()
    return this.#dissolved
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select(statement: Statement, options?: SelectOptions): Promise<RowSet> {
    return this.#transaction.select(this, statement, options)
  }

  async execute(): Promise<number> {
    throw this.#transaction.refuse(this)
  }
}

/** The read did not get its result from a shared transaction. */
export function dissolved(): DatabaseError {
  return new DatabaseError('batchDissolved', 'The shared transaction was dissolved: the read runs again.')
}
