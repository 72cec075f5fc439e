import { AppError } from '../../errors/app-error.ts'
import type { AccessSnapshot } from '../access-directory.ts'
import {
  type AuthenticationParts,
  authenticate,
  authenticateAtOnce,
  carriesToken,
  type RequestHeaders,
} from '../authentication/authenticate.ts'
import type { Caller } from '../caller.ts'
import type { ApiRoute } from './api-route.ts'
import type { PublicRoutes, RouteDecision } from './api-routes.ts'
import { isAllowed, isAllowedOnRecords, isRecordPath } from './authorize.ts'
import type { PartRights } from './part-rights.ts'

/** The data of a request that authorization needs. */
export interface ArrivedRequest {
  readonly method: string
  /** Decoded, as it is routed. */
  readonly path: string
  readonly headers: RequestHeaders
  /** Whether the gateway has its own API at this path, which comes before every upstream. */
  readonly isOwn: boolean
  /** The parts at the path that can be allowed separately; absent if there are none. */
  readonly parts?: readonly string[] | undefined
}

/** An admitted request: its caller and destination. */
export interface AdmittedRequest {
  /**
   * Undefined if a public API route allows anyone, and no valid token says who calls. At the gateway's own APIs the rights of
   * a caller count beside what is public; at an upstream nobody looks at the token.
   */
  readonly caller: Caller | undefined
  /** What public routes opened when it was admitted. */
  readonly publicRoutes: PublicRoutes
  /** The API route whose upstream handles it; undefined if the gateway itself does. */
  readonly upstreamRoute: ApiRoute | undefined
  /** The parts at the path that the caller may use; undefined for all. */
  readonly onlyParts: readonly string[] | undefined
}

interface AdmitParts extends AuthenticationParts {
  readonly partRights: PartRights
}

/**
 * Allows a request, or throws the error. If the directory cannot be read, nothing is allowed. For an authorized caller, a
 * path that only upstream routes for other methods match is METHOD_NOT_ALLOWED.
 */
export async function admit(parts: AdmitParts, request: ArrivedRequest): Promise<AdmittedRequest> {
  const snapshot = await parts.directory.current()
  const decision = decide(snapshot, request)
  return allow(await callerOf(parts, request, decision), decision, parts, request)
}

/** The same as `admit` if everything needed is in memory; undefined if something has to be read first. */
export function admitAtOnce(parts: AdmitParts, request: ArrivedRequest): AdmittedRequest | undefined {
  const snapshot = parts.directory.held()
  if (snapshot === undefined) return undefined
  const decision = decide(snapshot, request)
  if (isForAnyone(decision, request)) return allow(undefined, decision, parts, request)
  // Whether the token of a call that anyone may make is valid is rarely known without reading.
  if (isOpen(decision)) return undefined
  const isForwarded = decision.upstreamRoute !== undefined
  const caller = authenticateAtOnce(parts, request.headers, snapshot, isForwarded)
  return caller === undefined ? undefined : allow(caller, decision, parts, request)
}

interface Decision extends RouteDecision {
  readonly publicRoutes: PublicRoutes
  /** The parts at the path that anyone may use. */
  readonly openParts: readonly string[]
}

const noParts: readonly string[] = []

function decide({ apiRoutes }: AccessSnapshot, request: ArrivedRequest): Decision {
  const { method, path, isOwn, parts } = request
  const openParts = parts === undefined || !isOwn ? noParts : apiRoutes.openParts(path, parts).names
  return { ...apiRoutes.decide(method, path, isOwn), publicRoutes: apiRoutes, openParts }
}

/** Whether anyone may make the request, of whom a valid token may allow more. */
function isOpen({ opens, openParts }: Decision): boolean {
  return opens !== undefined || openParts.length > 0
}

/** Whether it makes no difference who calls. At the gateway's own APIs a token may add rights, as to entities that a filter leads to. */
function isForAnyone(decision: Decision, { headers, isOwn }: ArrivedRequest): boolean {
  return isOpen(decision) && (!isOwn || !carriesToken(headers))
}

async function callerOf(
  parts: AdmitParts,
  request: ArrivedRequest,
  decision: Decision,
): Promise<Caller | undefined> {
  if (isForAnyone(decision, request)) return undefined
  const { upstreamRoute } = decision
  try {
    return await authenticate(parts, request.headers, upstreamRoute !== undefined)
  } catch (error) {
    if (isOpen(decision) && error instanceof AppError && error.code === 'TOKEN_INVALID') return undefined
    throw error
  }
}

/** The parts of a path that a caller may use with a method; undefined for all. `open` are those that anyone may use. */
export function partsFor(
  partRights: PartRights,
  caller: Pick<Caller, 'roles'>,
  { method, path, isOwn }: Pick<ArrivedRequest, 'method' | 'path' | 'isOwn'>,
  parts: readonly string[],
  open: readonly string[],
): readonly string[] | undefined {
  const allows = isOwn && isRecordPath(path) ? isAllowedOnRecords : isAllowed
  return allows(caller.roles, method, path) ? undefined : partRights.of(caller.roles, path, parts, open)
}

function allow(
  caller: Caller | undefined,
  decision: Decision,
  { partRights }: AdmitParts,
  request: ArrivedRequest,
): AdmittedRequest {
  const { upstreamRoute, otherMethods, publicRoutes } = decision
  const onlyParts = admittedParts(caller, decision, partRights, request)
  if (onlyParts?.length === 0) throw new AppError('ROLE_NOT_ALLOWED')
  if (otherMethods.length > 0) throw methodNotAllowed(otherMethods)
  return { caller, publicRoutes, upstreamRoute, onlyParts }
}

function admittedParts(
  caller: Caller | undefined,
  { opens, openParts }: Decision,
  partRights: PartRights,
  request: ArrivedRequest,
): readonly string[] | undefined {
  if (opens !== undefined) return undefined
  if (caller === undefined) return openParts
  return partsFor(partRights, caller, request, request.parts ?? noParts, openParts)
}

function methodNotAllowed(methods: readonly string[]): AppError {
  const allow = methods.join(', ')
  return new AppError('METHOD_NOT_ALLOWED', { detail: `This path takes ${allow}.`, headers: { allow } })
}
