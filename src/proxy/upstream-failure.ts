import { AppError } from '../errors/app-error.ts'

/** What kept a target from answering. */
export type FailureKind =
  /** There was no connection. */
  | 'unreachable'
  /** There was a connection, and then no proper answer. */
  | 'broken'
  | 'connectTimeout'
  | 'answerTimeout'
  /** The client stopped sending its request. */
  | 'requestTimeout'

/** A request to a target that ended before there was an answer. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: FailureKind
  /** Whether the connection had served another request before: it may have ended for that reason only. */
  readonly isOfReusedConnection: boolean

  constructor(
    kind: FailureKind,
    where: string,
    options: { readonly cause?: unknown; readonly isOfReusedConnection?: boolean } = {},
  ) {
    super(`${where}: ${kind}`, { cause: options.cause })
    this.kind = kind
    this.isOfReusedConnection = options.isOfReusedConnection ?? false
  }
}

const codes = {
  unreachable: 'UPSTREAM_UNREACHABLE',
  broken: 'UPSTREAM_BROKEN',
  connectTimeout: 'UPSTREAM_TIMEOUT',
  answerTimeout: 'UPSTREAM_TIMEOUT',
  requestTimeout: 'REQUEST_TIMEOUT',
} as const satisfies Record<FailureKind, string>

/** The error of the catalogue for a failure. Nothing of the target is told. */
export function errorOfFailure(failure: UpstreamFailure): AppError {
  return new AppError(codes[failure.kind], { cause: failure })
}
