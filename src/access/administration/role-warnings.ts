import { patternOf } from '../authorization/authority.ts'
import { isPattern, type Patterns } from '../authorization/patterns.ts'
import type { Role } from '../authorization/role.ts'

/** What stands for everything below it, when a path is looked for that authorities cover unasked. */
const management = '/manage/roles'

const managementPaths = ['roles', 'accounts', 'tokens', 'routes', 'entities'].flatMap((kind) => [
  `/manage/${kind}`,
  `/manage/${kind}/x`,
])

/** Whether a role allows anything on the gateway's own management, as far as usual paths show it. */
export function allowsManagement({ authorities }: Pick<Role, 'authorities'>): boolean {
  return authorities.some(({ regex }) => managementPaths.some(patternOf(regex)))
}

/** Begins with a segment of its own, and has no other way to begin: such an expression means what it covers. */
const isAboutOnePlace = /^\^?\/(?!manage)[\w-]+(\/|$)[^|]*$/

/**
 * What an administrator may not have meant: authorities over the gateway's own management in an expression that does
 * not name it. Nothing is wrong with a role that is meant so.
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
        `The authority "${regex}" allows ${methods.join(', ')} on /manage, too: whoever has this role may look at or change accounts and roles. Write /apis/.* or what else is meant, unless it is for administrators.`,
    )
}
