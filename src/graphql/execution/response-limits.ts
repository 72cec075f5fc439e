import { AppError } from '../../errors/app-error.ts'

/** How much one answer may be. */
export interface ResponseLimits {
  /** Rows that are written, each as often as it is. */
  readonly rows: number
  /** Bytes of the answer, before they are compressed. */
  readonly bytes: number
  /** Rows of lists within rows that are held in memory at once. */
  readonly heldRows: number
}

/** However few rows there are, they are held at once only up to so many bytes. */
export const mostHeldBytes = 64 * 1024 * 1024

export const defaultResponseLimits: ResponseLimits = {
  rows: 5_000_000,
  bytes: 256 * 1024 * 1024,
  heldRows: 100_000,
}

/** The error of an answer that a limit ends, or does not let begin. */
export function answerTooLarge(limit: keyof ResponseLimits, allowed: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `${sentences[limit](allowed.toLocaleString('en'))} Ask for pages: first and after.`,
    members: { limit, allowed },
  })
}

const sentences: Readonly<Record<keyof ResponseLimits, (allowed: string) => string>> = {
  rows: (allowed) =>
    `The answer has more than ${allowed} rows, which is the limit (graphql_max_rows, graphql_max_cost).`,
  bytes: (allowed) => `The answer has more than ${allowed} bytes, which is the limit (graphql_max_answer).`,
  heldRows: (allowed) =>
    `A part of the answer needs more than ${allowed} rows, or ${mostHeldBytes / 2 ** 20} MB of them, in memory at once (graphql_max_held_rows).`,
}
