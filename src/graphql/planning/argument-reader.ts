import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getArgumentValues,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type ObjectValueNode,
  type ValueNode,
  valueFromAST,
} from 'graphql'
import type { Variables } from '../../query/value-source.ts'
import { noMembers } from '../../util/own-member.ts'
import { holdsVariable } from './document-argument.ts'

/** Returns the coerced arguments of a field, by their names. Throws `GraphQLError` for a value that does not fit. */
export type ReadArguments = (variables: Variables) => Readonly<Record<string, unknown>>

/** Reads a value; undefined if anything is wrong. */
type ReadValue = (variables: Variables) => unknown

/** A member of an object, or an argument of a field. */
interface Member {
  readonly name: string
  /** The variable that is its value, if it is one. */
  readonly variable: string | undefined
  /** Undefined if it is not there. */
  readonly read: ReadValue | undefined
  /** What it gets without a value: undefined if it is left out, or refused where it is required. */
  readonly defaultValue: unknown
  readonly isRequired: boolean
}

/**
 * Reads arguments as graphql-js does, which goes through the document and the types for every request; if anything is wrong, it is left to
 * say so. Values without variables are read once. The document has been validated.
 * https://spec.graphql.org/October2021/#sec-Coercing-Field-Arguments
 */
export function argumentReader(definition: GraphQLField<unknown, unknown>, field: FieldNode): ReadArguments {
  const given = new Map(field.arguments?.map(({ name, value }) => [name.value, value]))
  const read = membersReader(definition.args, given)
  return (variables) => read(variables) ?? getArgumentValues(definition, field, variables)
}

function readerOf(node: ValueNode, type: GraphQLInputType): ReadValue {
  if (node.kind === Kind.VARIABLE) {
    const name = node.name.value
    const isRequired = isNonNullType(type)
    return (variables) => (variables[name] === null && isRequired ? undefined : variables[name])
  }
  if (!holdsVariable(node)) {
    const value = valueFromAST(node, type)
    return () => value
  }
  const nullable = getNullableType(type)
  return isInputObjectType(nullable) && !nullable.isOneOf && node.kind === Kind.OBJECT
    ? objectReader(node, nullable)
    : (variables) => valueFromAST(node, type, variables)
}

function objectReader({ fields }: ObjectValueNode, type: GraphQLInputObjectType): ReadValue {
  return membersReader(
    Object.values(type.getFields()),
    new Map(fields.map(({ name, value }) => [name.value, value])),
  )
}

function membersReader(
  defined: readonly {
    readonly name: string
    readonly type: GraphQLInputType
    readonly defaultValue?: unknown
  }[],
  given: ReadonlyMap<string, ValueNode>,
): (variables: Variables) => Record<string, unknown> | undefined {
  const members = defined.flatMap(({ name, type, defaultValue }): readonly Member[] => {
    const node = given.get(name)
    const isRequired = isNonNullType(type)
    if (node === undefined && defaultValue === undefined && !isRequired) return []
    const variable = node?.kind === Kind.VARIABLE ? node.name.value : undefined
    return [{ name, variable, read: node && readerOf(node, type), defaultValue, isRequired }]
  })
  return (variables) => {
    const values = noMembers()
    for (const { name, variable, read, defaultValue, isRequired } of members) {
      const isGiven = read !== undefined && (variable === undefined || Object.hasOwn(variables, variable))
      const value = isGiven ? read(variables) : defaultValue
      if (value !== undefined) values[name] = value
      else if (isGiven || isRequired) return undefined
    }
    return values
  }
}
