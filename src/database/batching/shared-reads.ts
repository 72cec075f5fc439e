import type { CancellationToken } from '../../util/cancellation-token.ts'
import type { Admission } from '../admission.ts'
import type { Connection, ReadOptions } from '../driver.ts'
import { QuickReads } from './quick-reads.ts'
import { QuickStatements } from './quick-statements.ts'
import type { SharedConnection } from './shared-connection.ts'
import { SharedConnections } from './shared-connections.ts'
import { type ReadDirectly, SharedReading, type SharedReadingOptions } from './shared-reading.ts'
import { SharedTransactions } from './shared-transactions.ts'

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

/** Runs work on a connection of its own, for somebody who waits for it. */
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
      const quick = new QuickStatements()
      const connections = new SharedConnections({ connections: places.statements, open, quick })
      this.#statements = { connections, quick, readDirectly }
    }
    if (places.transactions > 0)
      this.#transactions = new SharedTransactions({
        connections: places.transactions,
        open,
        onTrouble: (kind) => this.#quickReads.wasTrouble(kind),
      })
  }

  /** `readAlone` runs work on a connection of its own. */
  read<Result>(
    work: (connection: Connection) => Promise<Result>,
    { lane = 'queries', cancellation, single = false, kind }: ReadOptions,
    readAlone: ReadAlone,
  ): Promise<Result> {
    const [statements, transactions] = [this.#statements, this.#transactions]
    const alone = <Own>(own: (connection: Connection) => Promise<Own>): Promise<Own> =>
      this.#admission.runInside(lane, cancellation, (held) => readAlone(own, held))
    if (single && lane === 'queries' && statements !== undefined)
      return this.#admission.pass(() => work(new SharedReading(statements, alone)))
    if (single || kind === undefined || lane !== 'queries' || transactions === undefined)
      return this.#admission.run(lane, cancellation, (held) => readAlone(work, held))
    if (this.#quickReads.isQuick(kind))
      return this.#admission.pass(() => transactions.read(work, kind, () => alone(work)))
    return this.#admission.run(lane, cancellation, (held) =>
      readAlone((connection) => this.#quickReads.watch(kind, connection, work), held),
    )
  }

  close(): void {
    this.#statements?.connections.close()
    this.#transactions?.close()
  }
}
