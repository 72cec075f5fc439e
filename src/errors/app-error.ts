import { type ErrorCode, type ErrorKind, errorKinds } from './errors.ts'

/** How many mistakes one error reports at most; a check may stop when it has found more. */
export const toldMistakes = 20

/** One mistake in a document, with its location. */
export interface Mistake {
  /** JSON pointer (RFC 6901) into the document that was sent; '' is the whole document. */
  readonly pointer: string
  /** What was expected, what was sent, and what to do. */
  readonly detail: string
}

export interface AppErrorOptions {
  /**
   * The sentence that tells the client how to fix this case. It must not contain anything internal.
   */
  readonly detail?: string
  /** Every mistake found in the document. */
  readonly mistakes?: readonly Mistake[]
  /** Extension members of the problem document: https://www.rfc-editor.org/rfc/rfc9457#section-3.2 */
  readonly members?: Readonly<Record<string, unknown>>
  /** Extra response headers, for example `Allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The cause; logged, never sent. */
  readonly cause?: unknown
}

/**
 * An error of the catalogue. Thrown anywhere; turned into a response only by `http/problem.ts` and
 * `graphql/response/graphql-error.ts`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly mistakes: readonly Mistake[]
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorKinds[code].title, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.detail = options.detail
    this.mistakes = options.mistakes ?? []
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
  }

  get kind(): ErrorKind {
    return errorKinds[this.code]
  }
}
