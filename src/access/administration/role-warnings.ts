import { mapInSlices } from '../../util/time-slices.ts'
import { type Authority, compileAuthority, patternOf } from '../authorization/authority.ts'
import { Containment } from '../authorization/authority-containment.ts'
import { includesMethod, knownMethods } from '../authorization/method.ts'
import type { PathPattern } from '../authorization/path-automaton.ts'
import { allBut } from '../authorization/path-complement.ts'
import { adviceOn, withBelow } from '../authorization/pattern-advice.ts'
import { isPattern, type Patterns } from '../authorization/patterns.ts'
import { conditionsOf, type RecordConditions } from '../authorization/record-conditions.ts'
import type { Role } from '../authorization/role.ts'

/** Sample paths below `/manage`, to find authorities that cover it unintentionally. */
const management = '/manage/roles'

const managementPaths = ['roles', 'accounts', 'tokens', 'routes', 'entities'].flatMap((kind) => [
  `/manage/${kind}`,
  `/manage/${kind}/x`,
])

/** Whether a role allows anything on the management API, judged by its usual paths. */
export function allowsManagement({ authorities }: Pick<Role, 'authorities'>): boolean {
  return authorities.some(
    (authority) => conditionsOf(authority) === undefined && managementPaths.some(patternOf(authority.regex)),
  )
}

/** Begins with a literal segment, and has no other beginning: such an expression is intentional. */
const isAboutOnePlace = /^\^?\/(?!manage)[\w-]+(\/|$)[^|]*$/

/**
 * Warns of authorities that may be unintended: they cover the management API without naming it, match no path, match the
 * list of a published API without its records, or have conditions without an effect. The role is valid nevertheless.
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
  const outside = new Containment([outsideRecords])
  const warnings = await mapInSlices(held, (authority) => [
    ...managementWarning(authority),
    ...adviceWarning(authority),
    ...listWarning(authority, held),
    ...recordsWarning(authority, outside),
    ...setWithoutEffect(`The authority "${authority.regex}"`, authority.methods, authority.set),
  ])
  return warnings.flat()
}

interface HeldAuthority extends Authority {
  readonly pattern: PathPattern
}

function managementWarning({ regex, methods, pattern, ...conditions }: HeldAuthority): readonly string[] {
  if (conditionsOf(conditions) !== undefined) return []
  if (regex.includes('manage') || isAboutOnePlace.test(regex) || !pattern(management)) return []
  return [
    `The authority "${regex}" also allows ${methods.join(', ')} on /manage: accounts with this role may see or change accounts and roles. Unless it is for administrators, write a narrower expression such as /apis/.*.`,
  ]
}

function adviceWarning({ regex, pattern }: HeldAuthority): readonly string[] {
  const advice = adviceOn(regex, pattern)
  return advice === undefined ? [] : [`The authority "${regex}" looks wrong. ${advice}`]
}

/** Matches every path that is not one of records. */
const outsideRecords = compileAuthority(
  {
    regex: allBut('/', `(?:|[^ag].*|a${allBut('pis', '(?:|[^/].*)')}|g${allBut('raphql', '[^/].*')})`),
    methods: [...knownMethods],
  },
  patternOf,
)

function recordsWarning(authority: HeldAuthority, outside: Containment): readonly string[] {
  const { regex, methods, pattern, rows, fields, set } = authority
  if (conditionsOf({ rows, fields, set }) === undefined || adviceOn(regex, pattern) !== undefined) return []
  if (outside.notHeld({ regex, methods }) !== undefined) return []
  const named = Object.entries({ rows, fields, set }).flatMap(([name, value]) => (value ? [`"${name}"`] : []))
  return [
    `The authority "${regex}" grants nothing: with ${named.join(', ')} it is for records only, at /apis/... and /graphql, and it matches none of their paths.`,
  ]
}

const writingMethods = ['POST', 'PUT', 'PATCH']

/** Warns of values that are set where no record is written. `subject` begins the sentence. */
export function setWithoutEffect(
  subject: string,
  methods: readonly string[],
  set: RecordConditions['set'],
): readonly string[] {
  if (set === undefined || methods.some((method) => writingMethods.includes(method))) return []
  return [
    `${subject} has "set" without effect: with ${methods.join(', ')} no record is written. Add POST, PUT or PATCH, or leave "set" out.`,
  ]
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
