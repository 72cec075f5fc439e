import * as v from 'valibot'
import { AppError } from '../errors/app-error.ts'

/**
 * What another service or a module answered, in the shape that it should have. Throws LOGIN_UNAVAILABLE otherwise:
 * without the answer, which may hold a token.
 */
export function readAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const reading = v.safeParse(schema, answer)
  if (reading.success) return reading.output
  const places = reading.issues.map((issue) => v.getDotPath(issue) ?? 'the whole of it').join(', ')
  throw new AppError('LOGIN_UNAVAILABLE', {
    cause: new Error(`An answer is not as it should be: ${places}.`),
  })
}
