import type { Connection } from '../driver.ts'
import { readOn } from '../run-again.ts'
import type { SharedConnection } from './shared-connection.ts'
import { type BatchMember, dissolved, SharedTransaction } from './shared-transaction.ts'

/** How many reads share a transaction at most. */
const mostMembers = 64

export interface SharedTransactionsOptions {
  /** How many transactions run at the same time at most, each on its own connection. */
  readonly connections: number
  readonly open: () => Promise<SharedConnection>
  /** Called for a read that failed or kept others waiting. */
  readonly onTrouble: (batchKey: object) => void
}

/**
 * Transactions that many reads share. A read that comes while all of them run waits for the next one, together with all
 * others that come meanwhile: so it sees everything that was there when it came, and begins, statements and ends of many
 * are few messages to the server. Only for reads that are known to be quick. Where one fails, or keeps the others waiting for
 * 50 ms, the transaction is dissolved, and each of its reads runs again on its own.
 */
export class SharedTransactions {
  readonly #options: SharedTransactionsOptions
  readonly #connections = new Set<BatchConnection>()
  readonly #queue: QueuedRead[] = []
  #opening = false
  #closed = false

  constructor(options: SharedTransactionsOptions) {
    this.#options = options
  }

  /**
   * Runs `work` in a shared transaction. Throws `batchDissolved` where that is not possible, or the transaction was dissolved.
   * `batchKey` is passed to `onTrouble`.
   */
  async read<Result>(work: (connection: Connection) => Promise<Result>, batchKey: object): Promise<Result> {
    const member = this.#begin(batchKey) ?? (await this.#next(batchKey))
    if (member === undefined) throw dissolved()
    try {
      return await readOn(member, work)
    } finally {
      member.leave()
    }
  }

  close(): void {
    this.#closed = true
    for (const connection of this.#connections) connection.close()
    this.#connections.clear()
  }

  /** In a transaction that begins now. */
  #begin(batchKey: object): BatchMember | undefined {
    for (const connection of this.#connections) if (connection.isFree) return connection.begin(batchKey)
    return undefined
  }

  /** In the next transaction; undefined where there will be none. */
  #next(batchKey: object): Promise<BatchMember | undefined> {
    return new Promise((resolve) => {
      this.#queue.push({ batchKey, enter: resolve })
      if (this.#connections.size < this.#options.connections) this.#open()
    })
  }

  #open(): void {
    if (this.#opening) return
    this.#opening = true
    this.#options.open().then(
      (shared) => {
        this.#opening = false
        if (this.#closed) {
          shared.release()
          return this.#emptyQueue()
        }
        const connection = new BatchConnection(shared, this.#queue, {
          onTrouble: this.#options.onTrouble,
          onEnd: () => this.#ended(connection),
        })
        this.#connections.add(connection)
        connection.beginNext()
      },
      // Callers find out by themselves that the server is out of reach.
      () => {
        this.#opening = false
        this.#emptyQueue()
      },
    )
  }

  #ended(connection: BatchConnection): void {
    this.#connections.delete(connection)
    this.#emptyQueue()
  }

  /** No read waits where there will be no transaction. */
  #emptyQueue(): void {
    if (this.#connections.size > 0 || this.#opening) return
    for (const { enter } of this.#queue.splice(0)) enter(undefined)
  }
}

/** A read that waits for the next transaction; it enters with undefined where there will be none. */
interface QueuedRead {
  readonly batchKey: object
  readonly enter: (member: BatchMember | undefined) => void
}

interface BatchConnectionOwner {
  readonly onTrouble: (batchKey: object) => void
  /** The connection has ended. */
  readonly onEnd: () => void
}

/** A connection with the transactions on it, one after the other. */
class BatchConnection {
  readonly #connection: SharedConnection
  readonly #queue: QueuedRead[]
  readonly #owner: BatchConnectionOwner
  #current: SharedTransaction | undefined

  constructor(connection: SharedConnection, queue: QueuedRead[], owner: BatchConnectionOwner) {
    this.#connection = connection
    this.#queue = queue
    this.#owner = owner
  }

  get isFree(): boolean {
    return this.#current === undefined
  }

  /** A transaction that begins now, for one read. */
  begin(batchKey: object): BatchMember {
    return this.#transaction().join(batchKey)
  }

  /** A transaction for all reads in the queue, where there are any. */
  beginNext(): void {
    const all = this.#queue.splice(0, mostMembers)
    if (all.length === 0) return
    const transaction = this.#transaction()
    const members = all.map(({ batchKey }) => transaction.join(batchKey))
    for (const [index, { enter }] of all.entries()) enter(members[index])
  }

  close(): void {
    this.#connection.release()
  }

  #transaction(): SharedTransaction {
    this.#connection.frame('begin')
    const transaction = new SharedTransaction(this.#connection, this.#owner.onTrouble, (end) =>
      this.#ended(end),
    )
    this.#current = transaction
    return transaction
  }

  #ended(end: 'commit' | 'rollback'): void {
    this.#current = undefined
    if (this.#connection.usable) {
      this.#connection.frame(end)
      this.beginNext()
    } else {
      this.#owner.onEnd()
      this.close()
    }
  }
}
