import { AppError } from '../../errors/app-error.ts'
import { mostHeldBytes } from '../../query/levels/held-rows.ts'

/** How large one response may be. */
export interface ResponseLimits {
  /** Rows that are written, each as often as it is written. */
  readonly rows: number
  /** Bytes of the response, before compression. */
  readonly bytes: number
  /** Rows of nested lists that are in memory at once. */
  readonly heldRows: number
}

export const defaultResponseLimits: ResponseLimits = {
  rows: 5_000_000,
  bytes: 256 * 1024 * 1024,
  heldRows: 100_000,
}

/** The error of a response that exceeds a limit, or would exceed it. */
export function responseTooLarge(limit: keyof ResponseLimits, allowed: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `${sentences[limit](allowed.toLocaleString('en'))} Ask for pages: first and after.`,
    members: { limit, allowed },
  })
}

const sentences: Readonly<Record<keyof ResponseLimits, (allowed: string) => string>> = {
  rows: (allowed) =>
    `The response has more than ${allowed} rows, which is the limit (graphql_max_rows, graphql_max_cost).`,
  bytes: (allowed) => `The response has more than ${allowed} bytes, which is the limit (graphql_max_answer).`,
  heldRows: (allowed) =>
    `A part of the response needs more than ${allowed} rows or groups, or ${mostHeldBytes / 2 ** 20} MB of them, in memory at once (graphql_max_held_rows).`,
}
