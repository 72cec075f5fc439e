/** Whether GraphQL takes a name for what people name: https://spec.graphql.org/October2021/#Name, none of its own. */
export function isGraphqlName(name: string): boolean {
  return /^(?!__|_$)[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name)
}

/** What such a name is, to complete the sentence “takes …”. */
export const graphqlNameForm =
  'a name of letters A to Z, digits and “_” that starts neither with a digit nor with “__”'
