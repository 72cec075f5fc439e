import { ByteWriter } from './byte-writer.ts'

const capacity = 16_384
const keptWriters = 16
/** One that has grown further does not keep its memory for all others. */
const keptCapacity = 262_144

/**
 * Writers that are used again. Memory for every answer again, and again each time that it becomes too small, would be most
 * of what the garbage collector is called for.
 */
export class ByteWriterPool {
  readonly #free: ByteWriter[] = []

  /** Runs `work` with an empty writer, which is nobody else's until `work` is done. */
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
