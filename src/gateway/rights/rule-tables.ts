/** The tables as the conditions of authorities name them: columns by their names, and rows by the names of references and collections. */
import type { Table } from '../../database/database-schema.ts'
import type { EntityType, GraphqlModel } from '../../graphql/model/model.ts'
import type { Filterable } from '../../query/filterable.ts'
import type { PublishedEntity } from '../../record/record-rules.ts'
import type { ServedSchema } from '../served-schema.ts'

/** Finds what conditions on a table may name, and what is served of it. */
export class RuleTables {
  readonly #model: GraphqlModel
  readonly #entities: ReadonlyMap<string, EntityType>
  readonly #published: ReadonlyMap<string, PublishedEntity>
  readonly #earlierNames: ReadonlyMap<string, readonly string[]>

  constructor({ snapshot, published }: Pick<ServedSchema, 'snapshot' | 'published'>) {
    const { model } = snapshot
    this.#model = model
    this.#entities = new Map([...model.entities.values()].map((entity) => [entity.table.id, entity]))
    this.#published = new Map([...published.values()].map((entity) => [entity.table.id, entity]))
    const earlier = Map.groupBy(model.earlierNames, ([, name]) => name)
    this.#earlierNames = new Map([...earlier].map(([name, names]) => [name, names.map(([former]) => former)]))
  }

  /** The entity of a table in GraphQL. */
  entityOf({ id }: Pick<Table, 'id'>): EntityType | undefined {
    return this.#entities.get(id)
  }

  /** The published entity of a table. */
  publishedOf({ id }: Pick<Table, 'id'>): PublishedEntity | undefined {
    return this.#published.get(id)
  }

  /** The published entity with a name in GraphQL. */
  publishedAs(name: string): PublishedEntity | undefined {
    const entity = this.#model.entities.get(name)
    return entity && this.publishedOf(entity.table)
  }

  /** The names that an entity of GraphQL had before. */
  earlierNamesOf(name: string): readonly string[] {
    return this.#earlierNames.get(name) ?? []
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
