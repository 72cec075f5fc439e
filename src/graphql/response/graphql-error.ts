import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { appErrorOf } from '../../database/app-error-of.ts'
import { AppError, toldMistakes } from '../../errors/app-error.ts'
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

/**
 * The error of a mutation: `errors` of its extensions points into the arguments of the field. After changes that were undone, the `etag`
 * of a record may be one that it never had.
 */
export function writeError(
  error: unknown,
  place: Pick<FieldFailure, 'path' | 'locations'> | undefined,
  requestId: string | undefined,
  isAfterChanges = false,
): GraphQLFormattedError {
  if (error instanceof GraphQLError) {
    return { ...error.toJSON(), ...(place && { path: place.path }), extensions: { code: 'BAD_USER_INPUT' } }
  }
  const known = error instanceof AppError ? error : (appErrorOf(error) ?? new AppError('INTERNAL'))
  const { code, members, mistakes, headers, kind } = known
  return {
    message: sentenceOf(known),
    ...(place && { locations: place.locations, path: place.path }),
    extensions: {
      code,
      ...members,
      ...(headers.etag !== undefined && !isAfterChanges && { etag: headers.etag }),
      ...(mistakes.length > 0 && { errors: mistakes.slice(0, toldMistakes) }),
      ...(kind.status >= 500 && requestId !== undefined && { requestId }),
    },
  }
}

/** The first mistake with its place, where there are some. */
function sentenceOf({ message, detail, mistakes }: AppError): string {
  const [first, ...others] = mistakes
  if (detail !== undefined || first === undefined) return message
  const more = others.length === 0 ? '' : ` There are other mistakes, too: "errors" says where.`
  return `${first.pointer}: ${first.detail}${more}`
}
