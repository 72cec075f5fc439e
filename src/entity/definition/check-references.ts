/** Checks references between entities, in any order. */
import { type Mistake, toldMistakes } from '../../errors/app-error.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import type { UploadedEntity } from '../upload/read-upload.ts'
import { type EntityDefinition, type EntityField, hasTable } from './entity-definition.ts'
import type { KnownEntity } from './stored-definition.ts'

interface Target {
  readonly definition: EntityDefinition
  readonly complete: boolean
}

/**
 * The mistakes in the references of an upload, up to the limit; `kept` are the stored entities that it does not replace.
 */
export function checkReferences(
  uploads: readonly UploadedEntity[],
  kept: readonly KnownEntity[],
): readonly Mistake[] {
  const targets = new Map<string, Target>()
  for (const { definition } of kept) targets.set(definition.name, { definition, complete: true })
  for (const upload of uploads) targets.set(upload.definition.name, upload)
  const mistakes: Mistake[] = []
  for (const { pointer, definition } of uploads) {
    for (const field of definition.fields) {
      for (const mistake of checkReference(field, targets)) {
        mistakes.push({ ...mistake, pointer: pointer + mistake.pointer })
      }
      if (mistakes.length > toldMistakes) return mistakes
    }
  }
  return mistakes
}

/**
 * The mistakes in references of other entities to those of an upload. `replaced` are the names that no longer exist after
 * the upload.
 */
export function checkReferrers(
  uploads: readonly UploadedEntity[],
  kept: readonly KnownEntity[],
  replaced: ReadonlyMap<string, UploadedEntity>,
): readonly Mistake[] {
  const targets = new Map(uploads.map((upload) => [upload.definition.name, upload]))
  return kept.flatMap(({ definition }) =>
    definition.fields.flatMap((field) => {
      const { reference } = field
      if (reference === undefined) return []
      const renamed = replaced.get(reference.entity)
      const upload = renamed ?? targets.get(reference.entity)
      if (upload === undefined) return []
      const who = `"${definition.name}" refers to ${reference.entity}.${reference.field} with "${field.name}"`
      if (renamed !== undefined) {
        const detail = `${who}. Upload "${definition.name}" with it, with the new name in its ref_class.`
        return [{ pointer: `${upload.pointer}/renamed_from`, detail }]
      }
      return checkReference(field, targets).map(({ detail }) => ({
        pointer: `${upload.pointer}/name`,
        detail: `${who}, and then: ${detail} Upload "${definition.name}" with it, changed.`,
      }))
    }),
  )
}

function checkReference(field: EntityField, targets: ReadonlyMap<string, Target>): readonly Mistake[] {
  const { reference, pointer, type } = field
  if (reference === undefined) return []
  const mistake = (key: string, detail: string) => [{ pointer: `${pointer}/${key}`, detail }]
  const target = targets.get(reference.entity)
  if (target === undefined) {
    const suggestion = didYouMean(reference.entity, targets.keys())
    return mistake('ref_class', `There is no entity "${reference.entity}"${suggestion}.`)
  }
  if (!hasTable(target.definition)) {
    return mistake(
      'ref_class',
      `"${reference.entity}" has no table: a reference needs an entity with persistence true and abstract false.`,
    )
  }
  const referenced = target.definition.fields.find(({ name }) => name === reference.field)
  const place = `${reference.entity}.${reference.field}`
  if (referenced === undefined) {
    if (!target.complete) return []
    const suggestion = didYouMean(reference.field, referableNames(target.definition))
    return mistake('ref_class_field', `"${reference.entity}" has no field "${reference.field}"${suggestion}.`)
  }
  if (!referenced.unique || !referenced.persistence) {
    const names = referableNames(target.definition).join(', ')
    return mistake(
      'ref_class_field',
      `${place} does not tell records apart: refer to the identifier or a unique field, such as ${names}.`,
    )
  }
  // A reference between two existing columns is valid with any types.
  return referenced.type === type || (field.column !== undefined && referenced.column !== undefined)
    ? []
    : mistake(
        'field_type',
        `${place} is of type ${referenced.type}, so this must be ${referenced.type}, too.`,
      )
}

function referableNames({ fields }: EntityDefinition): readonly string[] {
  return fields.filter(({ unique, persistence }) => unique && persistence).map(({ name }) => name)
}
