import type { Filterable } from '../../query/filterable.ts'
import type { EntityType, GraphqlModel } from '../model/model.ts'

/**
 * What filters on an entity may name: its own fields, and the rows that its references and collections lead to, as far as
 * the model has them and the caller may read them.
 */
export function filterableIn(
  context: { readonly model: Pick<GraphqlModel, 'entities'>; readonly hidesSchema: boolean },
  { filterable, fields }: EntityType,
): Filterable {
  return {
    ...filterable,
    suggestsNames: !context.hidesSchema,
    related(name) {
      const field = fields.get(name)
      if (field === undefined || field.kind === 'scalar') return undefined
      const target = context.model.entities.get(field.target)
      if (target === undefined) return undefined
      const { table, rights } = target
      const isList = field.kind === 'collection'
      return { ...field.link, table, rights, isList, filterable: filterableIn(context, target) }
    },
  }
}
