import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Row } from '../../driver.ts'

/** All pieces, read to the end first and kept in a temporary file that nobody else can open, then one by one. */
export async function* spool(pieces: AsyncIterable<readonly Row[]>): AsyncIterable<readonly Row[]> {
  const file = await openNameless()
  try {
    const lengths: number[] = []
    for await (const piece of pieces) {
      const bytes = serialize(piece)
      await file.write(bytes)
      lengths.push(bytes.length)
    }
    let position = 0
    for (const length of lengths) {
      const bytes = Buffer.alloc(length)
      await file.read(bytes, 0, length, position)
      position += length
      yield deserialize(bytes) as readonly Row[]
    }
  } finally {
    await file.close()
  }
}

/** A file that is gone as soon as it is closed, whatever becomes of the process. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `gatehouse-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}
