/** The former names in an upload. */
import * as v from 'valibot'
import type { Mistake } from '../../errors/app-error.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { entityNameSchema, fieldNameSchema } from './names.ts'

/**
 * Impossible former names, such as those of the gateway's own tables, by JSON pointer into the definition. Names that no
 * longer exist are allowed: `renamed_from` takes effect once and may stay in the definition.
 */
export function checkFormerNames({ renamedFrom, fields }: EntityDefinition): readonly Mistake[] {
  return [
    ...mistakesOf(renamedFrom, '', entityNameSchema),
    ...fields.flatMap((field) => mistakesOf(field.renamedFrom, field.pointer, fieldNameSchema)),
  ]
}

function mistakesOf(
  name: string | undefined,
  pointer: string,
  schema: typeof entityNameSchema | typeof fieldNameSchema,
): readonly Mistake[] {
  if (name === undefined) return []
  const { issues = [] } = v.safeParse(schema, name)
  return issues.map(({ message }) => ({ pointer: `${pointer}/renamed_from`, detail: message }))
}
