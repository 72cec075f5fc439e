import { Refusal, RoleRefused } from '../../../browser/refusal.ts'
import { NotLoaded } from './not-loaded.ts'

/** The key of the words for what kind of failure an error is, in `failure` of the texts. */
export type FailureTitle =
  | 'noAnswer'
  | 'role'
  | 'notFound'
  | 'conflict'
  | 'changed'
  | 'mistakes'
  | 'busy'
  | 'server'
  | 'refused'
  | 'file'
  | 'page'
  | 'notLoaded'

/** Codes of errors of `/echo` besides mistakes. */
const fileCodes: readonly string[] = [
  'RENDERER_MISSING',
  'RENDERER_FAILED',
  'FILE_TIMEOUT',
  'FILE_TOO_LARGE',
  'TEMPLATE_FAILED',
]

/** What kind of failure an error is. */
export function titleOfFailure(error: unknown): FailureTitle {
  if (error instanceof NotLoaded) return 'notLoaded'
  if (!(error instanceof Refusal)) return 'page'
  // GraphQL tells of mistakes in a response with status 200.
  if (['PARAMETER_INVALID', 'BAD_USER_INPUT'].includes(error.problem.code ?? '')) return 'mistakes'
  if (fileCodes.includes(error.problem.code ?? '')) return 'file'
  if (error instanceof RoleRefused || error.status === 403) return 'role'
  switch (error.status) {
    case 0:
    case 502:
    case 504:
      return 'noAnswer'
    case 404:
      return 'notFound'
    case 409:
      return 'conflict'
    case 412:
      return 'changed'
    case 400:
    case 422:
      return 'mistakes'
    case 429:
    case 503:
      return 'busy'
    default:
      return error.status >= 500 ? 'server' : 'refused'
  }
}
