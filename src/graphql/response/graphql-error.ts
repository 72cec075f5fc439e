import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import { appErrorOf } from '../../database/app-error-of.ts'
import { AppError, toldMistakes } from '../../errors/app-error.ts'
import type { RootPlan } from '../planning/operation-plan.ts'

/**
 * The error of one root field as clients see it (https://spec.graphql.org/October2021/#sec-Errors). Messages of the
 * database are not shown: the caller reports them, and the client gets a sentence of the catalogue.
 */
export function fieldError(
  error: unknown,
  { key, locations }: Pick<RootPlan, 'key' | 'locations'>,
): GraphQLFormattedError {
  const { message, code, members } =
    error instanceof AppError ? error : (appErrorOf(error) ?? new AppError('INTERNAL'))
  return { message, locations, path: [key], extensions: { code, ...members } }
}

/** The error of a mutation: `errors` of its extensions points into the arguments of the field. */
export function writeError(
  error: unknown,
  root: Pick<RootPlan, 'key' | 'locations'> | undefined,
): GraphQLFormattedError {
  if (error instanceof GraphQLError) {
    return { ...error.toJSON(), ...(root && { path: [root.key] }), extensions: { code: 'BAD_USER_INPUT' } }
  }
  const known = error instanceof AppError ? error : (appErrorOf(error) ?? new AppError('INTERNAL'))
  const { code, members, mistakes, headers } = known
  return {
    message: sentenceOf(known),
    ...(root && { locations: root.locations, path: [root.key] }),
    extensions: {
      code,
      ...members,
      ...(headers.etag !== undefined && { etag: headers.etag }),
      ...(mistakes.length > 0 && { errors: mistakes.slice(0, toldMistakes) }),
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
