import { expect, test } from 'vitest'
import { piecesOf, UnreadPiece } from './pieces-of.ts'

async function collect<Piece>(pieces: AsyncIterable<Piece>): Promise<readonly Piece[]> {
  const all: Piece[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

test('pieces come in order, each when it is asked for', async () => {
  const made: number[] = []
  const pieces = piecesOf<number>(async (emit) => {
    for (const number of [1, 2, 3]) {
      made.push(number)
      await emit(number)
    }
  }, 60_000)
  expect(await pieces.next()).toEqual({ value: 1, done: false })
  expect(made).toEqual([1])
  expect(await pieces.next()).toEqual({ value: 2, done: false })
  expect(await collect(pieces)).toEqual([3])
})

test('an error of the producer comes after the pieces before it', async () => {
  const pieces = piecesOf<string>(async (emit) => {
    await emit('a')
    throw new RangeError('own')
  }, 60_000)
  expect(await pieces.next()).toEqual({ value: 'a', done: false })
  await expect(pieces.next()).rejects.toThrow(RangeError)
})

test('a reader that stops ends the producer', async () => {
  let ended: unknown
  const pieces = piecesOf<string>(async (emit) => {
    try {
      for (;;) await emit('a')
    } catch (error) {
      ended = error
      throw error
    }
  }, 60_000)
  await pieces.next()
  await pieces.return()
  expect(ended).toBeInstanceOf(UnreadPiece)
  expect(ended).toEqual(new UnreadPiece('The client no longer reads the response.'))
})

test('a reader that asks for nothing ends the producer', async () => {
  const pieces = piecesOf<string>(async (emit) => {
    for (;;) await emit('a')
  }, 1)
  await pieces.next()
  await new Promise((resolve) => setTimeout(resolve, 20))
  const next = pieces.next()
  await expect(next).rejects.toBeInstanceOf(UnreadPiece)
  await expect(next).rejects.toThrow(new UnreadPiece('The client does not read the response.'))
})

test('a producer without pieces', async () => {
  expect(await collect(piecesOf(async () => undefined, 1))).toEqual([])
})
