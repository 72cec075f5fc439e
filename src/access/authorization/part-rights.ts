/**
 * Rights to parts of a path. An account that may not call `/graphql` as a whole, but POST to `/graphql/Port`, may call it
 * only for the entity `Port`: the second path only stands for the right, and need not exist.
 */
import type { CompiledRole } from './role.ts'

interface Known {
  readonly names: readonly string[]
  readonly open: readonly string[]
  readonly allowed: readonly string[]
}

/** Decides which parts roles have a right to, cached as long as the roles and the parts are the same. */
export class PartRights {
  readonly #known = new WeakMap<readonly CompiledRole[], Known>()

  /**
   * The parts of a path that the roles allow separately, and those that are open to anyone. `names` and `open` are the same
   * lists as long as the parts and the public routes do not change.
   */
  of(
    roles: readonly CompiledRole[],
    path: string,
    names: readonly string[],
    open: readonly string[],
  ): readonly string[] {
    const known = this.#known.get(roles)
    if (known?.names === names && known.open === open) return known.allowed
    // Most patterns cannot match the path: they are excluded once, not for each name.
    const allows = roles.map((role) => role.onRecords.allowsAfter(partMethod, `${path}/`))
    const isOpen = new Set(open)
    const allowed = names.filter((name) => isOpen.has(name) || allows.some((allowsRest) => allowsRest(name)))
    this.#known.set(roles, { names, open, allowed })
    return allowed
  }
}

/** The method that an authority needs to give a right to a part, whatever method is then used. */
export const partMethod = 'POST'
