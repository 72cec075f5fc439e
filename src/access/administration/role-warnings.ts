import { type Authority, patternOf } from '../authorization/authority.ts'
import { includesMethod } from '../authorization/method.ts'
import type { PathPattern } from '../authorization/path-automaton.ts'
import { adviceOn, withBelow } from '../authorization/pattern-advice.ts'
import { isPattern, type Patterns } from '../authorization/patterns.ts'
import type { Role } from '../authorization/role.ts'

/** Sample paths below `/manage`, to find authorities that cover it unintentionally. */
const management = '/manage/roles'

const managementPaths = ['roles', 'accounts', 'tokens', 'routes', 'entities'].flatMap((kind) => [
  `/manage/${kind}`,
  `/manage/${kind}/x`,
])

/** Whether a role allows anything on the management API, judged by its usual paths. */
export function allowsManagement({ authorities }: Pick<Role, 'authorities'>): boolean {
  return authorities.some(({ regex }) => managementPaths.some(patternOf(regex)))
}

/** Begins with a literal segment, and has no other beginning: such an expression is intentional. */
const isAboutOnePlace = /^\^?\/(?!manage)[\w-]+(\/|$)[^|]*$/

/**
 * Warns of authorities that may be unintended: they cover the management API without naming it, match no path, or match
 * the list of a published API without its records. The role is valid nevertheless.
 */
export async function roleWarnings(
  { authorities }: Pick<Role, 'authorities'>,
  patterns: Patterns,
): Promise<readonly string[]> {
  const compiled = await patterns.compile(authorities.map(({ regex }) => regex))
  const held = authorities.flatMap((authority) => {
    const pattern = compiled.get(authority.regex)
    return isPattern(pattern) ? [{ ...authority, pattern }] : []
  })
  return held.flatMap((authority) => [
    ...managementWarning(authority),
    ...adviceWarning(authority),
    ...listWarning(authority, held),
  ])
}

interface HeldAuthority extends Authority {
  readonly pattern: PathPattern
}

function managementWarning({ regex, methods, pattern }: HeldAuthority): readonly string[] {
  if (regex.includes('manage') || isAboutOnePlace.test(regex) || !pattern(management)) return []
  return [
    `The authority "${regex}" also allows ${methods.join(', ')} on /manage: accounts with this role may see or change accounts and roles. Unless it is for administrators, write a narrower expression such as /apis/.*.`,
  ]
}

function adviceWarning({ regex, pattern }: HeldAuthority): readonly string[] {
  const advice = adviceOn(regex, pattern)
  return advice === undefined ? [] : [`The authority "${regex}" looks wrong. ${advice}`]
}

/** What a record has and its list has not, besides reading. */
const recordMethods = ['GET', 'PUT', 'PATCH', 'DELETE']
const listPath = /^\/apis\/[\w-]+$/

function listWarning({ regex, methods }: HeldAuthority, held: readonly HeldAuthority[]): readonly string[] {
  if (!listPath.test(regex)) return []
  const isBelow = (method: string) =>
    held.some((other) => includesMethod(other.methods, method) && other.pattern.below(regex))
  const missing = recordMethods.filter((method) => includesMethod(methods, method) && !isBelow(method))
  if (missing.length === 0) return []
  return [
    `The authority "${regex}" allows ${missing.join(', ')} on the list only, and not on the records below it. If they are meant too, write "${withBelow(regex)}".`,
  ]
}
