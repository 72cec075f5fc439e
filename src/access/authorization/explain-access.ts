import * as v from 'valibot'
import { strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { readRequestTarget } from '../../http/request-target.ts'
import type { AccessSnapshot, KnownAccount } from '../access-directory.ts'
import type { AccessParts } from '../access-parts.ts'
import { missingRecord } from '../administration/audited-change.ts'
import { targetsOfRequest, writesRoute } from '../administration/route-writers.ts'
import type { Caller } from '../caller.ts'
import { normalizeName } from '../name.ts'
import type { CompiledAuthority } from './authority.ts'
import { includesMethod } from './method.ts'
import { partMethod } from './part-rights.ts'
import { adviceBelow, adviceOn } from './pattern-advice.ts'
import type { CompiledRole } from './role.ts'

/** Why a request would be allowed or refused. */
export interface AccessExplanation {
  readonly allowed: boolean
  /** The result in one sentence. */
  readonly reason: string
  /** The path as it is authorized; absent if it would be refused for everyone. */
  readonly path?: string
  readonly scope?: 'public' | 'protected'
  readonly roles?: readonly {
    readonly name: string
    readonly authorities: readonly ExplainedAuthority[]
    /** Where routes may lead that are written because of it; absent for anywhere. */
    readonly targets?: readonly string[]
  }[]
  /** The allowed parts at the path, if not all are: for `/graphql`, names of entities. */
  readonly only?: readonly string[]
}

/** The gateway's own API at a path. */
export interface OwnPaths {
  isOwn(path: string): boolean
  /** Names of the parts that can be allowed separately, at `<path>/<name>`; absent if there are none. */
  partsAt(path: string): readonly string[] | undefined
}

interface ExplainedAuthority {
  readonly regex: string
  readonly methods: readonly string[]
  readonly path_matches: boolean
  readonly method_matches: boolean
  /** If the path does not match: what the expression was probably meant to be. */
  readonly advice?: string
}

const request = { method: v.string(), path: v.string() }
export const accessQuery = strictObject({ account: v.string(), ...request })
export const ownAccessQuery = strictObject(request)

type ExplainParts = Pick<AccessParts, 'directory' | 'now' | 'partRights'>

/** The same for the caller's own account, which the query does not name. */
export async function explainOwnAccess(
  parts: ExplainParts,
  { roles, accountExpiresAt: expiresAt }: Pick<Caller, 'roles' | 'accountExpiresAt'>,
  query: unknown,
  own: OwnPaths,
): Promise<AccessExplanation> {
  const given = parseDocument(ownAccessQuery, query, 'PARAMETER_INVALID')
  return explain(parts, () => ({ roles, disabled: false, expiresAt }), given, own)
}

/**
 * Says whether an account may make a request now, and which authority allows it or comes nearest. Throws RECORD_NOT_FOUND
 * for a missing account, PARAMETER_INVALID for other parameters.
 */
export async function explainAccess(
  parts: ExplainParts,
  query: unknown,
  own: OwnPaths,
): Promise<AccessExplanation> {
  const { account, ...given } = parseDocument(accessQuery, query, 'PARAMETER_INVALID')
  const username = normalizeName(account)
  const find = ({ accounts }: AccessSnapshot) => {
    const found = accounts.get(username)
    if (found === undefined) throw missingRecord('account', username)
    return found
  }
  return explain(parts, find, given, own)
}

/** What decides about the requests of an account. */
type ExplainedAccount = Pick<KnownAccount, 'roles' | 'disabled' | 'expiresAt'>

async function explain(
  { directory, now, partRights }: ExplainParts,
  find: (snapshot: AccessSnapshot) => ExplainedAccount,
  given: v.InferOutput<typeof ownAccessQuery>,
  own: OwnPaths,
): Promise<AccessExplanation> {
  const method = given.method.toUpperCase()
  const target = readRequestTarget(given.path)
  if ('refused' in target)
    return { allowed: false, reason: `The path is refused for everyone. ${target.refused}` }
  const snapshot = await directory.current()
  const { apiRoutes } = snapshot
  const account = find(snapshot)

  const { path } = target
  const whole = wholeAt(path, method, own)
  const { scope } = apiRoutes.decide(method, whole ?? path, own.isOwn(whole ?? path))
  const roles = account.roles.map(({ name, authorities, targets }) => ({
    name,
    authorities: authorities.map((authority) => explained(authority, method, path, isPartPath(path, own))),
    ...(targets === undefined ? {} : { targets }),
  }))
  const answer = { path, scope, roles }
  if (scope === 'public') return { allowed: true, reason: 'A public API route allows it.', ...answer }
  if (account.disabled) return { allowed: false, reason: 'The account is disabled.', ...answer }
  if (account.expiresAt !== undefined && account.expiresAt <= now()) {
    return { allowed: false, reason: 'The account has expired.', ...answer }
  }
  for (const { name, authorities } of roles) {
    const [match] = authorities.filter((authority) => authority.path_matches && authority.method_matches)
    if (match) {
      const limit = writesRoute(method, path) ? leadsWhere(account.roles, method, path) : ''
      return { allowed: true, reason: `The role "${name}" allows it by ${match.regex}${limit}.`, ...answer }
    }
  }
  const byWhole = whole === undefined ? undefined : allowing(account.roles, method, whole)
  if (byWhole) {
    const reason = `The role "${byWhole.name}" allows it with the whole of ${whole} by ${byWhole.regex}.`
    return { allowed: true, reason, ...answer }
  }
  const byPart = whole === undefined ? undefined : allowing(account.roles, partMethod, path)
  if (byPart) return { allowed: true, reason: `${sentence(byPart, path)}.`, ...answer }
  const only = partRights.of(account.roles, path, own.partsAt(path) ?? [])
  const first = `${path}/${only[0]}`
  const byFirst = only.length === 0 ? undefined : allowing(account.roles, partMethod, first)
  if (byFirst) {
    const reason = `Not for everything, but for what "only" lists. ${sentence(byFirst, first)}.`
    return { allowed: true, reason, ...answer, only }
  }
  return { allowed: false, reason: nearest(roles, method, path), ...answer }
}

/** Where routes may lead that an account writes by a request, to end a sentence; '' for anywhere. */
function leadsWhere(roles: readonly CompiledRole[], method: string, path: string): string {
  const entries = targetsOfRequest(roles, method, path)
  if (entries === undefined) return ''
  return entries.length === 0
    ? ', for routes without a target'
    : `, for routes without a target or to ${entries.join(', ')}`
}

/** The path that stands for a part; undefined if there is none. */
function wholeAt(path: string, method: string, own: OwnPaths): string | undefined {
  const end = path.lastIndexOf('/')
  const whole = path.slice(0, end)
  const isPart = !own.isOwn(path) && own.partsAt(whole)?.includes(path.slice(end + 1)) === true
  return isPart && ['GET', 'HEAD', 'POST'].includes(method) ? whole : undefined
}

interface Allowing {
  readonly name: string
  readonly regex: string
}

function allowing(roles: readonly CompiledRole[], method: string, path: string): Allowing | undefined {
  for (const { name, authorities } of roles) {
    const authority = authorities.find((candidate) => candidate.allows(method, path))
    if (authority !== undefined) return { name, regex: authority.regex }
  }
  return undefined
}

function sentence({ name, regex }: Allowing, path: string): string {
  return `The role "${name}" allows ${partMethod} on ${path} by ${regex}`
}

/** Whether the path is below one whose authorities cover all that is below it. */
function isPartPath(path: string, own: OwnPaths): boolean {
  return own.partsAt(path.slice(0, path.lastIndexOf('/'))) !== undefined
}

function explained(
  authority: CompiledAuthority,
  method: string,
  path: string,
  isPart: boolean,
): ExplainedAuthority {
  const { regex, methods, matches } = authority
  const below = isPart || !includesMethod(methods, method) ? undefined : adviceBelow(regex, matches, path)
  const advice = matches(path) ? undefined : (adviceOn(regex, matches) ?? below)
  return {
    regex,
    methods,
    path_matches: matches(path),
    method_matches: includesMethod(methods, method),
    ...(advice === undefined ? {} : { advice }),
  }
}

/**
 * Which authority comes nearest: one for the path with other methods, otherwise the one that begins most like the path.
 */
function nearest(roles: NonNullable<AccessExplanation['roles']>, method: string, path: string): string {
  const all = roles.flatMap(({ name, authorities }) =>
    authorities.map((authority) => ({ name, ...authority })),
  )
  const onPath = all.find(({ path_matches }) => path_matches)
  if (onPath) {
    return `The role "${onPath.name}" allows ${onPath.methods.join(', ')} on this path by ${onPath.regex}, and not ${method}.`
  }
  const [closest] = all.toSorted((a, b) => commonStart(b.regex, path) - commonStart(a.regex, path))
  return closest === undefined
    ? 'The account has no role with an authority.'
    : `No authority matches the whole path; nearest is ${closest.regex} of the role "${closest.name}".${closest.advice === undefined ? '' : ` ${closest.advice}`}`
}

function commonStart(regex: string, path: string): number {
  let length = 0
  while (length < regex.length && regex[length] === path[length]) length += 1
  return length
}
