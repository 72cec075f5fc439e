/** What a log line says about an error. */
export interface ErrorDescription {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: ErrorDescription
}

const deepestCause = 5

/**
 * Picks the few fields of an error that help to diagnose it. Other fields are left out on purpose:
 * libraries attach requests, connections and the values of parameters to their errors.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    type: name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    // A thrown value that is not an error may be anything, even the parameters of a request.
    ...(cause instanceof Error && depth < deepestCause ? { cause: describeError(cause, depth + 1) } : {}),
  }
}
