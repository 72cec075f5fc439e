/** Where filters of a published list may lead: to entities whose own lists the caller may read. */
import { isAllowedOnRecords } from '../../access/authorization/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { EntityType } from '../../graphql/model/model.ts'
import type { SchemaSnapshot } from '../../graphql/snapshot.ts'
import { isReadable } from '../../record/record-rights.ts'
import type { PublishedEntity, RelatedEntity } from '../../record/record-rules.ts'
import type { ServedSchema } from '../served-schema.ts'
import type { RecordAccess } from './record-access.ts'

interface RelatedEntitiesParts {
  readonly served: () => ServedSchema
  readonly recordAccess: Pick<RecordAccess, 'entityFor'>
}

/** See the head of this file. */
export interface RelatedEntities {
  /** The entity with what a caller's filters may follow from it. Without a caller it is nothing: a public API opens itself only. */
  follow(caller: Caller | undefined, entity: PublishedEntity): PublishedEntity
}

/** Creates it. */
export function createRelatedEntities({ served, recordAccess }: RelatedEntitiesParts): RelatedEntities {
  const known = new WeakMap<SchemaSnapshot, EntitiesOfTables>()

  function entitiesOf(schema: ServedSchema): EntitiesOfTables {
    const found = known.get(schema.snapshot) ?? entitiesOfTables(schema)
    known.set(schema.snapshot, found)
    return found
  }

  function relatedTo(caller: Caller, entity: PublishedEntity, name: string): RelatedEntity | undefined {
    const schema = served()
    const { types, published } = entitiesOf(schema)
    const field = types.get(entity.table.id)?.fields.get(name)
    if (field === undefined || field.kind === 'scalar') return undefined
    const target = schema.snapshot.model.entities.get(field.target)
    const resource = target && published.get(target.table.id)
    const found = resource === undefined ? undefined : schema.published.get(resource)
    const path = `/apis/${resource}`
    if (found === undefined || !isAllowedOnRecords(caller.roles, 'GET', path)) return undefined
    const reached = recordAccess.entityFor({ caller, publicRoutes: undefined }, 'GET', path, found)
    const { own, other } = field.link
    const isSeen =
      own.every((column) => isReadable(entity.rights, column.name)) &&
      other.every((column) => isReadable(reached.rights, column.name))
    if (!isSeen) return undefined
    return { entity: follow(caller, reached), isList: field.kind === 'collection', own, other }
  }

  function follow(caller: Caller | undefined, entity: PublishedEntity): PublishedEntity {
    if (caller === undefined) return entity
    return { ...entity, related: (name) => relatedTo(caller, entity, name) }
  }

  return { follow }
}

interface EntitiesOfTables {
  /** By the ids of their tables. */
  readonly types: ReadonlyMap<string, EntityType>
  /** The resources of published entities, by the ids of their tables. */
  readonly published: ReadonlyMap<string, string>
}

function entitiesOfTables({ snapshot, published }: ServedSchema): EntitiesOfTables {
  return {
    types: new Map([...snapshot.model.entities.values()].map((type) => [type.table.id, type])),
    published: new Map([...published.values()].map(({ table, resource }) => [table.id, resource])),
  }
}
