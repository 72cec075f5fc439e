import { createHash } from 'node:crypto'
import { AppError } from '../errors/app-error.ts'

/** The conditions of a call: https://www.rfc-editor.org/rfc/rfc9110#section-13.1 */
export interface Conditions {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** The caller's precondition for a change of a record. */
export interface Precondition {
  /** Whether the caller has seen the record: if it is gone, that is PRECONDITION_FAILED. */
  readonly hasSeenRecord: boolean
  /** Whether any record meets it. */
  readonly isNone: boolean
  /** Throws PRECONDITION_FAILED if the record, by its JSON text, does not meet the precondition. */
  assert(text: string): void
}

/** The strong entity tag of a body: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 */
export function etagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}

/** Throws PRECONDITION_FAILED if `If-Match` does not match the current state. */
export function assertMatch({ ifMatch }: Conditions, body: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*' || tagsIn(ifMatch).includes(etagOf(body))) return
  throw failed('Read the record again, and send the change with its new ETag.', body)
}

/** The conditions of a call that changes a record: a state that the record must have, or must not have. */
export function preconditionOf(conditions: Conditions): Precondition {
  return {
    hasSeenRecord: conditions.ifMatch !== undefined,
    isNone: conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined,
    assert(body) {
      assertMatch(conditions, body)
      if (!isKnown(conditions.ifNoneMatch, body)) return
      throw failed('The record matches If-None-Match.', body)
    },
  }
}

function failed(detail: string, body: string): AppError {
  return new AppError('PRECONDITION_FAILED', { detail, headers: { etag: etagOf(body) } })
}

/** Whether the caller has this body already, by `If-None-Match`. */
export function isKnown(ifNoneMatch: string | undefined, body: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etagOf(body))
}

function tagsIn(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim())
}
