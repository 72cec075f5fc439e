/** Where requests for published records may lead: to entities whose own lists the caller may read. */
import { isAllowedOnRecords } from '../../access/authorization/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { EntityField } from '../../graphql/model/model.ts'
import { isReadable } from '../../record/record-rights.ts'
import type { PublishedEntity, Relations } from '../../record/record-rules.ts'
import type { RecordAccess } from './record-access.ts'

/** See the head of this file. */
export interface RelatedEntities {
  /**
   * The entity with what requests of a caller may follow from it. Without a caller that is nothing: a public API opens
   * itself only.
   */
  follow<Entity extends PublishedEntity>(caller: Caller | undefined, entity: Entity): Entity
}

type RelationField = Exclude<EntityField, { readonly kind: 'scalar' }>

/** Creates it. */
export function createRelatedEntities(
  recordAccess: Pick<RecordAccess, 'entityFor' | 'tables'>,
): RelatedEntities {
  function relationsOf(caller: Caller | undefined, entity: PublishedEntity): Relations {
    const tables = recordAccess.tables()
    const fields = tables.entityOf(entity.table)?.fields
    const mayList = (path: string) => caller !== undefined && isAllowedOnRecords(caller.roles, 'GET', path)

    function follow(field: RelationField): ReturnType<Relations['follow']> {
      const found = tables.publishedAs(field.target)
      const { own, other } = field.link
      if (found === undefined || !own.every(({ name }) => isReadable(entity.rights, name))) return undefined
      const path = `/apis/${found.resource}`
      if (caller === undefined || !mayList(path)) return { forbidden: found }
      const reached = recordAccess.entityFor({ caller, publicRoutes: undefined }, 'GET', path, found)
      if (!other.every(({ name }) => isReadable(reached.rights, name))) return undefined
      return { entity: withRelations(caller, reached), isList: field.kind === 'collection', own, other }
    }

    return {
      names: () =>
        [...(fields?.values() ?? [])].flatMap((field) => {
          const found = field.kind === 'scalar' ? undefined : follow(field)
          return found === undefined || 'forbidden' in found ? [] : [field.name]
        }),
      follow: (name) => {
        const field = fields?.get(name)
        return field === undefined || field.kind === 'scalar' ? undefined : follow(field)
      },
    }
  }

  function withRelations<Entity extends PublishedEntity>(caller: Caller | undefined, entity: Entity): Entity {
    return { ...entity, related: relationsOf(caller, entity) }
  }

  return { follow: withRelations }
}
