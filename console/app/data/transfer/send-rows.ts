/** Sends rows to a published API, and finds those that it refuses. */
import { Refusal } from '../../../../browser/refusal.ts'
import { callWithJson } from '../../api/gateway.ts'
import { isInProgress, patiently, pause } from './patiently.ts'

/** A row as it is sent. */
export interface SentRow {
  readonly position: number
  readonly record: Readonly<Record<string, unknown>>
}

/** Why a row was not taken. */
export interface RefusedRow {
  readonly position: number
  /** The words of the gateway, or those of the console for what it could not read. */
  readonly reasons: readonly string[]
}

/** Rows that were sent and not answered: they are there, or not. */
export class Unanswered extends Error {
  readonly rows: readonly SentRow[]

  constructor(rows: readonly SentRow[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.rows = rows
  }
}

/** What became of the rows of a call. */
export type Sent = { readonly kind: 'taken' } | { readonly kind: 'refused'; readonly refusal: Refusal }

/** How the rows of a call are sent. */
export interface Sending {
  /** The path of the published API; with `?dry_run=true` nothing is kept. */
  readonly path: string
  /** The same for each attempt to send the same rows; a check needs none. */
  readonly key?: string
  /** Whether they were sent before, and not answered. */
  readonly isResent?: boolean
  readonly signal: AbortSignal
  /** Called before each wait for the gateway. */
  readonly onWait?: () => void
}

/**
 * Sends rows in one call, of which all are taken or none. A call without an answer is sent again with its key, so that it is
 * carried out once. Throws `Unanswered`, and a `Refusal` that is not about the rows if none of them can be there.
 */
export async function sendOnce(
  rows: readonly SentRow[],
  { path, key, isResent = false, signal, onWait = () => {} }: Sending,
): Promise<Sent> {
  const records = rows.map(({ record }) => record)
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  let isMaybeThere = isResent
  for (let tries = 1; ; tries++) {
    try {
      await patiently(() => callWithJson('POST', path, records, headers), signal, onWait)
      return { kind: 'taken' }
    } catch (error) {
      if (isAboutRows(error)) return { kind: 'refused', refusal: error }
      const isLost = isUnanswered(error) && error !== signal.reason
      isMaybeThere ||= isLost
      if (!isMaybeThere) throw error
      const isLast = signal.aborted || !isLost || isInProgress(error) || tries === mostTries
      if (isLast) throw new Unanswered(rows, error)
      onWait()
      await pause(500 * 2 ** tries, signal).catch(() => {})
    }
  }
}

const mostTries = 4

function isAboutRows(error: unknown): error is Refusal {
  if (!(error instanceof Refusal) || error.problem.code?.startsWith('IDEMPOTENCY_')) return false
  return [409, 413, 422].includes(error.status)
}

/** Whether the rows may be there all the same. An answer may also be lost while it is read, which is no refusal. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof Refusal)) return true
  const { status } = error
  return status === 0 || status >= 500 || isInProgress(error)
}

/** The rows that a refusal names, with its words; empty if it names none. */
export function namedRows(rows: readonly SentRow[], { problem }: Refusal): readonly RefusedRow[] {
  const reasons = new Map<number, string[]>()
  for (const { pointer, detail } of problem.errors ?? []) {
    const [, index, field] = /^\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? []
    const position = index === undefined ? undefined : rows[Number(index)]?.position
    if (position === undefined) continue
    const name = field?.replaceAll('~1', '/').replaceAll('~0', '~')
    const reason = name === undefined ? detail : `${name}: ${detail}`
    reasons.set(position, [...(reasons.get(position) ?? []), reason])
  }
  return [...reasons].map(([position, all]) => ({ position, reasons: all }))
}

export interface SendingRows {
  readonly signal: AbortSignal
  /** Makes one call. */
  readonly send: (rows: readonly SentRow[], isResent: boolean) => Promise<Sent>
  readonly onTaken: (count: number) => void
  readonly onRefused: (rows: readonly RefusedRow[]) => void
  /** Called when the fate of all rows up to a position is known. */
  readonly onSettled?: (position: number) => void
}

/** How often the rest of some rows is sent as a whole: a refusal may name one row only, of many. */
const mostRounds = 4

/** Sends rows, leaving out those that are refused, until the rest is taken. Rows that were sent before are sent as they were. */
export async function sendAllButRefused(
  rows: readonly SentRow[],
  sending: SendingRows,
  wereSent = false,
): Promise<void> {
  const { send, signal, onTaken, onRefused, onSettled } = sending
  const last = rows.at(-1)?.position
  let rest = rows
  let isResent = wereSent
  let rounds = 0
  while (rest.length > 0) {
    if (!isResent) signal.throwIfAborted()
    const sent = await send(rest, isResent)
    isResent = false
    if (sent.kind === 'taken') {
      onTaken(rest.length)
      break
    }
    const { refusal } = sent
    const named = namedRows(rest, refusal)
    rounds += 1
    const refused = named.length > 0 || rest.length > 1 ? named : refusedAlike(rest, refusal.message)
    onRefused(refused)
    const positions = new Set(refused.map(({ position }) => position))
    rest = rest.filter(({ position }) => !positions.has(position))
    if (named.length > 0 && rounds < mostRounds) continue
    const half = Math.ceil(rest.length / 2)
    await sendAllButRefused(rest.slice(0, half), sending)
    rest = rest.slice(half)
    rounds = 0
  }
  if (last !== undefined) onSettled?.(last)
}

/** Rows that are all refused for the same reason. */
function refusedAlike(rows: readonly SentRow[], reason: string): readonly RefusedRow[] {
  return rows.map(({ position }) => ({ position, reasons: [reason] }))
}
