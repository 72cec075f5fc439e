/**
 * Hands over one piece; resolves when the reader has taken it. Rejects with `UnreadPiece` when the reader has stopped.
 */
export type Emit<Piece> = (piece: Piece) => Promise<void>

/** The reader has stopped, or reads too slowly: what it does not read has not failed. */
export class UnreadPiece extends Error {}

/**
 * What a function emits, as a sequence that is read piece by piece, with backpressure: the function
 * continues only when the next piece is requested. If the reader stops, or requests nothing for
 * longer than `timeoutMs`, the next `emit` rejects, so that the function can clean up.
 */
export async function* piecesOf<Piece>(
  produce: (emit: Emit<Piece>) => Promise<void>,
  timeoutMs: number,
): AsyncGenerator<Piece, void, void> {
  let handOver = quietly<{ readonly piece: Piece } | undefined>()
  let resume = quietly<void>()
  const emit = async (piece: Piece) => {
    handOver.resolve({ piece })
    const taken = resume.promise
    const timer = setTimeout(
      () => resume.reject(new UnreadPiece('The client does not read the response.')),
      timeoutMs,
    )
    try {
      await taken
    } finally {
      clearTimeout(timer)
    }
  }
  const produced = produce(emit).then(
    () => handOver.resolve(undefined),
    (error: unknown) => handOver.reject(error),
  )
  try {
    for (;;) {
      const next = await handOver.promise
      if (next === undefined) return
      handOver = quietly()
      yield next.piece
      const wait = resume
      resume = quietly()
      wait.resolve()
    }
  } finally {
    resume.reject(new UnreadPiece('The client no longer reads the response.'))
    await produced
  }
}

/** A promise to be settled from outside, whose rejection may be left unhandled. */
function quietly<Value>(): PromiseWithResolvers<Value> {
  const resolvers = Promise.withResolvers<Value>()
  resolvers.promise.catch(() => undefined)
  return resolvers
}
