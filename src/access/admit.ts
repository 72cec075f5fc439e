import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../util/clock.ts'
import type { AccessDirectory } from './access-directory.ts'
import type { ApiRoute } from './api-route.ts'
import { authenticate, type RequestHeaders } from './authenticate.ts'
import { authorize } from './authorize.ts'
import type { Caller } from './caller.ts'

/** What is known of a request before anything is done for it. */
export interface AdmissionRequest {
  readonly method: string
  /** Decoded, as it is routed. */
  readonly path: string
  readonly headers: RequestHeaders
  /** Whether an API of the gateway's own is at this path: it comes before every upstream. */
  readonly isOwn: boolean
}

/** Who was let in, and where to. */
export interface Admission {
  /** Undefined where a public API route lets in anybody. */
  readonly caller: Caller | undefined
  /** The API route whose upstream answers; undefined where the gateway answers itself. */
  readonly upstreamRoute: ApiRoute | undefined
}

/**
 * Lets a request in, or throws what it is refused with. When the directory cannot be read, nobody is let
 * in. A path that only upstream routes for other methods match is METHOD_NOT_ALLOWED, for those who are let in.
 */
export async function admit(
  parts: { readonly directory: AccessDirectory; readonly now: Clock },
  { method, path, headers, isOwn }: AdmissionRequest,
): Promise<Admission> {
  const { apiRoutes } = await parts.directory.current()
  const { scope, upstreamRoute, otherMethods } = apiRoutes.decide(method, path, isOwn)
  const caller = scope === 'public' ? undefined : await authenticate(parts, headers)
  if (caller !== undefined) authorize(caller.roles, method, path)
  if (otherMethods.length > 0) throw methodNotAllowed(otherMethods)
  return { caller, upstreamRoute }
}

function methodNotAllowed(methods: readonly string[]): AppError {
  const allow = methods.join(', ')
  return new AppError('METHOD_NOT_ALLOWED', { detail: `This path takes ${allow}.`, headers: { allow } })
}
