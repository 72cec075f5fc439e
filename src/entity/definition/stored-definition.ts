import { invariant } from '../../errors/invariant.ts'
import type { StoredEntity } from '../../store/entity-store.ts'
import { mapInSlices } from '../../util/time-slices.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { parseEntityDefinition } from './parse-entity-definition.ts'

/** A stored entity with its definition parsed. */
export interface KnownEntity {
  readonly entity: StoredEntity
  readonly definition: EntityDefinition
}

/** Parses stored definitions, in time slices; they were checked before they were stored. */
export function readStoredEntities(stored: readonly StoredEntity[]): Promise<readonly KnownEntity[]> {
  return mapInSlices(stored, (entity) => {
    const { definition, mistakes } = parseEntityDefinition(entity.definition)
    invariant(
      definition !== undefined && mistakes.length === 0,
      `the stored definition of ${entity.name} can be read`,
    )
    return { entity, definition }
  })
}
