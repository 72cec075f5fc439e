/** What must hold between the names of all entities, those of an upload and those that are stored. */
import type { Mistake } from '../errors/app-error.ts'
import type { UploadedEntity } from './read-upload.ts'
import type { KnownEntity } from './stored-definition.ts'

/** The mistakes in the names of an upload; `kept` are the stored entities that it does not replace. */
export function checkNames(
  uploads: readonly UploadedEntity[],
  kept: readonly KnownEntity[],
): readonly Mistake[] {
  const names = new Map(kept.map(({ entity }) => [entity.name.toLowerCase(), entity.name]))
  const resources = new Map(kept.map(({ entity }) => [entity.resource.toLowerCase(), entity.name]))
  const mistakes: Mistake[] = []
  for (const { pointer, definition, resource } of uploads) {
    const { name } = definition
    const detail =
      twinMistake(name, names.get(name.toLowerCase())) ??
      resourceMistake(resource, resources.get(resource.toLowerCase()))
    if (detail !== undefined) mistakes.push({ pointer: `${pointer}/name`, detail })
    names.set(name.toLowerCase(), name)
    resources.set(resource.toLowerCase(), name)
  }
  return mistakes
}

function twinMistake(name: string, twin: string | undefined): string | undefined {
  if (twin === undefined) return undefined
  return twin === name
    ? `"${name}" is in the list more than once.`
    : `"${name}" differs from the entity "${twin}" only in case, which not every database tells apart.`
}

function resourceMistake(resource: string, owner: string | undefined): string | undefined {
  return (
    owner &&
    `This entity would be published at /apis/${resource}, where "${owner}" is already. Choose another name.`
  )
}
