import type { EntityType, GraphqlModel } from './model.ts'

/**
 * The model with only some of its entities: the others do not occur in it. Names stay the same as in the whole model.
 */
export function partOfModel({ entities, ...rest }: GraphqlModel, names: readonly string[]): GraphqlModel {
  const kept = new Set(names)
  const part = [...entities].flatMap(([name, entity]) =>
    kept.has(name) ? [[name, withoutLinksTo(entity, (target) => !kept.has(target))] as const] : [],
  )
  return { ...rest, entities: new Map(part) }
}

function withoutLinksTo(entity: EntityType, isLeftOut: (target: string) => boolean): EntityType {
  const fields = [...entity.fields].filter(([, field]) => field.kind === 'scalar' || !isLeftOut(field.target))
  return { ...entity, fields: new Map(fields) }
}

/** Each of some entities once, by its current name. */
export function currentNames(
  names: readonly string[],
  { earlierNames }: Pick<GraphqlModel, 'earlierNames'>,
): readonly string[] {
  if (earlierNames.size === 0) return names
  return [...new Set(names.map((name) => earlierNames.get(name) ?? name))]
}
