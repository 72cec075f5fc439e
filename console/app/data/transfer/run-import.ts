import { type RecordReading, readRow } from './match-columns.ts'
import {
  namedRows,
  type RefusedRow,
  type SentRow,
  sendAllButRefused,
  sendOnce,
  Unanswered,
} from './send-rows.ts'
import { type RowFault, type SourceForm, sourceRows } from './source-file.ts'

/** What happens if a row is refused: it is left out, its whole batch is, or nothing more is imported. */
export const refusalModes = ['row', 'batch', 'stop'] as const
export type RefusalMode = (typeof refusalModes)[number]

export interface Import {
  /** Names the import: calls that send the same of its rows have the same key, whoever makes them. */
  readonly id: string
  readonly file: Blob
  readonly form: SourceForm
  readonly reading: RecordReading
  /** The path of the published API. */
  readonly path: string
  readonly mode: RefusalMode
  /** Whether everything is only checked. */
  readonly isDryRun: boolean
  /** What is said of a row that cannot be read, or that goes with a refused one. */
  readonly words: {
    readonly fault: (fault: RowFault) => string
    readonly sameBatch: (position: number) => string
  }
  /** Gets the report before each call, as it is if that is never answered. */
  readonly onSend?: (report: ImportReport) => void
}

/** Rows that were sent and not answered: they are there, or not. */
interface UnansweredRows {
  readonly positions: readonly number[]
  /** The position of the last row that is not sent after them. */
  readonly last: number
  /** When they were sent last, in ms: the gateway forgets its calls. */
  readonly sentAt: number
  /** Why there is no answer; undefined if that is not known. */
  readonly error?: unknown
}

/** What has become of the rows of a file, up to `done`. */
export interface ImportReport {
  readonly imported: number
  readonly refused: readonly RefusedRow[]
  /** The position of the last row whose fate is known. */
  readonly done: number
  /** Absent if all rows that were sent were answered. */
  readonly unanswered?: UnansweredRows
  /** Whether a refusal ended it. */
  readonly isStopped?: true
}

/** How many rows have met which fate. */
export interface ImportProgress {
  readonly imported: number
  readonly refused: number
  readonly done: number
  /** Whether the gateway has not answered, and is asked again. */
  readonly isWaiting: boolean
}

export const nothingImported: ImportReport = { imported: 0, refused: [], done: 0 }

const batchRows = 500
const batchLength = 500_000

/** Imports the rows of a file in batches, each of which is all or nothing; goes on after `before`. */
export async function runImport(
  plan: Import,
  before: ImportReport,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportReport> {
  const { id, isDryRun, mode } = plan
  let imported = before.imported
  // A row may be seen again when an import goes on.
  const refused = new Map(before.refused.map((row) => [row.position, row]))
  const refuse = (rows: readonly RefusedRow[]) => {
    for (const row of rows) refused.set(row.position, row)
  }
  let done = before.done
  const report = (): ImportReport => ({
    imported,
    refused: [...refused.values()].toSorted((a, b) => a.position - b.position),
    done,
  })
  const tellProgress = (isWaiting: boolean) =>
    onProgress({ imported, refused: refused.size, done, isWaiting })
  const unansweredOf = (rows: readonly SentRow[], error?: unknown): ImportReport => {
    const positions = rows.map(({ position }) => position)
    const last = Math.max(done, ...positions)
    return { ...report(), unanswered: { positions, last, sentAt: Date.now(), error } }
  }

  const path = isDryRun ? `${plan.path}?dry_run=true` : plan.path
  const call = (rows: readonly SentRow[], isResent: boolean) => {
    const sending = { path, signal, isResent, onWait: () => tellProgress(true) }
    if (isDryRun) return sendOnce(rows, sending)
    plan.onSend?.(unansweredOf(rows))
    return sendOnce(rows, { ...sending, key: keyOf(id, rows) })
  }
  const sendRest = (rows: readonly SentRow[], isResent: boolean) =>
    sendAllButRefused(
      rows,
      {
        signal,
        send: call,
        onTaken: (count) => {
          imported += count
        },
        onRefused: refuse,
        onSettled: (position) => {
          done = position
        },
      },
      isResent,
    )
  /** Whether the next batch may follow. */
  async function send({ rows, last }: Batch, isResent = false): Promise<boolean> {
    if (mode === 'row') await sendRest(rows, isResent)
    else if (rows.length > 0) {
      const sent = await call(rows, isResent)
      if (sent.kind === 'taken') imported += rows.length
      else {
        const named = namedRows(rows, sent.refusal)
        refuse(withTheirBatch(rows, named, sent.refusal.message, plan))
        if (mode === 'stop') {
          done = last
          return false
        }
      }
    }
    done = last
    tellProgress(false)
    return true
  }

  try {
    if (before.unanswered !== undefined) {
      const { positions, last } = before.unanswered
      const rows = await rowsAt(plan, positions, signal)
      if (!(await send({ rows, last }, true))) return { ...report(), isStopped: true }
    }
    for await (const batch of batchesOf(plan, done, refuse, signal)) {
      signal.throwIfAborted()
      if (!(await send(batch))) return { ...report(), isStopped: true }
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw new ImportEnded(report(), error)
    return unansweredOf(error.rows, error.cause)
  }
  return report()
}

/**
 * The key of the call that sends some rows. Rows between the same two are sent again in the same number only if the call
 * before was refused, or not answered: the gateway carries out one of both.
 */
function keyOf(id: string, rows: readonly SentRow[]): string {
  return `${id}.${rows[0]?.position}.${rows.at(-1)?.position}.${rows.length}`
}

/** Rows of a file that were sent before, as they were. */
async function rowsAt(
  { file, form, reading }: Import,
  positions: readonly number[],
  signal: AbortSignal,
): Promise<readonly SentRow[]> {
  const wanted = new Set(positions)
  const found: SentRow[] = []
  for await (const piece of sourceRows(file, form, signal)) {
    for (const row of piece) {
      const read = wanted.has(row.position) ? readRow(row, reading) : undefined
      if (read?.record !== undefined) found.push(read)
    }
    if (found.length === wanted.size) break
  }
  return found
}

/** An import that was cancelled or failed, with what had become of the rows by then. */
export class ImportEnded extends Error {
  readonly report: ImportReport

  constructor(report: ImportReport, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.report = report
  }
}

interface Batch {
  readonly rows: readonly SentRow[]
  /** The position of the last row that it is about. */
  readonly last: number
}

/** The rows after a position that can be read, in batches. The others are refused. */
async function* batchesOf(
  { file, form, reading, words }: Import,
  after: number,
  refuse: (rows: readonly RefusedRow[]) => void,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  let rows: SentRow[] = []
  let length = 0
  let last = after
  for await (const piece of sourceRows(file, form, signal)) {
    for (const row of piece) {
      if (row.position <= after) continue
      last = row.position
      const sent = readRow(row, reading)
      if (sent.fault !== undefined) {
        refuse([{ position: row.position, reasons: [words.fault(sent.fault)] }])
        continue
      }
      rows.push(sent)
      length += lengthOf(sent)
      if (rows.length < batchRows && length < batchLength) continue
      yield { rows, last }
      rows = []
      length = 0
    }
  }
  if (last > after) yield { rows, last }
}

function lengthOf({ record }: SentRow): number {
  return JSON.stringify(record).length
}

/** All rows of a refused batch: those that the gateway names, and those that were not kept because of them. */
function withTheirBatch(
  rows: readonly SentRow[],
  named: readonly RefusedRow[],
  message: string,
  { words }: Import,
): readonly RefusedRow[] {
  const reasons = new Map(named.map(({ position, reasons: own }) => [position, own]))
  const first = named[0]?.position
  const others = first === undefined ? message : words.sameBatch(first)
  return rows.map(({ position }) => ({ position, reasons: reasons.get(position) ?? [others] }))
}
