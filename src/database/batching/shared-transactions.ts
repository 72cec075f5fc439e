import { DatabaseError } from '../database-error.ts'
import type { Connection, Row, SelectOptions, Statement } from '../driver.ts'
import { listOf, type RowSet } from '../row-set.ts'
import { HeadOfLineTimeout } from './head-of-line-timeout.ts'
import { type SharedConnection, timeoutMs } from './shared-connection.ts'

/** How many reads share a transaction at most. */
const mostMembers = 64

export interface SharedTransactionsOptions {
  /** How many transactions run at the same time at most, each on a connection of its own. */
  readonly connections: number
  readonly open: () => Promise<SharedConnection>
  /** Told of a read that failed or kept others waiting. */
  readonly onTrouble: (kind: object) => void
}

/**
 * Transactions that many reads share. A read that comes while all of them run waits for the next one, together with all
 * others that come meanwhile: so it sees everything that was there when it came, and begins, statements and ends of many
 * are few messages to the server. Only for reads that are known to be quick. Where one fails, or keeps the others waiting for
 * 50 ms, all that are in the transaction are run again, each by itself.
 */
export class SharedTransactions {
  readonly #options: SharedTransactionsOptions
  readonly #lanes = new Set<Lane>()
  readonly #waiting: Waiting[] = []
  #opening = false
  #closed = false

  constructor(options: SharedTransactionsOptions) {
    this.#options = options
  }

  /**
   * Runs `work` in a shared transaction; where that is not possible, or comes to nothing, `alone` runs, which does the
   * same work on a connection of its own. `kind` is told to `onTrouble`.
   */
  async read<Result>(
    work: (connection: Connection) => Promise<Result>,
    kind: object,
    alone: () => Promise<Result>,
  ): Promise<Result> {
    const member = this.#begin(kind) ?? (await this.#next(kind))
    if (member === undefined) return alone()
    try {
      const result = await work(member)
      if (!member.isReleased) return result
    } catch (error) {
      if (!member.isReleased) throw error
    } finally {
      member.leave()
    }
    return alone()
  }

  close(): void {
    this.#closed = true
    for (const lane of this.#lanes) lane.close()
    this.#lanes.clear()
  }

  /** In a transaction that begins now. */
  #begin(kind: object): BatchMember | undefined {
    for (const lane of this.#lanes) if (lane.isFree) return lane.begin(kind)
    return undefined
  }

  /** In the next transaction; undefined where none comes. */
  #next(kind: object): Promise<BatchMember | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ kind, enter: resolve })
      if (this.#lanes.size < this.#options.connections) this.#open()
    })
  }

  #open(): void {
    if (this.#opening) return
    this.#opening = true
    this.#options.open().then(
      (connection) => {
        this.#opening = false
        if (this.#closed) {
          connection.release()
          return this.#sendAway()
        }
        const lane = new Lane(connection, this.#waiting, {
          onTrouble: this.#options.onTrouble,
          onEnd: () => this.#ended(lane),
        })
        this.#lanes.add(lane)
        lane.beginNext()
      },
      // Callers find out by themselves that the server is out of reach.
      () => {
        this.#opening = false
        this.#sendAway()
      },
    )
  }

  #ended(lane: Lane): void {
    this.#lanes.delete(lane)
    this.#sendAway()
  }

  /** Where no transaction comes, nobody waits for one. */
  #sendAway(): void {
    if (this.#lanes.size > 0 || this.#opening) return
    for (const { enter } of this.#waiting.splice(0)) enter(undefined)
  }
}

/** A read that waits for the next transaction; undefined where none comes. */
interface Waiting {
  readonly kind: object
  readonly enter: (member: BatchMember | undefined) => void
}

interface LaneOwner {
  readonly onTrouble: (kind: object) => void
  /** The lane is of no more use. */
  readonly onEnd: () => void
}

/** A connection with the transactions on it, one after the other. */
class Lane {
  readonly #connection: SharedConnection
  readonly #waiting: Waiting[]
  readonly #owner: LaneOwner
  #current: Transaction | undefined

  constructor(connection: SharedConnection, waiting: Waiting[], owner: LaneOwner) {
    this.#connection = connection
    this.#waiting = waiting
    this.#owner = owner
  }

  get isFree(): boolean {
    return this.#current === undefined
  }

  /** A transaction that begins now, for one read. */
  begin(kind: object): BatchMember {
    return this.#transaction().join(kind)
  }

  /** A transaction for all who wait, where there are such. */
  beginNext(): void {
    const all = this.#waiting.splice(0, mostMembers)
    if (all.length === 0) return
    const transaction = this.#transaction()
    const members = all.map(({ kind }) => transaction.join(kind))
    for (const [index, { enter }] of all.entries()) enter(members[index])
  }

  close(): void {
    this.#connection.release()
  }

  #transaction(): Transaction {
    this.#connection.frame('begin')
    const transaction = new Transaction(this.#connection, this.#owner.onTrouble, (how) => this.#over(how))
    this.#current = transaction
    return transaction
  }

  #over(how: 'commit' | 'rollback'): void {
    this.#current = undefined
    if (this.#connection.usable) {
      this.#connection.frame(how)
      this.beginNext()
    } else {
      this.#owner.onEnd()
      this.close()
    }
  }
}

/** A statement that is not answered yet. */
interface Asked {
  readonly member: BatchMember
  readonly fail: (error: unknown) => void
}

/** One transaction with the reads in it. */
class Transaction {
  readonly #connection: SharedConnection
  readonly #onTrouble: (kind: object) => void
  readonly #onOver: (how: 'commit' | 'rollback') => void
  /** In the order in which they are answered. */
  readonly #asked: Asked[] = []
  readonly #watch = new HeadOfLineTimeout(timeoutMs, () => this.#late())
  #members = 0
  #isOver = false

  constructor(
    connection: SharedConnection,
    onTrouble: (kind: object) => void,
    onOver: (how: 'commit' | 'rollback') => void,
  ) {
    this.#connection = connection
    this.#onTrouble = onTrouble
    this.#onOver = onOver
  }

  join(kind: object): BatchMember {
    this.#members += 1
    return new BatchMember(this, kind)
  }

  leave(): void {
    this.#members -= 1
    if (this.#members > 0 || this.#isOver) return
    this.#isOver = true
    this.#watch.stop()
    this.#onOver('commit')
  }

  /** What a member asks for is not to be had here, and others of its kind would ask for it, too. */
  refuse(member: BatchMember): DatabaseError {
    this.#onTrouble(member.kind)
    return member.giveBack()
  }

  select(
    member: BatchMember,
    { sql, parameters }: Statement,
    options: SelectOptions | undefined,
  ): Promise<RowSet> {
    if (this.#isOver) return Promise.reject(member.giveBack())
    return new Promise((resolve, reject) => {
      this.#asked.push({ member, fail: reject })
      this.#watch.joined()
      this.#connection.selectUnwatched(sql, parameters, options).then(
        (rows) => {
          if (this.#isOver) return
          this.#asked.shift()
          this.#watch.served()
          resolve(rows)
        },
        () => {
          // Nobody is to blame for a connection that is lost.
          if (!this.#isOver) this.#dissolve(this.#connection.usable ? member.kind : undefined)
        },
      )
    })
  }

  /** Ends the statement that keeps the others waiting, and the connection with it. */
  #late(): void {
    const [first] = this.#asked
    this.#connection.abandon()
    this.#dissolve(first?.member.kind)
  }

  /** All that are in it are to run again. */
  #dissolve(kind: object | undefined): void {
    this.#isOver = true
    this.#watch.stop()
    if (kind !== undefined) this.#onTrouble(kind)
    for (const { member, fail } of this.#asked.splice(0)) fail(member.giveBack())
    this.#onOver('rollback')
  }
}

/** One read in a transaction. */
class BatchMember implements Connection {
  readonly kind: object
  readonly #transaction: Transaction
  #isReleased = false

  constructor(transaction: Transaction, kind: object) {
    this.#transaction = transaction
    this.kind = kind
  }

  /** Whether what it has read is of no use. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  leave(): void {
    this.#transaction.leave()
  }

  /** From now on what it has read is of no use. */
  giveBack(): DatabaseError {
    this.#isReleased = true
    return new DatabaseError('givenBack', 'What was read is of no use: it is read again.')
  }

  async query(statement: Statement): Promise<readonly Row[]> {
    return listOf(await this.select(statement))
  }

  select(statement: Statement, options?: SelectOptions): Promise<RowSet> {
    return this.#transaction.select(this, statement, options)
  }

  // biome-ignore lint/correctness/useYield: there is nothing to give.
  async *stream(): AsyncIterable<RowSet> {
    throw this.#transaction.refuse(this)
  }

  async execute(): Promise<number> {
    throw this.#transaction.refuse(this)
  }
}
