/** Where filters of a published list may lead: to entities whose own lists the caller may read. */
import { isAllowedOnRecords } from '../../access/authorization/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { isReadable } from '../../record/record-rights.ts'
import type { PublishedEntity, RelatedEntity } from '../../record/record-rules.ts'
import type { RecordAccess } from './record-access.ts'

/** See the head of this file. */
export interface RelatedEntities {
  /** The entity with what a caller's filters may follow from it. Without a caller it is nothing: a public API opens itself only. */
  follow(caller: Caller | undefined, entity: PublishedEntity): PublishedEntity
}

/** Creates it. */
export function createRelatedEntities(
  recordAccess: Pick<RecordAccess, 'entityFor' | 'tables'>,
): RelatedEntities {
  function relatedTo(caller: Caller, entity: PublishedEntity, name: string): RelatedEntity | undefined {
    const tables = recordAccess.tables()
    const field = tables.entityOf(entity.table)?.fields.get(name)
    if (field === undefined || field.kind === 'scalar') return undefined
    const found = tables.publishedAs(field.target)
    if (found === undefined) return undefined
    const path = `/apis/${found.resource}`
    if (!isAllowedOnRecords(caller.roles, 'GET', path)) return undefined
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
