import { buildClientSchema, buildSchema, introspectionFromSchema, printSchema, validateSchema } from 'graphql'
import type { SweepContext } from './sweep-context.ts'

/** The printed schema is one that any client can build, and every table and column is in it. */
export async function checkSchema(context: SweepContext): Promise<void> {
  const { graphqlSchema, sdl, model, databaseSchema } = context.snapshot
  const query = '{ __schema { types { name } } }'
  const fail = (what: string, found: unknown) =>
    context.fail({ name: '(schema)' }, what, String(found), query)
  try {
    const built = buildSchema(await sdl)
    for (const error of validateSchema(built)) fail('the schema is valid', error.message)
    const throughIntrospection = buildClientSchema(introspectionFromSchema(graphqlSchema))
    if (printSchema(throughIntrospection) !== printSchema(built))
      fail('introspection and the printed schema say the same', 'they differ')
  } catch (error) {
    fail('the printed schema can be built', error)
  }
  if (model.entities.size !== databaseSchema.tables.size)
    fail('every table is an entity', `${model.entities.size} of ${databaseSchema.tables.size}`)
  for (const { name, table, filterable } of model.entities.values()) {
    if (filterable.columns.size !== table.columns.size)
      fail(`every column of ${name} is a field`, `${filterable.columns.size} of ${table.columns.size}`)
  }
}
