/** Hands one piece over; done when it was taken. Rejects when nobody takes pieces any more. */
export type Emit<Piece> = (piece: Piece) => Promise<void>

/**
 * What a function emits, as a sequence that is read piece by piece: it goes on only when the next piece is asked
 * for. A reader that stops makes the next `emit` reject, so that the function can clean up; so does one that
 * asks for nothing for longer than `timeoutMs`.
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
    const timer = setTimeout(() => resume.reject(new Error('Nobody takes the answer.')), timeoutMs)
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
    resume.reject(new Error('Nobody reads the answer any more.'))
    await produced
  }
}

/** A promise to be settled from outside, whose rejection need not be waited for. */
function quietly<Value>(): PromiseWithResolvers<Value> {
  const resolvers = Promise.withResolvers<Value>()
  resolvers.promise.catch(() => undefined)
  return resolvers
}
