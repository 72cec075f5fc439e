import type { GraphQLFormattedError } from 'graphql'
import { appErrorOf } from '../../database/app-error-of.ts'
import { AppError } from '../../errors/app-error.ts'
import type { FieldFailure } from './response-output.ts'

/**
 * The error of one field as clients see it (https://spec.graphql.org/October2021/#sec-Errors). Messages of the database
 * are not shown: the caller reports them, and the client gets a sentence of the catalogue, with the id of the request.
 */
export function fieldError(
  error: unknown,
  { path, locations, more = 0 }: Pick<FieldFailure, 'path' | 'locations'> & Partial<FieldFailure>,
  requestId: string | undefined,
): GraphQLFormattedError {
  const { message, code, members, kind } =
    error instanceof AppError ? error : (appErrorOf(error) ?? new AppError('INTERNAL'))
  const extensions = {
    code,
    ...members,
    ...(more > 0 && { more }),
    ...(kind.status >= 500 && requestId !== undefined && { requestId }),
  }
  return { message, locations, path, extensions }
}
