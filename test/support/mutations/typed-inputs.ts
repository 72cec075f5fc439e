/** What the schema says of inputs: their fields and types, and which values do not fit these. */
import { entityNamed, type PlainRelation } from '../plain-evaluator.ts'
import type { MutationField, PlainInput } from './mutation.ts'
import type { WrittenEntity, WrittenField, WrittenWorld } from './written-world.ts'

export type InputKind = 'Create' | 'Update'

/** The fields of an input. */
export function inputFields({ fields }: WrittenEntity, kind: InputKind): readonly WrittenField[] {
  return [...fields.values()].filter(({ immutable }) => kind === 'Create' || !immutable)
}

/** The references that an input may have in place of a field. */
export function inputReferences(
  entity: WrittenEntity,
  kind: InputKind,
  { data }: WrittenWorld,
): readonly (readonly [name: string, PlainRelation])[] {
  const names = inputFields(entity, kind).map(({ name }) => name)
  return [...entityNamed(data, entity.name).relations].filter(
    ([, relation]) => relation.kind === 'reference' && relation.own.every((own) => names.includes(own)),
  )
}

/** The type of a field, without whether it must be given. */
export function inputType(entity: WrittenEntity, field: WrittenField): string {
  if (hasEnumType(field)) return `${entity.name}_${field.name}_Enum`
  switch (field.type) {
    case 'integer':
      return field.isLong ? 'BigInt' : 'Int'
    case 'float':
      return 'Float'
    case 'boolean':
      return 'Boolean'
    case 'DateTime':
    case 'Date':
      return field.type
    case 'array':
    case 'object':
      return 'GenericScalar'
    default:
      return 'String'
  }
}

/** Whether the values of a field are names in the schema. */
export function hasEnumType({ allowed }: WrittenField): boolean {
  return (
    allowed?.every((value) => typeof value === 'string' && /^[_A-Za-z]+$/.test(value) && value !== 'true') ===
    true
  )
}

/** Whether a new record must be given the field itself. A reference could be given instead of one. */
export function isRequired({ references }: WrittenEntity, field: WrittenField, kind: InputKind): boolean {
  const { name, isKey, nullable, default: given, isNumbered } = field
  const isReferring = references.some(({ fields }) => fields.includes(name))
  return kind === 'Create' && !(isKey || nullable || given !== undefined || isReferring || isNumbered)
}

/** Whether a field of `Mutation` is refused before anything begins, because an input does not fit the schema. */
export function isRefusedBeforehand(field: MutationField, world: WrittenWorld): boolean {
  if (field.kind !== 'typeName' && world.entities.get(field.entity)?.rowKey.length === 0) return true
  const doesFit = (input: PlainInput, kind: InputKind) =>
    fits(input, field.kind === 'typeName' ? '' : field.entity, kind, world)
  switch (field.kind) {
    case 'create':
    case 'upsert':
      return !doesFit(field.input, 'Create')
    case 'createAll':
      return !field.inputs.every((input) => doesFit(input, 'Create'))
    case 'update':
    case 'updateAll':
      return !doesFit(field.input, 'Update')
    default:
      return false
  }
}

function fits(
  { values, references }: PlainInput,
  name: string,
  kind: InputKind,
  world: WrittenWorld,
): boolean {
  const entity = world.entities.get(name) as WrittenEntity
  const fields = inputFields(entity, kind)
  const known = fields.map((field) => field.name)
  const targets = new Map(inputReferences(entity, kind, world))
  return (
    Object.keys(values).every((one) => known.includes(one)) &&
    fields.every((field) => fitsField(field, values[field.name], isRequired(entity, field, kind))) &&
    Object.entries(references).every(([reference, given]) => {
      const target = targets.get(reference)?.target
      return target !== undefined && (!given?.create || fits(given.create, target, 'Create', world))
    })
  )
}

function fitsField(field: WrittenField, value: unknown, required: boolean): boolean {
  if (value === undefined || value === null) return !required
  if (hasEnumType(field)) return field.allowed?.includes(value) === true
  switch (field.type) {
    case 'string':
    case 'text':
    case 'decimal':
      return typeof value === 'string'
    case 'integer':
      // BigInt takes texts, too; what is none is refused with the record.
      if (field.isLong) return true
      return Number.isInteger(value) && Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31
    case 'float':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return true
  }
}
