/** What a definition that is there already may not become: everything that would need rows to be changed or lost. */
import { isDeepStrictEqual } from 'node:util'
import type { Mistake } from '../errors/app-error.ts'
import { encodedEnum } from './check-field.ts'
import { type EntityDefinition, type EntityField, hasTable } from './entity-definition.ts'

/** The refused changes from the stored definition to the wanted one, by JSON pointer into the wanted one. */
export function refusedChanges(stored: EntityDefinition, wanted: EntityDefinition): readonly Mistake[] {
  if (!hasTable(stored) && !hasTable(wanted)) return []
  return [
    ...refusedFlags(stored, wanted),
    ...stored.fields.flatMap((field) => refusedFieldChanges(field, wanted)),
  ]
}

function refusedFlags(stored: EntityDefinition, wanted: EntityDefinition): readonly Mistake[] {
  return (['persistence', 'abstract'] as const)
    .filter((flag) => stored[flag] !== wanted[flag])
    .map((flag) => ({
      pointer: `/${flag}`,
      detail: `This is ${stored[flag]} now, and an entity cannot get or lose its table by a change. Send ${stored[flag]}, or delete the entity and upload it anew.`,
    }))
}

function refusedFieldChanges(stored: EntityField, wanted: EntityDefinition): readonly Mistake[] {
  const field = wanted.fields.find(({ name }) => name === stored.name)
  if (stored.kind === 'identifier' && field?.kind !== 'identifier') {
    const detail = `The identifier is "${stored.name}" and cannot be changed. Keep it, and add the new field to local_fields.`
    return [{ pointer: '/attributes/identifier/field_name', detail }]
  }
  if (field === undefined) return stored.persistence ? [droppedField(stored)] : []
  if (!stored.persistence && !field.persistence) return []
  if (stored.kind !== field.kind) {
    const detail = `"${stored.name}" is a ${kindNames[stored.kind]} now and cannot become a ${kindNames[field.kind]}. Keep it, and add a field with another name.`
    return [{ pointer: field.pointer, detail }]
  }
  return rules.flatMap(({ key, refusal }) => {
    const detail = refusal(stored, field)
    return detail === undefined ? [] : [{ pointer: `${field.pointer}/${key}`, detail }]
  })
}

const kindNames = { identifier: 'identifier', local: 'local field', reference: 'reference' } as const

function droppedField({ name, kind }: EntityField): Mistake {
  const list = kind === 'reference' ? 'ref_fields' : 'local_fields'
  const detail = `The field "${name}" is missing here. Dropping it would lose what records hold in it, which is not possible. Put it back.`
  return { pointer: `/attributes/${list}`, detail }
}

interface Rule {
  /** The key of the field in its JSON. */
  readonly key: string
  readonly refusal: (stored: EntityField, wanted: EntityField) => string | undefined
}

/** A rule for a property that must stay as it is. */
function fixed(key: string, property: 'type' | 'persistence' | 'nullable' | 'unique', advice: string): Rule {
  return {
    key,
    refusal: (stored, wanted) =>
      stored[property] === wanted[property]
        ? undefined
        : `This is ${stored[property]} now and cannot become ${wanted[property]}. ${advice}`,
  }
}

const newField = 'Keep it, and add a field with another name.'
const rules: readonly Rule[] = [
  fixed('field_type', 'type', newField),
  fixed('field_persistence', 'persistence', newField),
  fixed('field_nullable', 'nullable', newField),
  fixed('field_unique', 'unique', newField),
  {
    key: 'field_enum',
    refusal: (stored, wanted) =>
      isNarrower(wanted, stored)
        ? `Values that records may hold are missing here: ${stored.enum === undefined ? 'until now every value was allowed' : `until now ${JSON.stringify(stored.enum)} were allowed`}. An enum can only be widened.`
        : undefined,
  },
  {
    key: 'ref_class',
    refusal: ({ reference }, wanted) =>
      isDeepStrictEqual(reference, wanted.reference)
        ? undefined
        : `This refers to ${reference?.entity}.${reference?.field} now and cannot refer to another field. ${newField}`,
  },
]

function isNarrower(wanted: EntityField, stored: EntityField): boolean {
  if (wanted.enum === undefined) return false
  if (stored.enum === undefined) return true
  const allowed = encodedEnum(wanted.enum, wanted.type)
  return [...encodedEnum(stored.enum, stored.type)].some((value) => !allowed.has(value))
}
