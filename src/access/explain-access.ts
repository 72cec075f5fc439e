import * as v from 'valibot'
import { strictObject } from '../http/document-schema.ts'
import { parseDocument } from '../http/parse-document.ts'
import { readRequestTarget } from '../http/request-target.ts'
import type { AccessParts } from './access-parts.ts'
import type { CompiledAuthority } from './authority.ts'
import { missingRecord } from './change-record.ts'
import { normalizeName } from './name.ts'

/** Why a request would be let in or refused. */
export interface AccessExplanation {
  readonly allowed: boolean
  /** The whole answer in one sentence. */
  readonly reason: string
  /** The path as it is authorized; absent where it would not be taken by anybody. */
  readonly path?: string
  readonly scope?: 'public' | 'protected'
  readonly roles?: readonly {
    readonly name: string
    readonly authorities: readonly ExplainedAuthority[]
  }[]
}

export interface ExplainedAuthority {
  readonly regex: string
  readonly methods: readonly string[]
  readonly path_matches: boolean
  readonly method_matches: boolean
}

const querySchema = strictObject({ account: v.string(), method: v.string(), path: v.string() })

/**
 * Says whether an account may make a request now, and which authority allows it or was nearest. Throws
 * RECORD_NOT_FOUND for an account that is not there, PARAMETER_INVALID for other parameters.
 */
export async function explainAccess(
  { directory, now }: Pick<AccessParts, 'directory' | 'now'>,
  query: unknown,
  isOwn: (path: string) => boolean,
): Promise<AccessExplanation> {
  const given = parseDocument(querySchema, query, 'PARAMETER_INVALID')
  const method = given.method.toUpperCase()
  const target = readRequestTarget(given.path)
  if ('refused' in target)
    return { allowed: false, reason: `The path is refused for everybody. ${target.refused}` }
  const { accounts, apiRoutes } = await directory.current()
  const username = normalizeName(given.account)
  const account = accounts.get(username)
  if (account === undefined) throw missingRecord('account', username)

  const { path } = target
  const { scope } = apiRoutes.decide(method, path, isOwn(path))
  const roles = account.roles.map(({ name, authorities }) => ({
    name,
    authorities: authorities.map((authority) => explained(authority, method, path)),
  }))
  const answer = { path, scope, roles }
  if (scope === 'public') return { allowed: true, reason: 'An API route lets anybody in.', ...answer }
  if (account.expiresAt !== undefined && account.expiresAt <= now()) {
    return { allowed: false, reason: 'The account has ended.', ...answer }
  }
  for (const { name, authorities } of roles) {
    const [match] = authorities.filter((authority) => authority.path_matches && authority.method_matches)
    if (match) return { allowed: true, reason: `The role "${name}" allows it by ${match.regex}.`, ...answer }
  }
  return { allowed: false, reason: nearest(roles, method, path), ...answer }
}

function explained(authority: CompiledAuthority, method: string, path: string): ExplainedAuthority {
  const { regex, methods } = authority
  const [anyMethod = method] = methods
  return {
    regex,
    methods,
    path_matches: authority.allows(anyMethod, path),
    method_matches: methods.includes(method) || (method === 'HEAD' && methods.includes('GET')),
  }
}

/** Which authority came nearest: one for the path with other methods, otherwise the one that begins most like the path. */
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
    : `No authority matches the whole path; nearest is ${closest.regex} of the role "${closest.name}".`
}

function commonStart(regex: string, path: string): number {
  let length = 0
  while (length < regex.length && regex[length] === path[length]) length += 1
  return length
}
