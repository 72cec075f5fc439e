/** The tables as the conditions of authorities name them: columns by their names, and rows by the names of references and collections. */
import type { Table } from '../../database/database-schema.ts'
import type { EntityType, GraphqlModel } from '../../graphql/model/model.ts'
import type { Filterable } from '../../query/filterable.ts'

/** Finds what conditions on a table may name, within one model. */
export class RuleTables {
  readonly #model: GraphqlModel
  readonly #entities: ReadonlyMap<string, EntityType>

  constructor(model: GraphqlModel) {
    this.#model = model
    this.#entities = new Map([...model.entities.values()].map((entity) => [entity.table.id, entity]))
  }

  /** The entity of a table in GraphQL. */
  entityOf({ id }: Pick<Table, 'id'>): EntityType | undefined {
    return this.#entities.get(id)
  }

  /** What a condition on this table may name. */
  filterableOf(table: Table): Filterable {
    const entity = this.entityOf(table)
    return {
      columns: table.columns,
      related: (name) => {
        const field = entity?.fields.get(name)
        if (field === undefined || field.kind === 'scalar') return undefined
        const target = this.#model.entities.get(field.target)
        if (target === undefined) return undefined
        const { table } = target
        const isList = field.kind === 'collection'
        // A rule sees all rows of the tables that it names.
        return { ...field.link, table, isList, rights: undefined, filterable: this.filterableOf(table) }
      },
    }
  }
}
