/**
 * Batching: quick reads of many callers share connections and transactions.
 *
 * Promise: every read gets the rows that it would get on its own connection, in the state of the data that `Driver.read` promises,
 * or the error that it would get there. A slow read holds up others for 50 ms at most. What is not known to be quick, long lists
 * and the gateway's own records never pass through here. For changes see `group-commit.ts`.
 * Gain: less processor time for each read, in the gateway and in the database; `npm run bench -- --plain` measures it.
 * Off: `db_fast_reads: false`. `GATEHOUSE_DB_FAST_READS=false npm test` runs all tests so.
 * The rest of the program knows this folder by `SharedReads`, `SharedConnection` and `GroupCommit` alone.
 */
import type { CancellationToken } from '../../util/cancellation-token.ts'
import type { Admission } from '../admission.ts'
import type { Connection, ReadOptions } from '../driver.ts'
import { QuickReads } from './quick-reads.ts'
import { QuickStatements } from './quick-statements.ts'
import type { SharedConnection } from './shared-connection.ts'
import { SharedConnections } from './shared-connections.ts'
import { type ReadDirectly, SharedReading, type SharedReadingOptions } from './shared-reading.ts'
import { SharedTransactions } from './shared-transactions.ts'

/** A statement that is answered in less time, with fewer bytes, does not delay the statements that run after it. */
const quickStatement = { milliseconds: 4, bytes: 65_536 }

/** How many connections are shared by statements, and how many by reads of several statements. */
export interface SharedPlaces {
  readonly statements: number
  readonly transactions: number
}

export interface SharedReadsOptions {
  readonly admission: Admission
  readonly places: SharedPlaces
  readonly open: () => Promise<SharedConnection>
  readonly readDirectly?: ReadDirectly
}

/** Runs work on its own connection, for a caller that waits for it. */
export type ReadAlone = <Result>(
  work: (connection: Connection) => Promise<Result>,
  cancellation: CancellationToken | undefined,
) => Promise<Result>

/** Lets reads of many callers that are known to be quick share connections, and all others have one of their own. */
export class SharedReads {
  readonly #admission: Admission
  readonly #quickReads = new QuickReads()
  /** Absent where there are too few connections to share some. */
  readonly #statements: SharedReadingOptions | undefined
  readonly #transactions: SharedTransactions | undefined

  constructor({ admission, places, open, readDirectly }: SharedReadsOptions) {
    this.#admission = admission
    if (places.statements > 0) {
      const quick = new QuickStatements(quickStatement)
      const connections = new SharedConnections({ connections: places.statements, open, quick })
      this.#statements = { connections, quick, readDirectly }
    }
    if (places.transactions > 0)
      this.#transactions = new SharedTransactions({
        connections: places.transactions,
        open,
        onTrouble: (batchKey) => this.#quickReads.wasTrouble(batchKey),
      })
  }

  /** `readAlone` runs work on its own connection. */
  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    { workload = 'queries', cancellation, isolation = 'snapshot', batchKey }: ReadOptions,
    readAlone: ReadAlone,
  ): Promise<Result> {
    const [statements, transactions] = [this.#statements, this.#transactions]
    const isSingle = isolation === 'statement'
    if (isSingle && workload === 'queries' && statements !== undefined) {
      const alone = <Own>(own: (connection: Connection) => Promise<Own>): Promise<Own> =>
        this.#admission.runInside(workload, cancellation, (held) => readAlone(own, held))
      return this.#admission.pass(() => work(new SharedReading(statements, alone)))
    }
    if (isSingle || batchKey === undefined || workload !== 'queries' || transactions === undefined)
      return this.#admission.run(workload, cancellation, (held) => readAlone(work, held))
    if (this.#quickReads.isQuick(batchKey))
      return this.#admission.pass(() => transactions.read(work, batchKey))
    return this.#admission.run(workload, cancellation, (held) =>
      readAlone((connection) => this.#quickReads.watch(batchKey, connection, work), held),
    )
  }

  close(): void {
    this.#statements?.connections.close()
    this.#transactions?.close()
  }
}
