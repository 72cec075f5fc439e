/**
 * Everything derived from one look at the database, in one value that is replaced whole. A request
 * takes the current one at its start and keeps it to its end.
 */
import type { GraphQLSchema } from 'graphql'
import type { DatabaseSchema } from '../database/database-schema.ts'
import type { Dialect } from '../database/dialect.ts'
import { buildModel } from './model/build-model.ts'
import type { GraphqlModel } from './model/model.ts'
import type { FieldNaming } from './model/naming.ts'
import { defaultOperationLimits, type OperationLimits } from './operation/operation-limits.ts'
import { OperationPreparer } from './operation/prepare-operation.ts'
import { buildSchema } from './schema/build-schema.ts'
import { schemaText } from './schema/print-schema.ts'

/** What is not in the database, and decides about the schema and its use. */
export interface SchemaSettings {
  readonly limits: OperationLimits
  readonly naming: FieldNaming
}

export interface SchemaSnapshot {
  readonly databaseSchema: DatabaseSchema
  readonly model: GraphqlModel
  readonly graphqlSchema: GraphQLSchema
  /** The schema as `GET /graphql` shows it. */
  readonly sdl: string
  readonly operations: OperationPreparer
}

/** Derives everything from the tables that were found. */
export function snapshotOf(
  databaseSchema: DatabaseSchema,
  dialect: Dialect,
  { limits, naming }: SchemaSettings = { limits: defaultOperationLimits, naming: 'verbatim' },
): SchemaSnapshot {
  const model = buildModel(databaseSchema, naming)
  const graphqlSchema = buildSchema(model)
  return {
    databaseSchema,
    model,
    graphqlSchema,
    sdl: schemaText(graphqlSchema),
    operations: new OperationPreparer(graphqlSchema, model, dialect, limits),
  }
}
