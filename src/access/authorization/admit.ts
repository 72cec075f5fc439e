import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../util/clock.ts'
import type { AccessDirectory } from '../access-directory.ts'
import { authenticate, callerOf, type RequestHeaders, tokenHashIn } from '../authentication/authenticate.ts'
import type { Caller } from '../caller.ts'
import type { ApiRoute, RouteDecision } from './api-route.ts'
import { isAllowed } from './authorize.ts'
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

interface AdmissionParts {
  readonly directory: AccessDirectory
  readonly now: Clock
  readonly partRights: PartRights
}

/**
 * Lets a request in, or throws what it is refused with. When the directory cannot be read, nobody is let
 * in. A path that only upstream routes for other methods match is METHOD_NOT_ALLOWED, for those who are let in.
 */
export async function admit(parts: AdmissionParts, request: AdmissionRequest): Promise<Admission> {
  const snapshot = await parts.directory.current()
  const route = snapshot.apiRoutes.decide(request.method, request.path, request.isOwn)
  if (route.scope === 'public') return allow(undefined, route, parts, request)
  return allow(await authenticate(parts, request.headers), route, parts, request)
}

/** What `admit` gives or throws, where all that decides is in memory; undefined where something has to be read first. */
export function admitAtOnce(parts: AdmissionParts, request: AdmissionRequest): Admission | undefined {
  const snapshot = parts.directory.held()
  if (snapshot === undefined) return undefined
  const route = snapshot.apiRoutes.decide(request.method, request.path, request.isOwn)
  if (route.scope === 'public') return allow(undefined, route, parts, request)
  const token = parts.directory.heldToken(tokenHashIn(request.headers))
  if (token === undefined || !snapshot.accounts.has(token.username)) return undefined
  return allow(callerOf(token, snapshot, parts.now()), route, parts, request)
}

function allow(
  caller: Caller | undefined,
  { upstreamRoute, otherMethods }: RouteDecision,
  { partRights }: AdmissionParts,
  { method, path, parts = [] }: AdmissionRequest,
): Admission {
  const isWhole = caller === undefined || isAllowed(caller.roles, method, path)
  const onlyParts = isWhole ? undefined : partRights.of(caller.roles, path, parts)
  if (onlyParts?.length === 0) throw new AppError('ROLE_NOT_ALLOWED')
  if (otherMethods.length > 0) throw methodNotAllowed(otherMethods)
  return { caller, upstreamRoute, onlyParts }
}

function methodNotAllowed(methods: readonly string[]): AppError {
  const allow = methods.join(', ')
  return new AppError('METHOD_NOT_ALLOWED', { detail: `This path takes ${allow}.`, headers: { allow } })
}
