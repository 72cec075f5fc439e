import type { AppError } from '../errors/app-error.ts'
import type { Choices } from './new-records.ts'

/** New records were refused that other rights of the caller may let through. Nothing of them may be left. */
export class RefusedWithRights extends Error {
  /** What the caller is told if no other rights are tried. */
  readonly refusal: AppError
  /** What is to be tried next. */
  readonly next: Choices

  constructor(refusal: AppError, next: Choices) {
    super(refusal.message)
    this.refusal = refusal
    this.next = next
  }
}
