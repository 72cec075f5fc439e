import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../util/clock.ts'
import type { AccessDirectory } from './access-directory.ts'
import type { ApiRoute } from './api-route.ts'
import { authenticate, type RequestHeaders } from './authenticate.ts'
import { isAllowed } from './authorize.ts'
import type { Caller } from './caller.ts'
import type { PartRights } from './part-rights.ts'

/** What is known of a request before anything is done for it. */
export interface AdmissionRequest {
  readonly method: string
  /** Decoded, as it is routed. */
  readonly path: string
  readonly headers: RequestHeaders
  /** Whether an API of the gateway's own is at this path: it comes before every upstream. */
  readonly isOwn: boolean
  /** The parts of what is at the path that can be allowed one by one; absent where there are none. */
  readonly parts?: readonly string[] | undefined
}

/** Who was let in, and where to. */
export interface Admission {
  /** Undefined where a public API route lets in anybody. */
  readonly caller: Caller | undefined
  /** The API route whose upstream answers; undefined where the gateway answers itself. */
  readonly upstreamRoute: ApiRoute | undefined
  /** The parts of what is at the path that the caller may use; undefined where it is the whole. */
  readonly onlyParts: readonly string[] | undefined
}

/**
 * Lets a request in, or throws what it is refused with. When the directory cannot be read, nobody is let
 * in. A path that only upstream routes for other methods match is METHOD_NOT_ALLOWED, for those who are let in.
 */
export async function admit(
  access: { readonly directory: AccessDirectory; readonly now: Clock; readonly partRights: PartRights },
  { method, path, headers, isOwn, parts = [] }: AdmissionRequest,
): Promise<Admission> {
  const { apiRoutes } = await access.directory.current()
  const { scope, upstreamRoute, otherMethods } = apiRoutes.decide(method, path, isOwn)
  const caller = scope === 'public' ? undefined : await authenticate(access, headers)
  const isWhole = caller === undefined || isAllowed(caller.roles, method, path)
  const onlyParts = isWhole ? undefined : access.partRights.of(caller.roles, path, parts)
  if (onlyParts?.length === 0) throw new AppError('ROLE_NOT_ALLOWED')
  if (otherMethods.length > 0) throw methodNotAllowed(otherMethods)
  return { caller, upstreamRoute, onlyParts }
}

function methodNotAllowed(methods: readonly string[]): AppError {
  const allow = methods.join(', ')
  return new AppError('METHOD_NOT_ALLOWED', { detail: `This path takes ${allow}.`, headers: { allow } })
}
