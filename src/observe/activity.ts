/**
 * What happened in the last quarter of an hour, in steps of 15 seconds: for pictures. Numbers of fixed size are counted in
 * place, so that neither time nor memory grows with what is counted.
 */
import type { Event, Observer } from './events.ts'

/** Durations, in milliseconds. Null if nothing was timed. */
export interface Durations {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Requests by the first digit of their status, statements and errors of some time. */
export interface ActivityCounts {
  readonly requests: readonly [number, number, number, number, number]
  readonly requestMs: Durations | null
  readonly statements: number
  readonly statementFailures: number
  readonly statementMs: Durations | null
  /** Requests that ended in an error that is not the client's. */
  readonly failures: number
}

/** The state of the process at one time. */
interface ActivitySample {
  readonly rssBytes: number
  readonly heapUsedBytes: number
  /** The longest delay of the event loop since the sample before, in milliseconds. */
  readonly loopDelayMs: number
  readonly connectionsInUse: number
  readonly connectionsWaiting: number
}

/** One step; without a sample if there was none in it. */
interface ActivityStep extends ActivityCounts {
  /** When it began, in milliseconds since 1970. */
  readonly start: number
  readonly sample: ActivitySample | null
}

/** The whole time: its steps, oldest first, and their sum with how many durations are up to each bound. */
interface ActivityReport {
  readonly steps: readonly ActivityStep[]
  readonly total: ActivityCounts
  readonly requestHistogram: readonly number[]
  readonly statementHistogram: readonly number[]
}

/** Counts what happens. */
export interface Activity {
  readonly observe: Observer
  /** Keeps the state of the process with the current step. */
  sample(sample: ActivitySample): void
  report(): ActivityReport
}

/** The length of a step. */
export const activityStepMs = 15_000
const stepCount = 60

/** The upper bounds of durations in a histogram, in milliseconds; longer ones come behind the last. */
export const durationBoundsMs: readonly number[] = [
  0.5, 1, 2, 3, 5, 7.5, 10, 15, 25, 40, 60, 100, 150, 250, 400, 600, 1000, 1500, 2500, 5000, 10_000, 30_000,
]
const bucketCount = durationBoundsMs.length + 1

/** Where a number lies in the numbers of a step. */
const place = {
  statuses: 0,
  requestMs: 5,
  statementMs: 5 + bucketCount,
  statementFailures: 5 + 2 * bucketCount,
  failures: 6 + 2 * bucketCount,
}
const width = 7 + 2 * bucketCount

/** `now` is the time in milliseconds since 1970. */
export function createActivity(now: () => number = Date.now): Activity {
  const numbers = new Uint32Array(stepCount * width)
  const starts = new Float64Array(stepCount)
  const samples: (ActivitySample | undefined)[] = Array(stepCount).fill(undefined)

  /** The position of the numbers of the current step. */
  function current(): number {
    const step = Math.floor(now() / activityStepMs)
    const index = step % stepCount
    const start = step * activityStepMs
    const base = index * width
    if (starts[index] !== start) {
      starts[index] = start
      samples[index] = undefined
      numbers.fill(0, base, base + width)
    }
    return base
  }

  function add(position: number): void {
    numbers[position] = (numbers[position] ?? 0) + 1
  }

  return {
    observe(event: Event) {
      switch (event.kind) {
        case 'RequestHandled': {
          const base = current()
          const kind = Math.min(Math.max(Math.floor(event.status / 100), 1), 5)
          add(base + place.statuses + kind - 1)
          add(base + place.requestMs + bucketOf(event.milliseconds))
          return
        }
        case 'StatementRun':
          add(current() + place.statementMs + bucketOf(event.milliseconds))
          return
        case 'StatementFailed':
          add(current() + place.statementFailures)
          return
        case 'RequestFailed':
          add(current() + place.failures)
      }
    },
    sample(sample) {
      samples[current() / width] = sample
    },
    report() {
      const last = Math.floor(now() / activityStepMs)
      const sum = new Uint32Array(width)
      const steps = Array.from({ length: stepCount }, (_, offset): ActivityStep => {
        const step = last - stepCount + 1 + offset
        const index = step % stepCount
        const start = step * activityStepMs
        const isKept = starts[index] === start
        const own = isKept ? numbers.subarray(index * width, (index + 1) * width) : new Uint32Array(width)
        own.forEach((count, position) => {
          sum[position] = (sum[position] ?? 0) + count
        })
        return { start, ...countsOf(own), sample: (isKept ? samples[index] : undefined) ?? null }
      })
      return {
        steps,
        total: countsOf(sum),
        requestHistogram: histogramIn(sum, place.requestMs),
        statementHistogram: histogramIn(sum, place.statementMs),
      }
    },
  }
}

function bucketOf(milliseconds: number): number {
  let bucket = 0
  while (bucket < durationBoundsMs.length && milliseconds > (durationBoundsMs[bucket] ?? 0)) bucket += 1
  return bucket
}

function histogramIn(numbers: Uint32Array, start: number): readonly number[] {
  return [...numbers.subarray(start, start + bucketCount)]
}

function countsOf(numbers: Uint32Array): ActivityCounts {
  const at = (index: number) => numbers[index] ?? 0
  const statementCounts = histogramIn(numbers, place.statementMs)
  return {
    requests: [at(0), at(1), at(2), at(3), at(4)],
    requestMs: durationsIn(histogramIn(numbers, place.requestMs)),
    statements: statementCounts.reduce((sum, count) => sum + count, 0),
    statementFailures: at(place.statementFailures),
    statementMs: durationsIn(statementCounts),
    failures: at(place.failures),
  }
}

function durationsIn(counts: readonly number[]): Durations | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const at = (part: number) => quantileIn(counts, part * total)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** The duration that so many are below, if those of a bucket are spread evenly. */
function quantileIn(counts: readonly number[], wanted: number): number {
  let below = 0
  for (const [bucket, count] of counts.entries()) {
    const from = durationBoundsMs[bucket - 1] ?? 0
    const to = durationBoundsMs[bucket] ?? from
    if (below + count >= wanted && count > 0) {
      return Math.round((from + ((to - from) * (wanted - below)) / count) * 100) / 100
    }
    below += count
  }
  return durationBoundsMs.at(-1) ?? 0
}
