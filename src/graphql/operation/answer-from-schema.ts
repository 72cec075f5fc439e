import { execute, type GraphQLSchema, Kind } from 'graphql'
import type { PreparedOperation } from './prepare-operation.ts'

/** What is asked of the schema itself, by response key: answered by graphql-js. */
export function answerFromSchema(
  { document, operation, variables, roots }: PreparedOperation,
  { graphqlSchema }: { readonly graphqlSchema: GraphQLSchema },
): Readonly<Record<string, unknown>> {
  if (!roots.some(({ plan }) => plan.kind === 'introspection')) return {}
  const result = execute({
    schema: graphqlSchema,
    document: {
      ...document,
      definitions: [
        operation,
        ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
      ],
    },
    variableValues: variables,
  })
  return 'data' in result ? (result.data ?? {}) : {}
}
