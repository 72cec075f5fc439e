import { patternOf } from '../authorization/authority.ts'
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
 * Warns of authorities that cover the management API without naming it, which may be unintended. The role is valid
 * nevertheless.
 */
export async function roleWarnings(
  { authorities }: Pick<Role, 'authorities'>,
  patterns: Patterns,
): Promise<readonly string[]> {
  const suspects = authorities.filter(
    ({ regex }) => !regex.includes('manage') && !isAboutOnePlace.test(regex),
  )
  const compiled = await patterns.compile(suspects.map(({ regex }) => regex))
  const covers = (regex: string) => {
    const pattern = compiled.get(regex)
    return isPattern(pattern) && pattern(management)
  }
  return suspects
    .filter(({ regex }) => covers(regex))
    .map(
      ({ regex, methods }) =>
        `The authority "${regex}" also allows ${methods.join(', ')} on /manage: accounts with this role may see or change accounts and roles. Unless it is for administrators, write a narrower expression such as /apis/.*.`,
    )
}
