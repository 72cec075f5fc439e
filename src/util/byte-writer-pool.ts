import { ByteWriter } from './byte-writer.ts'

const capacity = 16_384
const keptWriters = 16
/** A writer that has grown beyond this gives its memory back. */
const keptCapacity = 262_144

/**
 * Writers that are reused. New memory for every response, and each time that it becomes too small,
 * would be most of the work of the garbage collector.
 */
export class ByteWriterPool {
  readonly #free: ByteWriter[] = []

  /** Runs `work` with an empty writer, for its exclusive use. */
  async use<Result>(work: (out: ByteWriter) => Promise<Result>): Promise<Result> {
    const out = this.#free.pop() ?? new ByteWriter(capacity)
    try {
      return await work(out)
    } finally {
      out.truncate(0)
      if (this.#free.length < keptWriters && out.capacity <= keptCapacity) this.#free.push(out)
    }
  }
}
