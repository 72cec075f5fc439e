/** Does the same with many records, a few at a time. */
import { LoginNeeded, Refusal, TokenRefused } from '../../../../browser/refusal.ts'
import { patiently } from '../transfer/patiently.ts'

/** What became of a record that was not written. */
export interface BulkProblem {
  /** The record, in words for people. */
  readonly name: string
  /** `impossible`: no call that the roles allow does it. `unknown`: there was no answer. */
  readonly kind: 'conflict' | 'gone' | 'impossible' | 'refused' | 'unknown'
  /** The words of the gateway. */
  readonly reason: string
}

/** What became of all records. */
export interface BulkReport<Done> {
  /** How many records were written. */
  readonly count: number
  /** What was done to each of them; empty if they are more than are kept. */
  readonly done: readonly Done[]
  readonly problems: readonly BulkProblem[]
  /** How many records are as they were, since the work ended before. */
  readonly unsent: number
  /** Whether the work ended with the session. */
  readonly hasSessionEnded: boolean
}

export interface BulkWork<Item, Done> {
  readonly items: readonly Item[]
  readonly nameOf: (item: Item) => string
  /** Throws a `Refusal`, `Changed`, or `CannotWrite`. */
  readonly act: (item: Item) => Promise<Done>
  /** Whether a refused record may be taken after others; by default if records refer to it. */
  readonly isTriedAgain?: (refusal: Refusal) => boolean
  /** Of more records, it is forgotten what was done to each. */
  readonly mostKept?: number
}

/** The record is no longer as it was shown. */
export class Changed extends Error {}

/** No call that the roles allow writes the record. */
export class CannotWrite extends Error {}

/** What was done to some records, to be taken back. */
interface TakingBack<Done> {
  readonly done: readonly Done[]
  readonly nameOf: (done: Done) => string
  readonly undo: (done: Done) => Promise<void>
}

/** The work that takes back what was done, the last first: records can only come back after those that they refer to. */
export function takingBack<Done>({ done, nameOf, undo }: TakingBack<Done>): BulkWork<Done, Done> {
  return {
    items: done.toReversed(),
    nameOf,
    async act(one) {
      await undo(one)
      return one
    },
    isTriedAgain: (refusal) => isInUse(refusal) || refusal.status === 422,
  }
}

/** How many calls are made at once: others use the gateway, too. */
const atOnce = 4

/**
 * Acts on each record. Those that wait for others are tried again after the rest, as long as that helps. Ends when it is
 * cancelled, when there is no answer, and with the session.
 */
export async function runBulk<Item, Done>(
  { items, nameOf, act, isTriedAgain = isInUse, mostKept = items.length }: BulkWork<Item, Done>,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<BulkReport<Done>> {
  let count = 0
  let done: Done[] = []
  const problems: BulkProblem[] = []
  let waiting: readonly Item[] = items
  let isLost = false
  let hasSessionEnded = false
  let unsent = 0

  async function one(item: Item, again: (item: Item, problem: BulkProblem) => void): Promise<void> {
    try {
      const result = await patiently(() => act(item), signal)
      count += 1
      if (count <= mostKept) done.push(result)
      else done = []
    } catch (error) {
      const isSession = error instanceof LoginNeeded || error instanceof TokenRefused
      hasSessionEnded ||= isSession
      if (isSession || (signal.aborted && error === signal.reason)) {
        unsent += 1
        return
      }
      const problem = problemOf(error, nameOf(item))
      isLost ||= problem.kind === 'unknown'
      if (error instanceof Refusal && isTriedAgain(error)) again(item, problem)
      else problems.push(problem)
    }
    onProgress(count + problems.length)
  }

  for (;;) {
    const refused: { readonly item: Item; readonly problem: BulkProblem }[] = []
    const before = count
    let next = 0
    const isEnded = () => signal.aborted || isLost || hasSessionEnded
    const lane = async () => {
      for (let item = waiting[next]; item !== undefined && !isEnded(); item = waiting[next]) {
        next += 1
        await one(item, (again, problem) => refused.push({ item: again, problem }))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    if (!isEnded() && refused.length > 0 && count > before) {
      waiting = refused.map(({ item }) => item)
      continue
    }
    unsent += waiting.length - next
    return {
      count,
      done,
      problems: [...problems, ...refused.map(({ problem }) => problem)],
      unsent,
      hasSessionEnded,
    }
  }
}

function isInUse({ problem }: Refusal): boolean {
  return problem.code === 'IN_USE'
}

function problemOf(error: unknown, name: string): BulkProblem {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof Changed) return { name, kind: 'conflict', reason: '' }
  if (error instanceof CannotWrite) return { name, kind: 'impossible', reason: '' }
  const status = error instanceof Refusal ? error.status : 0
  if (status === 412) return { name, kind: 'conflict', reason }
  if (status === 404) return { name, kind: 'gone', reason }
  return { name, kind: status === 0 || status >= 500 ? 'unknown' : 'refused', reason }
}
