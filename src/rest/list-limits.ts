import { AppError } from '../errors/app-error.ts'
import { mostHeldBytes } from '../query/levels/held-rows.ts'

/** The limits of one response with records. */
export interface ListLimits {
  /** For reading it, in milliseconds; the client's time does not count. */
  readonly timeMs: number
  /** Records of one response, with the related ones that it shows. */
  readonly rows: number
  /** Bytes of one response. */
  readonly bytes: number
  /** Related records that are in memory at once. */
  readonly heldRows: number
}

/** The error of a list with too many records. */
export function tooManyRows(limit: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `The list has more than ${limit.toLocaleString('en')} records, which is the limit (list_max_rows). Page through it with "limit".`,
  })
}

/** The error of a response with too many records, of which some are related ones. */
export function tooManyShown(limit: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `The response has more than ${limit.toLocaleString('en')} records with the related ones in "fields", which is the limit (list_max_rows). Page through the list with "limit", or ask for the list of the related records.`,
  })
}

/** The error of a record to which too many others belong. */
export function tooManyHeldRows(limit: number): AppError {
  return new AppError('ANSWER_TOO_LARGE', {
    detail: `To one record belong more than ${limit.toLocaleString('en')} others in "fields", or ${mostHeldBytes / 2 ** 20} MB of them, which is the limit (graphql_max_held_rows). Ask for the list of these records, and page through it with "limit".`,
  })
}
