import {
  type ASTVisitor,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValidationContext,
  VariablesInAllowedPositionRule,
} from 'graphql'
import { isGeneric } from '../schema/scalars.ts'

/**
 * The rule that variables fit where they are used (https://spec.graphql.org/October2021/#sec-All-Variable-Usages-are-Allowed),
 * except that a `GenericScalar` takes variables of all scalar types and lists of them: documents for the replaced system
 * declare `$id: String`.
 */
export function VariablesFitRule(context: ValidationContext): ASTVisitor {
  const getRecursiveVariableUsages = (operation: OperationDefinitionNode) =>
    context.getRecursiveVariableUsages(operation).filter(doubtfulIn(operation, context))
  return VariablesInAllowedPositionRule(
    Object.create(context, { getRecursiveVariableUsages: { value: getRecursiveVariableUsages } }),
  )
}

type VariableUsage = ReturnType<ValidationContext['getRecursiveVariableUsages']>[number]

/** Whether the usage of a variable is not one that a `GenericScalar` takes. */
function doubtfulIn(
  { variableDefinitions = [] }: OperationDefinitionNode,
  context: ValidationContext,
): (usage: VariableUsage) => boolean {
  const definitions = new Map(variableDefinitions.map((one) => [one.variable.name.value, one]))
  return ({ node, type }) => {
    if (!type || !isGeneric(getNamedType(type))) return true
    const definition = definitions.get(node.name.value)
    const variable = definition && typeFromAST(context.getSchema(), definition.type)
    if (variable === undefined) return true
    const isNeverNull = definition?.defaultValue !== undefined && definition.defaultValue.kind !== Kind.NULL
    return !takes(isNeverNull ? getNullableType(type) : type, variable)
  }
}

/** Whether a place for generic values takes the values of a variable. */
function takes(place: GraphQLType, variable: GraphQLType): boolean {
  if (isNonNullType(place)) return isNonNullType(variable) && takes(place.ofType, variable)
  const given = getNullableType(variable)
  if (isListType(place)) return isListType(given) && takes(place.ofType, given.ofType)
  return isScalarType(getNamedType(given))
}
