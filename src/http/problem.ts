import { type AppError, type Mistake, toldMistakes } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/errors.ts'
import { guidePath } from './guide-path.ts'

/** The body of an error response: https://www.rfc-editor.org/rfc/rfc9457 */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId: string
  /** The trace id that the request sent. */
  readonly traceId?: string
  readonly errors?: readonly Mistake[]
}

/** The address of the page that explains a code, from the root of the service. */
export function problemType(code: ErrorCode): string {
  return `${guidePath}/problems/${code.toLowerCase().replaceAll('_', '-')}`
}

export const problemMediaType = 'application/problem+json'

/** The response body of an error: a problem document, or the fixed body of its kind. */
export function problemOf(error: AppError, requestId: string, traceId?: string): Problem | object {
  const { kind, code, mistakes, members } = error
  if (kind.body !== undefined) return kind.body
  return {
    ...members,
    type: problemType(code),
    title: kind.title,
    status: kind.status,
    code,
    detail: sentenceOf(error),
    requestId,
    ...(traceId === undefined ? {} : { traceId }),
    ...(mistakes.length === 0 ? {} : { errors: mistakes.slice(0, toldMistakes) }),
  } satisfies Problem
}

/** What is wrong in this case, and what to do. */
export function sentenceOf({ kind, detail, mistakes }: AppError): string {
  return detail ?? detailOf(mistakes) ?? kind.detail ?? kind.title
}

function detailOf({ length }: readonly Mistake[]): string | undefined {
  if (length === 0) return undefined
  if (length > toldMistakes)
    return `There are more than ${toldMistakes} mistakes; "errors" says where the first ${toldMistakes} are.`
  return length === 1
    ? 'There is one mistake; "errors" says where.'
    : `There are ${length} mistakes; "errors" says where.`
}
