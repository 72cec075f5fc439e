import { AppError } from '../errors/app-error.ts'

/** Why a target did not respond. */
export type FailureKind =
  /** There was no connection. */
  | 'unreachable'
  /** There was a connection, but no valid response. */
  | 'broken'
  | 'connectTimeout'
  | 'answerTimeout'
  /** The client stopped sending its request. */
  | 'requestTimeout'

/** A request to a target that ended before a response. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: FailureKind
  /** Whether the connection was reused: it may have ended for that reason only. */
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

/** The error of the catalogue for a failure. It reveals nothing of the target. */
export function errorOfFailure(failure: UpstreamFailure): AppError {
  return new AppError(codes[failure.kind], { cause: failure })
}

/** Why a target failed, in a sentence for people. */
export function failureSentence(error: unknown): string {
  if (!(error instanceof UpstreamFailure)) return 'It failed.'
  const { cause, kind } = error
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return `${sentences[kind]}${code}.`
}

const sentences: Readonly<Record<FailureKind, string>> = {
  unreachable: 'It cannot be reached',
  broken: 'It broke the connection, or its response cannot be read',
  connectTimeout: 'It did not accept a connection in time',
  answerTimeout: 'It did not respond in time',
  requestTimeout: 'It did not take the request in time',
}
