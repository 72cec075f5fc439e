import { type GraphQLSchema, isIntrospectionType, isSpecifiedScalarType, printType } from 'graphql'

/**
 * The schema as text, with its root named, as clients of `GET /graphql` expect it. Yields so that other work can run.
 * The schema has no custom directives.
 */
export function* schemaText(schema: GraphQLSchema): Generator<void, string, void> {
  const description = schema.description ? `"""\n${schema.description}\n"""\n` : ''
  const mutation = schema.getMutationType() ? '\n  mutation: Mutation' : ''
  const texts = [`${description}schema {\n  query: Query${mutation}\n}`]
  for (const type of Object.values(schema.getTypeMap())) {
    if (isSpecifiedScalarType(type) || isIntrospectionType(type)) continue
    texts.push(printType(type))
    yield
  }
  return `${texts.join('\n\n')}\n`
}
