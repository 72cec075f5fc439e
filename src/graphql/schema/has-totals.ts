import { type GraphQLSchema, isObjectType } from 'graphql'
import { connectionTypeName } from '../model/naming.ts'

/** Whether the lists of an entity have counts, aggregates and groups in a schema. */
export function hasTotals(schema: GraphQLSchema, entity: string): boolean {
  const connection = schema.getType(connectionTypeName(entity))
  return isObjectType(connection) && Object.hasOwn(connection.getFields(), 'aggregates')
}
