/** What a caller may read of the entities in GraphQL. */
import { graphqlPath } from '../../access/authorization/authorize.ts'
import type { partMethod } from '../../access/authorization/part-rights.ts'
import type { EntityRights } from '../../graphql/model/restrict-model.ts'
import type { SchemaSnapshot } from '../../graphql/snapshot.ts'
import { TimeSlices } from '../../util/time-slices.ts'
import { type GrantContext, grantsOf } from './grants.ts'
import { readRightsFor } from './read-rights-for.ts'
import { allowing, allowingPart, type RightsHolder } from './rights-holder.ts'

/** The rights by entity. */
export interface GraphqlRights {
  /** Of those of which not everything is granted. */
  readonly byName: ReadonlyMap<string, EntityRights>
  /** The entities on which something is granted. */
  readonly names: readonly string[]
  /** The same for all callers with the same rights but for values. */
  readonly shape: string
  readonly durations: readonly string[]
}

/** What is granted by a method on `/graphql`, of the entities with some names or of all; in time slices. */
export async function graphqlRights(
  holder: RightsHolder,
  method: typeof partMethod | 'GET',
  names: readonly string[] | undefined,
  context: GrantContext,
  { entityNames, model }: SchemaSnapshot,
): Promise<GraphqlRights> {
  const byName = new Map<string, EntityRights>()
  const granted: string[] = []
  const shapes: unknown[] = []
  const durations = new Set<string>()
  const slices = new TimeSlices()
  const onWhole = allowing(holder, method, graphqlPath)
  for (const asked of names ?? entityNames) {
    if (slices.isOver) await slices.next()
    const name = model.earlierNames.get(asked) ?? asked
    const entity = model.entities.get(name)
    if (entity === undefined) continue
    const parts = [name, ...context.tables.earlierNamesOf(name)]
    const byPart = parts.flatMap((part) => allowingPart(holder, part))
    const grants = grantsOf([...new Set([...onWhole, ...byPart])], entity.table, context)
    if (grants.length === 0) continue
    granted.push(name)
    const rights = readRightsFor(grants, entity.table)
    if (rights === undefined) continue
    byName.set(name, rights)
    shapes.push([name, ...grants.map(({ shape }) => shape)])
    for (const grant of grants) for (const duration of grant.durations) durations.add(duration)
  }
  return { byName, names: granted, shape: JSON.stringify(shapes), durations: [...durations] }
}
