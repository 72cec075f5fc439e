import * as v from 'valibot'
import { listOf, strictObject } from '../../documents/document-schema.ts'
import { nameSchema } from '../name.ts'
import {
  type Authority,
  authoritySchema,
  type CompiledAuthority,
  checkedAuthoritySchema,
  compileAuthority,
  type PatternSource,
} from './authority.ts'
import { includesMethod, knownMethods } from './method.ts'
import type { PathPattern } from './path-automaton.ts'
import { publishedRegex } from './published-regex.ts'
import { limitsSchema, type RequestLimits } from './request-limits.ts'
import { targetsSchema } from './target-pattern.ts'

/** What the accounts that have it may do: whatever one of its authorities allows. */
export interface Role {
  readonly name: string
  readonly authorities: readonly Authority[]
  /** Names of the roles that its accounts may give to accounts, and whose accounts they may act on; `*` for every role. */
  readonly gives?: '*' | readonly string[] | undefined
  readonly limits?: RequestLimits | undefined
  /** Where routes may lead that it lets its accounts write: see `target-pattern.ts`. Undefined is anywhere. */
  readonly targets?: readonly string[] | undefined
}

/** A compiled role: what it allows by its authorities without conditions. */
export interface CompiledRole extends Role, Allowances {
  readonly authorities: readonly CompiledAuthority[]
  /** What it allows on paths of records: by its authorities with and without conditions. */
  readonly onRecords: Allowances
}

/** What some authorities allow. */
interface Allowances {
  /** Whether one of them allows a method on a path. */
  allows(method: string, path: string): boolean
  /** Whether one of them allows it on some path one segment below. */
  allowsBelow(method: string, path: string): boolean
  /** Those for paths that begin with `front`, by what follows it. */
  allowsAfter(method: string, front: string): (rest: string) => boolean
}

/** The most authorities that a role may have. */
export const authorityLimit = 1000
const content = {
  authorities: listOf(authoritySchema, authorityLimit),
  gives: v.pipe(
    v.optional(
      v.union([
        v.literal('*'),
        v.pipe(
          listOf(nameSchema, 1000),
          v.transform((names): readonly string[] => [...new Set(names)]),
        ),
      ]),
    ),
    v.description(
      'The roles that its accounts may give to accounts, and whose accounts they may act on; `*` for all.',
    ),
  ),
  limits: v.optional(limitsSchema),
  targets: v.optional(targetsSchema),
}

/** Parses a new role; its regular expressions are validated by compiling them. */
export const roleSchema = strictObject({ name: nameSchema, ...content })

/** The same with validation of its regular expressions: for commands, before they call a gateway. */
export const declaredRoleSchema = strictObject({
  name: nameSchema,
  ...content,
  authorities: listOf(checkedAuthoritySchema, authorityLimit),
})

/** Reads a role whose name is in the path. */
export const roleToPutSchema = strictObject({ name: v.optional(nameSchema), ...content })

/** Compiles a role from the store. */
export function compileRole(
  { name, authorities: written, gives, limits, targets }: Role,
  patterns: PatternSource,
): CompiledRole {
  const authorities = written.map((authority) => compileAuthority(authority, patterns))
  const unconditional = authorities.filter(({ conditions }) => conditions === undefined)
  const allowances = allowancesOf(unconditional)
  const onRecords = unconditional.length === authorities.length ? allowances : allowancesOf(authorities)
  return { name, authorities, gives, limits, targets, ...allowances, onRecords }
}

function allowancesOf(authorities: readonly CompiledAuthority[]): Allowances {
  const forMethod = (method: string) =>
    authorities.filter(({ methods }) => includesMethod(methods, method)).map(({ matches }) => matches)
  const byMethod = new Map(knownMethods.map((method) => [method, forMethod(method)]))
  const anyByMethod = new Map([...byMethod].map(([method, patterns]) => [method, anyOf(patterns)]))
  return {
    allows: (method, path) => anyByMethod.get(method)?.(path) ?? false,
    allowsBelow: (method, path) => byMethod.get(method)?.some((pattern) => pattern.below(path)) ?? false,
    allowsAfter(method, front) {
      const rests = (byMethod.get(method) ?? []).flatMap((pattern) => pattern.after(front) ?? [])
      return (rest) => rests.some((matches) => matches(rest))
    },
  }
}

/** Whether one of many patterns matches: only those with a matching prefix are tried. */
function anyOf(patterns: readonly PathPattern[]): (path: string) => boolean {
  const byStart = Map.groupBy(patterns, ({ start }) => start)
  byStart.delete(undefined)
  const lengths = [...new Set([...byStart.keys()].map((start) => start?.length ?? 0))].sort((a, b) => a - b)
  return (path) => {
    for (const length of lengths) {
      if (length > path.length) return false
      const candidates = byStart.get(path.slice(0, length))
      if (candidates?.some((matches) => matches(path))) return true
    }
    return false
  }
}

/** The role as shown to its own accounts: each regular expression ends in an anchor. */
export function publishedRole({ name, authorities }: Role): Role {
  return {
    name,
    authorities: authorities.map(({ regex, methods }) => ({ regex: publishedRegex(regex), methods })),
  }
}

/** Several roles as the one object in the response to a logon: the name of the first, the authorities of all. */
export function mergedRole(roles: readonly Role[]): Role {
  return { name: roles[0]?.name ?? '', authorities: roles.flatMap((role) => role.authorities) }
}
