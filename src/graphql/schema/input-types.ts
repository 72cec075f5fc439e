/** The inputs of mutations: values are as in the published APIs. */
import {
  assertEnumValueName,
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
  type GraphQLScalarType,
} from 'graphql'
import { invariant } from '../../errors/invariant.ts'
import { type FieldRule, isNeeded } from '../../record/record-rules.ts'
import type { EntityType, GraphqlModel } from '../model/model.ts'
import { createInputName, enumTypeName, updateInputName } from '../model/naming.ts'
import { scalarOfColumn } from '../model/type-mapping.ts'
import type { EntityWrites, Writes, WrittenField } from '../model/writes.ts'
import { writtenReferences } from '../model/written-references.ts'
import { ReferenceInputs } from './reference-inputs.ts'
import { genericScalar, scalarsByName } from './scalars.ts'

/** The inputs of one entity, as far as a caller may write it. */
export interface WriteInputs {
  readonly create: GraphQLInputObjectType | undefined
  readonly update: GraphQLInputObjectType | undefined
  readonly enums: readonly GraphQLEnumType[]
}

/** The inputs of all entities. */
export interface AllInputs {
  /** By the names of the entities. */
  readonly byEntity: ReadonlyMap<string, WriteInputs>
  /** For references to entities. */
  readonly ofReferences: readonly GraphQLInputObjectType[]
}

export function* writeInputs(model: GraphqlModel, writes: Writes): Generator<void, AllInputs, void> {
  const byEntity = new Map<string, WriteInputs>()
  const references = new ReferenceInputs(model, byEntity)
  const context = { enumNames: new Set<string>(), references }
  for (const [name, entity] of writes) {
    const type = model.entities.get(name)
    invariant(type !== undefined, `${name} is an entity of the schema`)
    byEntity.set(name, inputsOf(type, entity, context))
    yield
  }
  return { byEntity, ofReferences: references.all }
}

interface InputsContext {
  readonly enumNames: Set<string>
  readonly references: ReferenceInputs
}

function inputsOf(
  type: EntityType,
  { entity, created, changed }: EntityWrites,
  { enumNames, references }: InputsContext,
): WriteInputs {
  const { name } = type
  const enums = new Map<string, GraphQLEnumType>()
  for (const { name: field, rule } of new Map(
    [...created, ...changed].map((one) => [one.name, one]),
  ).values()) {
    const type = enumOf(name, field, rule, enumNames)
    if (type !== undefined) enums.set(field, type)
  }
  const input = (
    typeName: string,
    description: string,
    written: readonly WrittenField[],
    isRequired: (field: WrittenField) => boolean,
  ) => {
    if (written.length === 0) return undefined
    const inPlace = writtenReferences(type, written)
    const ofReferences = new Map(inPlace.map((one) => [one.name, references.to(one.target)]))
    // Such a field has another way to be given.
    const replaced = new Set(inPlace.flatMap(({ parts }) => parts.map(({ field }) => field.rule)))
    const mustBeSent = (field: WrittenField) => isRequired(field) && !replaced.has(field.rule)
    const fields = () => inputFields(written, enums, mustBeSent, ofReferences)
    return new GraphQLInputObjectType({ name: typeName, description, fields })
  }
  return {
    create: input(
      createInputName(name),
      `A new record of ${name}.`,
      created,
      ({ rule, mayBeSet }) => isNeeded(rule, entity.rules) && !mayBeSet,
    ),
    update: input(
      updateInputName(name),
      `What changes of a record of ${name}: a field that is left out stays as it is.`,
      changed,
      () => false,
    ),
    enums: [...enums.values()],
  }
}

function inputFields(
  written: readonly WrittenField[],
  enums: ReadonlyMap<string, GraphQLEnumType>,
  isRequired: (field: WrittenField) => boolean,
  ofReferences: ReadonlyMap<string, GraphQLInputObjectType>,
): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {}
  for (const field of written) {
    const { name, rule } = field
    const type = enums.get(name) ?? scalarOf(rule)
    const description = rule.column?.comment ?? 'Its value, as in the published API.'
    fields[name] = { type: isRequired(field) ? new GraphQLNonNull(type) : type, description }
  }
  for (const [name, type] of ofReferences) {
    fields[name] = { type, description: 'The record that it refers to, in place of its key.' }
  }
  return fields
}

/** The type of a field's values in the published APIs. */
export function scalarOf({ type, column }: FieldRule): GraphQLScalarType {
  if (type === 'boolean') return GraphQLBoolean
  const isAny = type === 'array' || type === 'object' || column === undefined || column.type === 'json'
  if (isAny) return genericScalar
  const scalar = scalarsByName.get(scalarOfColumn[column.type])
  invariant(scalar !== undefined, `there is a scalar for columns of type ${column.type}`)
  return scalar
}

/** Undefined for a field without an enum, or with values that are not names in GraphQL. */
function enumOf(
  entity: string,
  field: string,
  { allowed }: FieldRule,
  taken: Set<string>,
): GraphQLEnumType | undefined {
  const values = allowed?.shown.filter((value) => value !== null) ?? []
  if (values.length === 0 || !values.every(isEnumName)) return undefined
  let name = enumTypeName(entity, field)
  while (taken.has(name)) name += '_'
  taken.add(name)
  return new GraphQLEnumType({
    name,
    description: `The values of ${field} of ${entity}.`,
    values: Object.fromEntries(values.map((value) => [value, {}])),
  })
}

function isEnumName(value: unknown): value is string {
  if (typeof value !== 'string' || value.startsWith('__')) return false
  try {
    return assertEnumValueName(value) === value
  } catch {
    return false
  }
}
