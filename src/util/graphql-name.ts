/**
 * Whether a name is valid in GraphQL (https://spec.graphql.org/October2021/#Name) and not reserved.
 */
export function isGraphqlName(name: string): boolean {
  return /^(?!__|_$)[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name)
}

/** The form of such a name, to complete the sentence “takes …”. */
export const graphqlNameForm =
  'a name of letters A to Z, digits and “_” that starts neither with a digit nor with “__”'
