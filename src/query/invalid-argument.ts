import { AppError } from '../errors/app-error.ts'

/** The error for an argument: its label, and what is wrong with it. */
export function invalid(label: string, rest: string): AppError {
  const separator = rest.startsWith(':') ? '' : ' '
  return new AppError('PARAMETER_INVALID', { detail: `${label}${separator}${rest}.` })
}
