import { setImmediate } from 'node:timers/promises'

/** How long work may run before it yields, in milliseconds. */
const sliceMs = 5

/** Divides long work on the main thread into time slices, so that other requests do not wait. */
export class TimeSlices {
  #end = performance.now() + sliceMs

  /** Whether it is time to yield. */
  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Resolves when other work has had its turn. */
  async next(): Promise<void> {
    await setImmediate()
    this.#end = performance.now() + sliceMs
  }
}

/** The result of `work`, in time slices: it yields wherever it may be interrupted. */
export async function inSlices<Result>(work: Generator<void, Result, void>): Promise<Result> {
  const slices = new TimeSlices()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (slices.isOver) await slices.next()
  }
}

/** The result of `work` for each item, in time slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<readonly Result[]> {
  if (items.length <= 1) return items.map(work)
  const slices = new TimeSlices()
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (slices.isOver) await slices.next()
    results.push(work(item, index))
  }
  return results
}
