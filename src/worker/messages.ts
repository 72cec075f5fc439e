/** The messages between the two sides. Both send lists, because a message costs more than its content. */

/** A call; one with `id` 0 gets no reply. */
export type CallMessage = readonly [id: number, name: string, argument: unknown]

/** Names that are not functions of the worker. The argument of each is the id of a call. */
export const builtIn = {
  /** Replies with the next piece of that call's result. */
  nextPiece: '#next',
  closeStream: '#close',
  /** The caller stopped waiting. */
  cancel: '#cancel',
} as const

/** The reply to a call, with an error as the third item; with `id` 0 an event. */
export type ReplyMessage = readonly [id: number, value: unknown, fault?: unknown]
