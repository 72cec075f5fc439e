/** Checks the names of all entities, uploaded and stored ones, against each other. */
import type { Mistake } from '../../errors/app-error.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'
import type { EntityDefinition } from './entity-definition.ts'
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
    const duplicate = duplicateMistake(name, names.get(name.toLowerCase()))
    const taken = duplicate ?? resourceMistake(definition, resource, resources.get(resource.toLowerCase()))
    const key = duplicate === undefined && definition.resource !== undefined ? 'resource' : 'name'
    if (taken !== undefined) mistakes.push({ pointer: `${pointer}/${key}`, detail: taken })
    names.set(name.toLowerCase(), name)
    resources.set(resource.toLowerCase(), name)
  }
  return mistakes
}

function duplicateMistake(name: string, duplicate: string | undefined): string | undefined {
  if (duplicate === undefined) return undefined
  return duplicate === name
    ? `"${name}" is in the list more than once.`
    : `"${name}" differs from the entity "${duplicate}" only in case, which not every database tells apart.`
}

function resourceMistake(
  { resource: chosen }: EntityDefinition,
  resource: string,
  owner: string | undefined,
): string | undefined {
  const remedy =
    chosen === undefined ? 'Choose another name, or a "resource" for it' : 'Choose another resource'
  return (
    owner && `This entity would be published at /apis/${resource}, where "${owner}" already is. ${remedy}.`
  )
}
