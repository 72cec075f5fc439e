/**
 * Rights to parts of a path. An account that may not call `/graphql` as a whole, but POST to `/graphql/Port`, may call it
 * only for the entity `Port`: the second path only stands for the right, and need not exist.
 */
import type { CompiledRole } from './role.ts'

interface Known {
  readonly names: readonly string[]
  readonly allowed: readonly string[]
}

/** Decides which parts roles have a right to, cached as long as the roles and the parts are the same. */
export class PartRights {
  readonly #known = new WeakMap<readonly CompiledRole[], Known>()

  /** The parts of a path that the roles allow separately. `names` is the same list as long as the parts do not change. */
  of(roles: readonly CompiledRole[], path: string, names: readonly string[]): readonly string[] {
    const known = this.#known.get(roles)
    if (known?.names === names) return known.allowed
    // Most patterns cannot match the path: they are excluded once, not for each name.
    const allows = roles.map((role) => role.onRecords.allowsAfter(partMethod, `${path}/`))
    const allowed = names.filter((name) => allows.some((allowsRest) => allowsRest(name)))
    this.#known.set(roles, { names, allowed })
    return allowed
  }
}

/** The method that an authority needs to give a right to a part, whatever method is then used. */
export const partMethod = 'POST'
