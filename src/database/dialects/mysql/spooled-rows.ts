import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Semaphore } from '../../../util/semaphore.ts'
import type { Row } from '../../sql-value.ts'

type Pieces = AsyncIterator<readonly Row[]>

/** The rows of a list in pieces. The remaining ones can be read at once and kept in a temporary file. */
export class SpooledRows implements AsyncIterable<readonly Row[]> {
  /** From the server, or from the file. */
  #pieces: Pieces
  #file: SpoolFile | undefined
  /** The error if the remaining rows could not be read. */
  #failure: unknown
  /** Only one caller at a time reads a piece, or all of them. */
  readonly #turn = new Semaphore(1)

  constructor(rows: AsyncIterable<readonly Row[]>) {
    this.#pieces = rows[Symbol.asyncIterator]()
  }

  /** Reads the remaining rows; from then on, pieces come from a file. */
  spoolRest(): Promise<void> {
    return this.#turn.run(async () => {
      if (this.#file !== undefined) return
      const file = await SpoolFile.open()
      this.#file = file
      try {
        for (let next = await this.#pieces.next(); !next.done; next = await this.#pieces.next())
          await file.write(next.value)
      } catch (error) {
        this.#failure = error
        throw error
      }
      this.#pieces = file.pieces()
    })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Row[]> {
    try {
      for (;;) {
        const next = await this.#turn.run(() => this.#pieces.next())
        if (this.#failure !== undefined) throw this.#failure
        if (next.done) return
        yield next.value
      }
    } finally {
      await this.#pieces.return?.()
      await this.#file?.close()
    }
  }
}

/**
 * A temporary file that no other process can open, and that disappears when it is closed, even if this process crashes.
 */
class SpoolFile {
  readonly #file: FileHandle
  readonly #lengths: number[] = []

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(): Promise<SpoolFile> {
    const path = join(tmpdir(), `gatehouse-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return new SpoolFile(file)
  }

  async write(rows: readonly Row[]): Promise<void> {
    const bytes = serialize(rows)
    await this.#file.write(bytes)
    this.#lengths.push(bytes.length)
  }

  /** The written rows, in the same pieces. */
  async *pieces(): AsyncGenerator<readonly Row[]> {
    let position = 0
    for (const length of this.#lengths) {
      const bytes = Buffer.alloc(length)
      await this.#file.read(bytes, 0, length, position)
      position += length
      yield deserialize(bytes) as readonly Row[]
    }
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
