import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import type { Variables } from '../../query/value-source.ts'
import { noMembers, withOwnMembersOnly } from '../../util/own-member.ts'

/** Returns the coerced variables of a request, whose inputs have their own members only, or the errors why they are refused. */
export type ReadVariables = (
  given: Variables,
  hideSuggestions: boolean,
) => ReturnType<typeof getVariableValues>

/** A variable of an operation. */
interface KnownVariable {
  readonly name: string
  readonly isRequired: boolean
  readonly type: GraphQLInputType
  /** Undefined if there is none. */
  readonly defaultValue: unknown
  /** Throws for an invalid value, or returns undefined for some of them. */
  readonly coerce: (value: unknown) => unknown
}

/**
 * Reads variables as graphql-js does, which looks up their types for every request; if anything is wrong, its own
 * result is returned. The definitions have been validated.
 * https://spec.graphql.org/October2021/#sec-Coercing-Variable-Values
 */
export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): ReadVariables {
  const variables = definitions.map((definition) => knownVariable(schema, definition))
  return (given, hideSuggestions) => {
    const coerced = coerceAll(variables, given)
    return coerced === undefined
      ? getVariableValues(schema, definitions, allWithOwnFieldsOnly(given, variables), { hideSuggestions })
      : { coerced }
  }
}

function knownVariable(
  schema: GraphQLSchema,
  { variable, type: typeNode, defaultValue }: VariableDefinitionNode,
): KnownVariable | undefined {
  const type = typeFromAST(schema, typeNode)
  if (!isInputType(type)) return undefined
  return {
    name: variable.name.value,
    type,
    isRequired: isNonNullType(type),
    defaultValue: defaultValue && valueFromAST(defaultValue, type),
    coerce: coercionOf(getNullableType(type)),
  }
}

function coercionOf(type: GraphQLInputType): KnownVariable['coerce'] {
  return isLeafType(type)
    ? (value) => type.parseValue(value)
    : (value) => withOwnFieldsOnly(coerceInputValue(withOwnFieldsOnly(value, type), type), type)
}

function allWithOwnFieldsOnly(
  given: Variables,
  variables: readonly (KnownVariable | undefined)[],
): Variables {
  const changed = variables.flatMap((variable) =>
    variable !== undefined && Object.hasOwn(given, variable.name)
      ? [[variable.name, withOwnFieldsOnly(given[variable.name], variable.type)] as const]
      : [],
  )
  return { ...given, ...Object.fromEntries(changed) }
}

/**
 * A value whose inputs have their own members only: graphql-js looks up their fields, and so would find `constructor` in every object of JSON, and
 * gives them a prototype itself. The JSON that a field takes stays as it is.
 */
function withOwnFieldsOnly(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type)
  if (isLeafType(getNamedType(nullable))) return value
  if (isListType(nullable)) {
    const { ofType } = nullable
    return Array.isArray(value)
      ? value.map((item) => withOwnFieldsOnly(item, ofType))
      : withOwnFieldsOnly(value, ofType)
  }
  if (!isInputObjectType(nullable) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const fields = nullable.getFields()
  const object = withOwnMembersOnly(value as Readonly<Record<string, unknown>>)
  for (const name of Object.keys(object)) {
    const field = fields[name]
    if (field !== undefined) object[name] = withOwnFieldsOnly(object[name], field.type)
  }
  return object
}

/** Undefined if anything is wrong. */
function coerceAll(
  variables: readonly (KnownVariable | undefined)[],
  given: Variables,
): Record<string, unknown> | undefined {
  const coerced = noMembers()
  for (const variable of variables) {
    if (variable === undefined) return undefined
    const { name, isRequired, defaultValue, coerce } = variable
    if (!Object.hasOwn(given, name)) {
      if (defaultValue !== undefined) coerced[name] = defaultValue
      else if (isRequired) return undefined
      continue
    }
    const value = given[name]
    const fitting = value === null && !isRequired ? null : coercedOrNothing(coerce, value)
    if (fitting === undefined) return undefined
    coerced[name] = fitting
  }
  return coerced
}

function coercedOrNothing(coerce: KnownVariable['coerce'], value: unknown): unknown {
  try {
    return value === null ? undefined : coerce(value)
  } catch {
    return undefined
  }
}
