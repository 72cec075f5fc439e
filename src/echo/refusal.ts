/** Errors of the catalogue that are passed between threads. */
import { AppError, type AppErrorOptions } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/errors.ts'

/** An error as plain data. */
export interface Refusal {
  readonly code: ErrorCode
  readonly options: AppErrorOptions
}

/** Any error as plain data; an error that is not in the catalogue becomes INTERNAL with its cause. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof AppError)) return { code: 'INTERNAL', options: { cause: causeOf(error) } }
  const { code, detail, mistakes, headers, cause } = error
  return {
    code,
    options: {
      mistakes,
      headers,
      ...(detail === undefined ? {} : { detail }),
      ...(cause === undefined ? {} : { cause: causeOf(cause) }),
    },
  }
}

/** The error to throw in another thread. */
export function errorOf({ code, options }: Refusal): AppError {
  return new AppError(code, options)
}

/** Converts errors of any class to one that can be sent. */
function causeOf(error: unknown): Error {
  const cause = new Error(error instanceof Error ? error.message : String(error))
  if (error instanceof Error && error.stack !== undefined) cause.stack = error.stack
  return cause
}
