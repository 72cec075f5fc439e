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
import type { ApiRoutes } from './api-routes.ts'
import type { CompiledAuthority } from './authority.ts'
import { isRecordPath } from './authorize.ts'
import { includesMethod } from './method.ts'
import { partMethod } from './part-rights.ts'
import { adviceBelow, adviceOn } from './pattern-advice.ts'
import type { PublicAuthority } from './public-authority.ts'
import type { RecordConditions } from './record-conditions.ts'
import type { CompiledRole } from './role.ts'

/** What may decide about a request: why it is allowed, then why it is not. */
export const grounds = [
  'public',
  'authority',
  'parts',
  'path',
  'disabled',
  'expired',
  'conditions',
  'method',
  'nothing',
] as const

/** Why a request would be allowed or refused. */
export interface AccessExplanation {
  readonly allowed: boolean
  /** What decides, for programs and for other languages. */
  readonly because: (typeof grounds)[number]
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
  /** The public route that decides, if it has conditions. */
  readonly route?: ExplainedRoute
  /** The allowed parts at the path, if not all are: for `/graphql`, names of entities. */
  readonly only?: readonly string[]
}

/** A public route with its conditions. */
interface ExplainedRoute extends RecordConditions {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  /** As for an authority. */
  readonly row?: RowExplanation
}

/** The gateway's own API at a path. */
export interface OwnPaths {
  isOwn(path: string): boolean
  /** Names of the parts that can be allowed separately, at `<path>/<name>`; absent if there are none. */
  partsAt(path: string): readonly string[] | undefined
}

/** With its conditions, if it has some. */
export interface ExplainedAuthority extends RecordConditions {
  readonly regex: string
  readonly methods: readonly string[]
  readonly path_matches: boolean
  readonly method_matches: boolean
  /** If the path does not match: what the expression was probably meant to be. If it does: why it grants nothing there. */
  readonly advice?: string
  /** What its conditions say of the record that was asked about. */
  readonly row?: RowExplanation
}

/** Whether conditions admit a record. */
interface RowExplanation {
  readonly admitted: boolean
  /**
   * JSON pointers of the conditions that it does not meet, such as `/rows/0`; of fields that the entity does not have; and
   * of values to set that the account does not have.
   */
  readonly failed: readonly string[]
}

const request = { method: v.string(), path: v.string() }
export const accessQuery = strictObject({
  account: v.string(),
  ...request,
  row: v.pipe(
    v.optional(v.string()),
    v.description('The identifier of a record: which conditions it meets.'),
  ),
})
export const ownAccessQuery = strictObject({
  ...request,
  row: v.pipe(
    v.optional(v.string()),
    v.description('The identifier of a record that one may read: which conditions on `rows` it meets.'),
  ),
})

type ExplainParts = Pick<AccessParts, 'directory' | 'now' | 'partRights'>

/**
 * The same for the caller's own account, which the query does not name. The conditions of public routes are not told:
 * they may name what the caller does not see.
 */
export async function explainOwnAccess(
  parts: ExplainParts,
  { roles, accountExpiresAt: expiresAt }: Pick<Caller, 'roles' | 'accountExpiresAt'>,
  query: unknown,
  own: OwnPaths,
): Promise<AccessExplanation> {
  const given = parseDocument(ownAccessQuery, query, 'PARAMETER_INVALID')
  const explanation = await explain(parts, () => ({ roles, disabled: false, expiresAt }), given, own)
  if (explanation.route === undefined) return explanation
  const { name, path, methods } = explanation.route
  return { ...explanation, route: { name, path, methods } }
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
  const { account, row: _, ...given } = parseDocument(accessQuery, query, 'PARAMETER_INVALID')
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
  given: { readonly method: string; readonly path: string },
  own: OwnPaths,
): Promise<AccessExplanation> {
  const method = given.method.toUpperCase()
  const target = readRequestTarget(given.path)
  if ('refused' in target)
    return { allowed: false, because: 'path', reason: `The path is refused for everyone. ${target.refused}` }
  const snapshot = await directory.current()
  const { apiRoutes } = snapshot
  const account = find(snapshot)

  const { path } = target
  const whole = wholeAt(path, method, own)
  const opens = openedAt(path, whole, method, { apiRoutes, own })
  const { answer, roles, route } = factsOf(account, { method, path, opens }, own)
  const allowed = (because: 'public' | 'authority' | 'parts', reason: string) =>
    ({ allowed: true, because, reason, ...answer }) as const
  const refused = ({ because, reason }: Pick<AccessExplanation, 'because' | 'reason'>) =>
    ({ allowed: false, because, reason, ...answer }) as const
  if (opens !== undefined && route === undefined) return allowed('public', 'A public API route allows it.')
  const byRoute =
    route && `The public route "${route.name}" allows it to anyone, on the records that its conditions admit.`
  const parts = own.partsAt(path) ?? []
  const open = own.isOwn(path) ? apiRoutes.openParts(path, parts).names : []
  const unusable = reasonAgainst(account, now())
  if (unusable !== undefined) {
    if (byRoute !== undefined) return allowed('public', `${byRoute} ${unusable.reason}`)
    if (open.length === 0) return refused(unusable)
    return {
      ...allowed('parts', `${partsSentence([], path, open, apiRoutes)} ${unusable.reason}`),
      only: open,
    }
  }
  const match = allowing(account.roles, method, path, isForRecords(path, own))
  if (match) {
    const limit = writesRoute(method, path) ? leadsWhere(account.roles, method, path) : ''
    const also = byRoute === undefined || match.where === '' ? '' : ` ${byRoute}`
    const reason = `The role "${match.name}" allows it by ${match.regex}${limit}${match.where}.${also}`
    return allowed('authority', reason)
  }
  const byWhole = whole === undefined ? undefined : allowing(account.roles, method, whole)
  if (byWhole) {
    const reason = `The role "${byWhole.name}" allows it with the whole of ${whole} by ${byWhole.regex}${byWhole.where}.`
    return allowed('authority', reason)
  }
  if (byRoute !== undefined) return allowed('public', byRoute)
  const byPart = whole === undefined ? undefined : allowing(account.roles, partMethod, path)
  if (byPart) return allowed('authority', `${sentence(byPart, path)}.`)
  const only = partRights.of(account.roles, path, parts, open)
  if (only.length === 0) return refused(nearest(roles, method, path))
  return { ...allowed('parts', partsSentence(account.roles, path, only, apiRoutes)), only }
}

/** What an explanation shows besides its result. */
function factsOf(
  account: ExplainedAccount,
  {
    method,
    path,
    opens,
  }: { readonly method: string; readonly path: string; readonly opens: PublicAuthority | undefined },
  own: OwnPaths,
) {
  const scope = opens === undefined ? ('protected' as const) : ('public' as const)
  const roles = account.roles.map(({ name, authorities, targets }) => ({
    name,
    authorities: authorities.map((authority) => explained(authority, method, path, own)),
    ...(targets === undefined ? {} : { targets }),
  }))
  const route = opens?.conditions && explainedRoute(opens)
  return { answer: { path, scope, roles, ...(route && { route }) }, roles, route }
}

/** What public routes open at a path, and where it stands for a part, of the whole. */
function openedAt(
  path: string,
  whole: string | undefined,
  method: string,
  { apiRoutes, own }: { readonly apiRoutes: ApiRoutes; readonly own: OwnPaths },
): PublicAuthority | undefined {
  const { opens } = apiRoutes.decide(method, whole ?? path, own.isOwn(whole ?? path))
  if (whole === undefined || opens !== undefined) return opens
  return apiRoutes.opensPart(whole, path.slice(whole.length + 1))
}

/** Why only some parts are allowed, told of the first that a role allows, or else of the first that is open. */
function partsSentence(
  roles: readonly CompiledRole[],
  path: string,
  only: readonly string[],
  apiRoutes: ApiRoutes,
): string {
  const start = 'Not for everything, but for what "only" lists.'
  for (const name of only) {
    const part = `${path}/${name}`
    const byRole = allowing(roles, partMethod, part)
    if (byRole !== undefined) return `${start} ${sentence(byRole, part)}.`
  }
  const [name = ''] = only
  const route = apiRoutes.opensPart(path, name)?.route.name
  return `${start} The public route "${route}" allows ${partMethod} on ${path}/${name} to anyone.`
}

/** Why an account cannot log on; undefined if it can. */
function reasonAgainst(
  { disabled, expiresAt }: ExplainedAccount,
  timestamp: Date,
): Pick<AccessExplanation, 'because' | 'reason'> | undefined {
  if (disabled) return { because: 'disabled', reason: 'The account is disabled.' }
  if (expiresAt === undefined || expiresAt > timestamp) return undefined
  return { because: 'expired', reason: 'The account has expired.' }
}

function explainedRoute({ route: { name, path, methods }, conditions }: PublicAuthority): ExplainedRoute {
  return { name, path, methods, ...definedOf(conditions) }
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
  /** On which records, to end a sentence; '' for all. */
  readonly where: string
}

/** The first authority without conditions that allows a request; otherwise, for records, the first with conditions. */
function allowing(
  roles: readonly CompiledRole[],
  method: string,
  path: string,
  withConditions = isRecordPath(path),
): Allowing | undefined {
  const found = roles.flatMap(({ name, authorities }) =>
    authorities
      .filter((authority) => authority.allows(method, path))
      .map(({ regex, conditions }) => ({ name, regex, conditions })),
  )
  const whole = found.find(({ conditions }) => conditions === undefined)
  if (whole !== undefined) return { ...whole, where: '' }
  const [some] = withConditions ? found : []
  return some && { ...some, where: ', on the records that its conditions admit' }
}

function sentence({ name, regex, where }: Allowing, path: string): string {
  return `The role "${name}" allows ${partMethod} on ${path} by ${regex}${where}`
}

/** Whether authorities with conditions count at a path. */
function isForRecords(path: string, own: OwnPaths): boolean {
  return isRecordPath(path) && (own.isOwn(path) || isPartPath(path, own))
}

/** Whether the path is below one whose authorities cover all that is below it. */
function isPartPath(path: string, own: OwnPaths): boolean {
  return own.partsAt(path.slice(0, path.lastIndexOf('/'))) !== undefined
}

function explained(
  authority: CompiledAuthority,
  method: string,
  path: string,
  own: OwnPaths,
): ExplainedAuthority {
  const { regex, methods, matches, conditions } = authority
  const below =
    isPartPath(path, own) || !includesMethod(methods, method) ? undefined : adviceBelow(regex, matches, path)
  const grantsNothing = conditions !== undefined && !isForRecords(path, own) ? onlyRecords : undefined
  const advice = matches(path) ? grantsNothing : (adviceOn(regex, matches) ?? below)
  return {
    regex,
    methods,
    path_matches: matches(path),
    method_matches: includesMethod(methods, method),
    ...definedOf(conditions),
    ...(advice === undefined ? {} : { advice }),
  }
}

const onlyRecords =
  'It has conditions on records, and this path is not one of records: it grants nothing here.'

function definedOf(conditions: RecordConditions = {}): RecordConditions {
  return Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined))
}

/**
 * Which authority comes nearest: one for the path with other methods, otherwise the one that begins most like the path.
 */
function nearest(
  roles: NonNullable<AccessExplanation['roles']>,
  method: string,
  path: string,
): Pick<AccessExplanation, 'because' | 'reason'> {
  const all = roles.flatMap(({ name, authorities }) =>
    authorities.map((authority) => ({ name, ...authority })),
  )
  const matching = all.filter(({ path_matches }) => path_matches)
  const onPath = matching.find(({ advice }) => advice === undefined) ?? matching[0]
  if (onPath?.advice !== undefined) {
    const reason = `The role "${onPath.name}" matches this path by ${onPath.regex}. ${onPath.advice}`
    return { because: 'conditions', reason }
  }
  if (onPath) {
    const reason = `The role "${onPath.name}" allows ${onPath.methods.join(', ')} on this path by ${onPath.regex}, and not ${method}.`
    return { because: 'method', reason }
  }
  const [closest] = all.toSorted((a, b) => commonStart(b.regex, path) - commonStart(a.regex, path))
  const reason =
    closest === undefined
      ? 'The account has no role with an authority.'
      : `No authority matches the whole path; nearest is ${closest.regex} of the role "${closest.name}".${closest.advice === undefined ? '' : ` ${closest.advice}`}`
  return { because: 'nothing', reason }
}

function commonStart(regex: string, path: string): number {
  let length = 0
  while (length < regex.length && regex[length] === path[length]) length += 1
  return length
}
