import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getVariableValues,
  isInputType,
  isLeafType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import type { Variables } from '../../query/value-source.ts'

/** Returns the coerced variables of a request, or the errors why they are refused. */
export type ReadVariables = (
  given: Variables,
  hideSuggestions: boolean,
) => ReturnType<typeof getVariableValues>

/** A variable of an operation. */
interface KnownVariable {
  readonly name: string
  readonly isRequired: boolean
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
      ? getVariableValues(schema, definitions, given, { hideSuggestions })
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
    isRequired: isNonNullType(type),
    defaultValue: defaultValue && valueFromAST(defaultValue, type),
    coerce: coercionOf(getNullableType(type)),
  }
}

function coercionOf(type: GraphQLInputType): KnownVariable['coerce'] {
  return isLeafType(type) ? (value) => type.parseValue(value) : (value) => coerceInputValue(value, type)
}

/** Undefined if anything is wrong. */
function coerceAll(
  variables: readonly (KnownVariable | undefined)[],
  given: Variables,
): Record<string, unknown> | undefined {
  const coerced: Record<string, unknown> = Object.create(null)
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
