/** What an upload says that things were called before. */
import * as v from 'valibot'
import type { Mistake } from '../../errors/app-error.ts'
import type { EntityDefinition } from './entity-definition.ts'
import { entityNameSchema, fieldNameSchema } from './names.ts'

/**
 * The former names that nothing of the gateway's can have had, such as those of its own tables, by JSON pointer into the
 * definition. Those that nothing has any more are none: a rename is said once and stays in the definition.
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
