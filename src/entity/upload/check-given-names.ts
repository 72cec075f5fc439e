import type { DatabaseSchema } from '../../database/database-schema.ts'
import { describeTableKey, tableKeyOf } from '../../database/table-names.ts'
import type { Mistake } from '../../errors/app-error.ts'
import type { GivenNames } from '../../store/given-names.ts'
import { hasTable } from '../definition/entity-definition.ts'
import type { KnownEntity } from '../definition/stored-definition.ts'
import { tableMeantBy } from './entity-tables.ts'
import type { UploadedEntity } from './read-upload.ts'

/**
 * The mistakes in names that belong to other tables in GraphQL, since rights may refer to them. An entity whose table
 * existed before keeps its name.
 */
export function checkGivenNames(
  uploads: readonly UploadedEntity[],
  known: readonly KnownEntity[],
  given: Pick<GivenNames, 'tables' | 'owned'> | undefined,
  found: DatabaseSchema,
): readonly Mistake[] {
  const owners = new Map([
    ...Object.entries(given?.tables ?? {}).map(([key, name]) => [name, key] as const),
    ...Object.entries(given?.owned?.tables ?? {}),
  ])
  const before = new Set(
    known.filter(({ definition }) => hasTable(definition)).map(({ definition }) => definition.name),
  )
  return uploads.flatMap(({ pointer, definition }) => {
    const { name } = definition
    if (!hasTable(definition) || before.has(name)) return []
    const owner = owners.get(name)
    const own = tableKeyOf(tableMeantBy(definition, found))
    if (owner === undefined || owner === own) return []
    const detail = `In GraphQL the name "${name}" belongs to the ${describeTableKey(owner)}, even while it does not exist. Choose another name.`
    return [{ pointer: `${pointer}/name`, detail }]
  })
}
