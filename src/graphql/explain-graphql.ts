/** Requests that also tell how the database has worked for them: in `extensions.explain` of the response. */
import type { Database, Dialect } from '../database/dialect.ts'
import type { Connection, Driver, Statement } from '../database/driver.ts'
import {
  type StatementListener,
  TimedConnection,
  TimedStreamingConnection,
  timedAtOnce,
} from '../database/timed-connection.ts'
import { type ExecutionOptions, executeGraphql, type GraphqlResponse } from './execute-graphql.ts'
import type { GraphqlRequest } from './graphql-request.ts'
import type { SchemaView } from './schema-view.ts'

/** A statement of a request. */
interface ExplainedStatement {
  /** Its text with placeholders, without their values. */
  readonly sql: string
  /** How many rows it gave or changed; null if it failed. */
  readonly rows: number | null
  /** From sending it to its last row; null if it failed. A list that is read in pieces includes the time of its reader. */
  readonly milliseconds: number | null
  /** How the database would run it now; null where that is not known. */
  readonly plan: readonly string[] | null
}

interface Explanation {
  /** Of the whole request, without finding the plans. */
  readonly milliseconds: number
  /** In the order in which they ended. */
  readonly statements: readonly ExplainedStatement[]
}

/** So many statements of a request get a plan. */
const mostPlans = 100

/** Executes a request as `executeGraphql` does, and adds `extensions.explain`. Its reads share nothing with others. */
export async function explainGraphql(
  request: GraphqlRequest,
  view: SchemaView,
  database: Database,
  options: ExecutionOptions,
): Promise<GraphqlResponse> {
  const start = performance.now()
  const ran: RanStatement[] = []
  const response = await executeGraphql(request, view, recorded(database, ran), options)
  const rest = async (): Promise<Buffer> => {
    const milliseconds = rounded(performance.now() - start)
    const explanation: Explanation = { milliseconds, statements: await explained(ran, database, options) }
    return Buffer.from(`,"extensions":{"explain":${JSON.stringify(explanation)}}}`)
  }
  switch (response.kind) {
    case 'refused':
      return response
    case 'whole':
      return { kind: 'whole', whole: Buffer.concat([withoutEnd(response.whole), await rest()]) }
    case 'pieces':
      return { kind: 'pieces', pieces: continued(response.pieces, rest) }
  }
}

/** The response is an object, whose last byte closes it. */
function withoutEnd(bytes: Buffer): Buffer {
  return bytes.subarray(0, -1)
}

async function* continued(
  pieces: AsyncIterable<Buffer>,
  rest: () => Promise<Buffer>,
): AsyncGenerator<Buffer, void, void> {
  let last: Buffer | undefined
  for await (const piece of pieces) {
    if (last !== undefined) yield last
    last = piece
  }
  if (last !== undefined) yield withoutEnd(last)
  yield await rest()
}

interface RanStatement {
  /** Whether it was part of a transaction that may change and lock rows. */
  readonly mayChange: boolean
  readonly statement: Statement
  readonly rows: number | null
  readonly milliseconds: number | null
}

/** The same database, with the statements that were run on it. */
function recorded({ driver, ...database }: Database, ran: RanStatement[]): Database {
  const listenerOf = (mayChange: boolean): StatementListener => ({
    hasRun: (statement, rows, milliseconds) => ran.push({ mayChange, statement, rows, milliseconds }),
    hasFailed: (statement) => ran.push({ mayChange, statement, rows: null, milliseconds: null }),
  })
  const [ofReads, ofChanges] = [listenerOf(false), listenerOf(true)]
  const recording: Driver = {
    transactAtOnce: timedAtOnce(driver, ofChanges),
    usage: () => driver.usage(),
    close: () => driver.close(),
    read: (work, options) =>
      driver.read((connection) => work(new TimedConnection(connection, ofReads)), {
        ...options,
        batchKey: undefined,
      }),
    stream: (work, options) =>
      driver.stream((connection) => work(new TimedStreamingConnection(connection, ofReads)), options),
    transaction: (work, options) =>
      driver.transaction((connection) => work(new TimedConnection(connection, ofChanges)), options),
  }
  return { ...database, driver: recording }
}

async function explained(
  ran: readonly RanStatement[],
  { dialect, driver }: Database,
  { cancellation }: ExecutionOptions,
): Promise<readonly ExplainedStatement[]> {
  const statements: ExplainedStatement[] = []
  for (const [index, { mayChange, statement, rows, milliseconds }] of ran.entries()) {
    const ask = (connection: Connection) => planOf(statement, connection, dialect)
    const asked = () =>
      mayChange && dialect.explainsChangesInTransactions
        ? driver.transaction(ask, { cancellation })
        : driver.read(ask, { cancellation })
    const plan = index < mostPlans ? await asked().catch(() => null) : null
    const time = milliseconds === null ? null : rounded(milliseconds)
    statements.push({ sql: statement.sql, rows, milliseconds: time, plan })
  }
  return statements
}

/** Null if the database cannot say. */
function planOf(
  statement: Statement,
  connection: Connection,
  dialect: Dialect,
): Promise<readonly string[] | null> {
  return dialect.explainPlan(connection, { ...statement, mayFail: true }).catch(() => null)
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
