import type { GraphqlNames } from '../entity/publish/published-entities.ts'
import type { GraphqlModel } from '../graphql/model/model.ts'

/** What published APIs take from GraphQL, so that both have one name for each record. */
export function graphqlNamesOf({ entities }: Pick<GraphqlModel, 'entities'>): GraphqlNames {
  const byTable = new Map([...entities.values()].map((entity) => [entity.table.id, entity]))
  return {
    tableNamed: (name) => entities.get(name)?.table,
    globalIdOf: ({ id }) => byTable.get(id)?.filterable.globalId,
  }
}
