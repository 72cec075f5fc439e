/** The functions of a worker: the types that both sides share. */

/** Functions of one argument. Arguments, results and errors pass from one side to the other as plain data. */
export type Calls<C> = { readonly [Name in keyof C]: (argument: never, call: Call) => unknown }

/** One call, as the called function sees it. */
export interface Call {
  /** Aborted when the caller stops waiting. */
  readonly signal: AbortSignal
}

/** A result with memory that is transferred instead of copied. Between processes it is copied. */
export class HandedOver<Value> {
  readonly value: Value
  readonly memory: readonly ArrayBuffer[]

  constructor(value: Value, memory: readonly ArrayBuffer[]) {
    this.value = value
    this.memory = memory
  }
}

export type MaybeHandedOver<Value> = Value | HandedOver<Value>

/** A result in pieces, each made on demand. */
export class Streamed<Head, Piece> {
  /** What is known before the first piece. */
  readonly head: Head
  readonly pieces: Iterator<MaybeHandedOver<Piece>, void>

  constructor(head: Head, pieces: Iterator<MaybeHandedOver<Piece>, void>) {
    this.head = head
    this.pieces = pieces
  }
}

type Value<Result> = Result extends HandedOver<infer Inner> ? Inner : Result

type Result<C, Name extends keyof C> = C[Name] extends (...all: never) => infer Result
  ? Awaited<Result>
  : never

/** The argument of a function. */
export type Argument<C, Name extends keyof C> = C[Name] extends (
  argument: infer Sent,
  ...rest: never
) => unknown
  ? Sent
  : never

/** The result that a caller gets. */
export type Reply<C, Name extends keyof C> = Value<Result<C, Name>>

/** What a caller of a function that returns `Streamed` gets. */
export type ReplyStream<C, Name extends keyof C> =
  Result<C, Name> extends Streamed<infer Head, infer Piece> ? WorkerStream<Head, Piece> : never

export interface WorkerStream<Head, Piece> {
  readonly head: Head
  /** The next piece; undefined at the end. */
  next(): Promise<Piece | undefined>
  /** Discards the remaining pieces. */
  close(): void
}
