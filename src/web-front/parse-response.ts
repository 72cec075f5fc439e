import * as v from 'valibot'
import { AppError } from '../errors/app-error.ts'

/**
 * Validates the response of another service or a module. Throws LOGIN_UNAVAILABLE for an invalid one, without its
 * content, which may hold a token.
 */
export function parseResponse<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const reading = v.safeParse(schema, answer)
  if (reading.success) return reading.output
  const places = reading.issues.map((issue) => v.getDotPath(issue) ?? '(the whole response)').join(', ')
  throw new AppError('LOGIN_UNAVAILABLE', {
    cause: new Error(`A response is invalid at: ${places}.`),
  })
}
