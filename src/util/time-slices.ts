import { setImmediate } from 'node:timers/promises'

/** How long work may go on before other work has its turn, in milliseconds. */
const sliceMs = 5

/** Divides long work on the main thread, so that requests that come meanwhile are not kept waiting. */
export class TimeSlices {
  #end = performance.now() + sliceMs

  /** Whether it is time for other work. */
  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Done when other work has had its turn. */
  async next(): Promise<void> {
    await setImmediate()
    this.#end = performance.now() + sliceMs
  }
}

/** What `work` comes to, in time slices: it yields wherever other work may have its turn. */
export async function inSlices<Result>(work: Generator<void, Result, void>): Promise<Result> {
  const slices = new TimeSlices()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (slices.isOver) await slices.next()
  }
}

/** What `work` makes of each item, in time slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<readonly Result[]> {
  const slices = new TimeSlices()
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (slices.isOver) await slices.next()
    results.push(work(item, index))
  }
  return results
}
