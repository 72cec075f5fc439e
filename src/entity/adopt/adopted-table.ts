import type { DatabaseSchema } from '../../database/database-schema.ts'
import type { Ddl } from '../../database/dialect.ts'
import { columnFields, type EntityDefinition } from '../definition/entity-definition.ts'
import { type Drift, driftOf } from '../plan/drift.ts'
import { fieldTypesOver } from './foreign-columns.ts'

/** How an adopted table differs from its definition, in sentences; empty if it does not. */
export function misfitsOf(
  definition: EntityDefinition,
  found: DatabaseSchema,
  ddl: Pick<Ddl, 'hasType'>,
): readonly string[] {
  return [
    ...driftOf(definition, found, ddl).map(({ detail }) => detail),
    ...typeMisfits(definition, found).map(({ detail }) => detail),
  ]
}

/** The fields whose type does not fit their column. */
export function typeMisfits(
  definition: EntityDefinition,
  { tables }: DatabaseSchema,
): readonly Pick<Drift, 'column' | 'detail'>[] {
  const columns = tables.get(definition.name)?.columns
  return columnFields(definition).flatMap(({ name, type, column }) => {
    const found = column === undefined ? undefined : columns?.get(name)
    if (found === undefined || fieldTypesOver(found).includes(type)) return []
    const types = fieldTypesOver(found).join(' or ')
    return [
      {
        column: name,
        detail: `The column "${name}" of type ${found.nativeType} can be ${types}, and not ${type}.`,
      },
    ]
  })
}
