import type { GraphQLFormattedError } from 'graphql'
import { appErrorOf } from '../../database/app-error-of.ts'
import { AppError } from '../../errors/app-error.ts'
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
