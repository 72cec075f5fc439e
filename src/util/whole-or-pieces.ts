import { type Emit, piecesOf } from './pieces-of.ts'

/** What was produced: whole, or piece by piece if it is too long to hold in memory. */
export type WholeOrPieces<Piece> =
  | { readonly kind: 'whole'; readonly whole: Piece }
  | { readonly kind: 'pieces'; readonly pieces: AsyncIterable<Piece> }

/**
 * The result of `produce` as the last piece, after those that it emits; if it emits none, that is
 * the whole. Resolves with the first piece. The reader may take `timeoutMs` for each.
 */
export function wholeOrPieces<Piece>(
  produce: (emit: Emit<Piece>) => Promise<Piece>,
  timeoutMs: number,
): Promise<WholeOrPieces<Piece>> {
  return new Promise((resolve, reject) => {
    let passOn: Promise<Emit<Piece>> | undefined
    const emit: Emit<Piece> = async (piece) => {
      passOn ??= new Promise((opened) => {
        const pieces = piecesOf<Piece>(async (own) => {
          opened(own)
          await own(await last)
        }, timeoutMs)
        resolve({ kind: 'pieces', pieces: startingWith(pieces.next(), pieces) })
      })
      await (await passOn)(piece)
    }
    const last = produce(emit)
    last.then((whole) => {
      if (passOn === undefined) resolve({ kind: 'whole', whole })
    }, reject)
  })
}

/** A reader that stops also ends the others, even if it has not read the first one: a generator of its own would not have begun. */
function startingWith<Piece>(
  first: Promise<IteratorResult<Piece, void>>,
  rest: AsyncGenerator<Piece, void, void>,
): AsyncIterableIterator<Piece, void, void> {
  let next: Promise<IteratorResult<Piece, void>> | undefined = first
  // Nobody may ask for it.
  first.catch(() => {})
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      const piece = next ?? rest.next()
      next = undefined
      return piece
    },
    return: () => rest.return(undefined),
  }
}
