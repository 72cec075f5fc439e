import { type GraphQLSchema, printSchema } from 'graphql'

/** The schema as text, with its root named, as clients of `GET /graphql` expect it. */
export function schemaText(schema: GraphQLSchema): string {
  return `schema {\n  query: Query\n}\n\n${printSchema(schema)}\n`
}
