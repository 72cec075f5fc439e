import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { wholeOrPieces } from './whole-or-pieces.ts'

/** Emits pieces until its reader has left; `ended` tells why it ended. */
async function endless() {
  const ended = Promise.withResolvers<unknown>()
  const result = await wholeOrPieces<string>(async (emit) => {
    await setImmediate()
    try {
      for (;;) await emit('piece')
    } catch (error) {
      ended.resolve(error)
      throw error
    }
  }, 600_000)
  if (result.kind !== 'pieces') throw new Error('There were no pieces.')
  return { pieces: result.pieces, ended: ended.promise }
}

async function all<Piece>(pieces: AsyncIterable<Piece>): Promise<readonly Piece[]> {
  const found: Piece[] = []
  for await (const piece of pieces) found.push(piece)
  return found
}

test('what a reader leaves before its first piece ends', async () => {
  const { pieces, ended } = await endless()
  const readable = Readable.from(pieces)
  readable.destroy()
  expect(await ended).toBeInstanceOf(Error)
})

test('what a reader leaves after some pieces ends', async () => {
  const { pieces, ended } = await endless()
  let count = 0
  for await (const piece of pieces) {
    expect(piece).toBe('piece')
    count += 1
    if (count === 3) break
  }
  expect(await ended).toBeInstanceOf(Error)
})

test('pieces come in order, with the last one, and a failure after them', async () => {
  const result = await wholeOrPieces<number>(async (emit) => {
    await setImmediate()
    await emit(1)
    await emit(2)
    return 3
  }, 600_000)
  if (result.kind !== 'pieces') throw new Error('There were no pieces.')
  expect(await all(result.pieces)).toEqual([1, 2, 3])
  const failing = await wholeOrPieces<number>(async (emit) => {
    await setImmediate()
    await emit(1)
    throw new Error('no more')
  }, 600_000)
  if (failing.kind !== 'pieces') throw new Error('There were no pieces.')
  await expect(all(failing.pieces)).rejects.toThrow('no more')
})
