/** From a mutation as data to a GraphQL document and its variables. */

import type { Selected } from '../plain-evaluator.ts'
import { DocumentPrinter, type PrintedQuery } from '../print-query.ts'
import type {
  ChangesMember,
  EntityMutation,
  MutationField,
  OfOne,
  PlainInput,
  PlainReference,
} from './mutation.ts'
import { mutationTexts } from './plain-mutations.ts'
import type { RandomMutation } from './random-mutation.ts'
import {
  hasEnumType,
  type InputKind,
  inputFields,
  inputReferences,
  inputType,
  isRequired,
} from './typed-inputs.ts'
import type { WrittenEntity, WrittenField, WrittenWorld } from './written-world.ts'

/** See `printQuery`. */
export function printMutation({ fields, style }: RandomMutation, world: WrittenWorld): PrintedQuery {
  return new MutationPrinter(world, style).print(fields)
}

class MutationPrinter {
  readonly #world: WrittenWorld
  readonly #document: DocumentPrinter

  constructor(world: WrittenWorld, style: number) {
    this.#world = world
    this.#document = new DocumentPrinter(world.data, mutationTexts, style)
  }

  print(fields: readonly MutationField[]): PrintedQuery {
    const printed = fields.map((field) => {
      if (field.kind === 'typeName') return `${field.as}: __typename`
      const { as, kind, entity } = field
      const given = this.#arguments(entity, field).filter((argument) => argument !== '')
      const shown = given.length === 0 ? '' : `(${given.join(', ')})`
      return `${as}: ${kind}_${entity}${shown} ${this.#selection(entity, field)}`
    })
    return this.#document.whole('mutation', printed)
  }

  #arguments(name: string, field: EntityMutation): readonly string[] {
    switch (field.kind) {
      case 'create':
      case 'upsert':
        return [`input: ${this.#input(name, field.input, 'Create')}`]
      case 'createAll': {
        if (this.#document.chance(2)) {
          const inputs = field.inputs.map(jsonOfInput)
          return [`inputs: ${this.#document.value(inputs, `[${name}_CreateInput!]!`, true)}`]
        }
        return [`inputs: [${field.inputs.map((input) => this.#input(name, input, 'Create')).join(', ')}]`]
      }
      case 'update':
        return [...this.#addressing(name, field), `input: ${this.#input(name, field.input, 'Update')}`]
      case 'delete':
        return this.#addressing(name, field)
      case 'updateAll':
        return [this.#where(name, field), `input: ${this.#input(name, field.input, 'Update')}`]
      case 'deleteAll':
        return [this.#where(name, field)]
    }
  }

  #addressing(name: string, { address, ifMatch }: OfOne): readonly string[] {
    const entity = this.#world.entities.get(name) as WrittenEntity
    const argument = (name: string, value: unknown, type: string) =>
      value === undefined ? '' : `${name}: ${this.#document.value(value, type)}`
    return [
      ...entity.address.map((field) => argument(field, address[field], addressType(entity, field))),
      argument('GlobalId', address.GlobalId, 'ID'),
      argument('ifMatch', ifMatch, 'String'),
    ]
  }

  #where(name: string, { where }: Pick<EntityMutation & { kind: 'deleteAll' }, 'where'>): string {
    return `where: ${where.length === 0 ? '{}' : this.#document.where(name, where, `${name}_Where!`)}`
  }

  #selection(name: string, field: EntityMutation): string {
    if (field.kind !== 'updateAll' && field.kind !== 'deleteAll')
      return this.#document.object(name, field.select)
    return `{ ${field.select.map((member) => this.#changesMember(name, member)).join(' ')} }`
  }

  #changesMember(name: string, member: Selected<ChangesMember>): string {
    if (member.kind === 'typeName') return `${member.as}: __typename`
    if (member.kind === 'count') return `${member.as}: count`
    return `${member.as}: records ${this.#document.object(name, member.select)}`
  }

  #input(name: string, input: PlainInput, kind: InputKind): string {
    if (this.#document.chance(2))
      return this.#document.value(jsonOfInput(input), `${name}_${kind}Input!`, true)
    const entity = this.#world.entities.get(name) as WrittenEntity
    const known = new Map(inputFields(entity, kind).map((field) => [field.name, field]))
    const targets = new Map(inputReferences(entity, kind, this.#world))
    const values = Object.entries(input.values).map(
      ([field, value]) => `${field}: ${this.#value(value, entity, known.get(field), kind)}`,
    )
    const references = Object.entries(input.references).map(
      ([reference, given]) => `${reference}: ${this.#reference(given, targets.get(reference)?.target ?? '')}`,
    )
    return `{${[...values, ...references].join(', ')}}`
  }

  #value(value: unknown, entity: WrittenEntity, field: WrittenField | undefined, kind: InputKind): string {
    const type = field === undefined ? 'String' : inputType(entity, field)
    const isName =
      field !== undefined &&
      hasEnumType(field) &&
      /^[_A-Za-z]+$/.test(String(value)) &&
      typeof value === 'string'
    const isVariable = this.#document.chance(2)
    if (isName && !isVariable) return value
    return this.#document.value(
      value,
      field && isRequired(entity, field, kind) ? `${type}!` : type,
      isVariable,
    )
  }

  #reference(given: PlainReference, target: string): string {
    if (given === null || this.#document.chance(4)) {
      return this.#document.value(jsonOfReference(given), `${target}_ReferenceInput`, given !== null)
    }
    const create = given.create === undefined ? [] : [`create: ${this.#create(given.create, target)}`]
    const connect =
      given.connect === undefined
        ? []
        : [`connect: ${this.#document.value(given.connect, `${target}_KeyInput`)}`]
    return `{${[...create, ...connect].join(', ')}}`
  }

  #create(input: PlainInput, target: string): string {
    return this.#input(target, input, 'Create')
  }
}

function addressType(entity: WrittenEntity, name: string): string {
  const field = entity.fields.get(name)
  return field === undefined ? 'String' : inputType(entity, field)
}

function jsonOfInput({ values, references }: PlainInput): Readonly<Record<string, unknown>> {
  const given = Object.entries(references).map(
    ([name, reference]) => [name, jsonOfReference(reference)] as const,
  )
  return { ...values, ...Object.fromEntries(given) }
}

function jsonOfReference(given: PlainReference): unknown {
  return given === null ? null : { ...given, ...(given.create && { create: jsonOfInput(given.create) }) }
}
