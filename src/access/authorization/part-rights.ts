/**
 * Rights to parts of what is at a path. Whoever may not call `/graphql` as a whole, but POST to
 * `/graphql/Port`, may call it for the entity `Port` alone: the second path stands for the right, and nothing
 * has to be there.
 */
import type { CompiledRole } from './role.ts'

interface Known {
  readonly names: readonly string[]
  readonly allowed: readonly string[]
}

/** Decides which parts roles have a right to, once for as long as the roles and the parts are the same. */
export class PartRights {
  readonly #known = new WeakMap<readonly CompiledRole[], Known>()

  /** Those of the parts of a path that the roles allow one by one. `names` is the same list while the parts are. */
  of(roles: readonly CompiledRole[], path: string, names: readonly string[]): readonly string[] {
    const known = this.#known.get(roles)
    if (known?.names === names) return known.allowed
    // Most patterns have nothing to do with the path: they are put aside once, and not for each name.
    const allows = roles.map((role) => role.allowsAfter(partMethod, `${path}/`))
    const allowed = names.filter((name) => allows.some((allowsRest) => allowsRest(name)))
    this.#known.set(roles, { names, allowed })
    return allowed
  }
}

/** The method that an authority must have to give a right to a part, whatever the part is then called by. */
export const partMethod = 'POST'
