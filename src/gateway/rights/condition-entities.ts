/** Which entities conditions on records are about, by the paths that lead to these. */
import { graphqlPath } from '../../access/authorization/authorize.ts'
import type { ConditionedPaths } from '../../access/authorization/conditions-report.ts'
import { includesMethod } from '../../access/authorization/method.ts'
import { partMethod } from '../../access/authorization/part-rights.ts'
import type { EntityType } from '../../graphql/model/model.ts'
import type { ServedSchema } from '../served-schema.ts'

/** An entity with the paths of its records. */
export interface EntityPaths {
  readonly entity: EntityType
  /** Undefined if it is not published. */
  readonly list: string | undefined
}

/** All entities that are served. */
export function entityPaths({
  snapshot,
  published,
}: Pick<ServedSchema, 'snapshot' | 'published'>): readonly EntityPaths[] {
  const resources = new Map([...published.values()].map(({ table, resource }) => [table.id, resource]))
  return [...snapshot.model.entities.values()].map((entity) => {
    const resource = resources.get(entity.table.id)
    return { entity, list: resource === undefined ? undefined : `/apis/${resource}` }
  })
}

/** Whether conditions are about an entity: for their method, too, where only some methods lead to it. */
export function aboutEntity({
  methods,
  matches,
  below,
}: Pick<ConditionedPaths, 'methods' | 'matches' | 'below'>): (paths: EntityPaths) => boolean {
  const givesParts = includesMethod(methods, partMethod)
  const givesAll = matches(graphqlPath) && (givesParts || includesMethod(methods, 'GET'))
  return ({ entity, list }) =>
    givesAll ||
    (givesParts && matches(`${graphqlPath}/${entity.name}`)) ||
    (list !== undefined && (matches(list) || below(list)))
}
