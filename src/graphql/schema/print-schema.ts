import { type GraphQLSchema, isIntrospectionType, isSpecifiedScalarType, printType } from 'graphql'

/**
 * The schema as text, with its root named, as clients of `GET /graphql` expect it. Yields so that other work can run.
 * The schema has no custom directives.
 */
export function* schemaText(schema: GraphQLSchema): Generator<void, string, void> {
  const texts: string[] = []
  for (const text of definitions(schema)) {
    texts.push(text)
    yield
  }
  return texts.join('')
}

/** `{"schema": TEXT}` in JSON, with the text of `schemaText`. Of thousands of types no step takes long. */
export function* schemaInJson(schema: GraphQLSchema): Generator<void, Buffer, void> {
  const pieces = [Buffer.from('{"schema":"')]
  for (const text of definitions(schema)) {
    pieces.push(Buffer.from(JSON.stringify(text).slice(1, -1)))
    yield
  }
  pieces.push(Buffer.from('"}'))
  return Buffer.concat(pieces)
}

function* definitions(schema: GraphQLSchema): Generator<string, void, void> {
  const description = schema.description ? `"""\n${schema.description}\n"""\n` : ''
  const mutation = schema.getMutationType() ? '\n  mutation: Mutation' : ''
  yield `${description}schema {\n  query: Query${mutation}\n}`
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isSpecifiedScalarType(type) && !isIntrospectionType(type)) yield `\n\n${printType(type)}`
  }
  yield '\n'
}
