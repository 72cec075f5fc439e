import { existsSync } from 'node:fs'
import { AdminFailure } from '../admin/admin-failure.ts'
import { printedSchemaOptions, schemaCommandOptions } from '../config/command-options.ts'
import { type DatabaseConfig, databaseNameOf } from '../config/database-options.ts'
import { loadConfig } from '../config/load.ts'
import { quote } from '../config/quote.ts'
import { DatabaseError } from '../database/database-error.ts'
import type { Database } from '../database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts'
import { usable } from '../database/unusable-database.ts'
import { readNames } from '../gateway/served-schema.ts'
import { buildModel, type KnownNames } from '../graphql/model/build-model.ts'
import type { GraphqlModel } from '../graphql/model/model.ts'
import type { FieldNaming } from '../graphql/model/naming.ts'
import { buildSchema } from '../graphql/schema/build-schema.ts'
import { schemaText } from '../graphql/schema/print-schema.ts'
import { createGivenNameStore } from '../store/given-name-store.ts'
import { createStatements } from '../store/statements.ts'
import { inSlices } from '../util/time-slices.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { writeOutput } from './command-output.ts'
import { databaseFailure } from './database-failure.ts'
import { databaseSettings, isFile } from './database-settings.ts'
import { schemaReload } from './schema-reload.ts'

/** `gatehouse schema`: the GraphQL schema of a database, which it only reads. */
export const schema: Command = {
  usage: 'schema [reload] [options]',
  about: `Prints the GraphQL schema (SDL) that the gateway serves for a database. The database is only read.

  schema --db_product PRODUCT --db_name NAME  prints the schema
  schema reload                               ${schemaReload.about}`,
  options: schemaCommandOptions,
  subcommands: { reload: schemaReload },
  run(invocation) {
    const [first, ...words] = invocation.words
    return first === 'reload'
      ? schemaReload.runWith('schema reload', { ...invocation, words })
      : print(invocation)
  },
}

async function print(invocation: Invocation): Promise<number> {
  const config = loadConfig(printedSchemaOptions, sourcesOf(invocation)).values.database
  const name = databaseNameOf(config)
  if (isFile(config) && !existsSync(name)) {
    throw new AdminFailure([`There is no database ${quote(name)}.`])
  }
  const { createsDatabase: _, ...options } = databaseSettings(config)
  const { refusedNames, unusedNames, text } = await readSchema(options, config).catch((error: unknown) => {
    const failure = databaseFailure(error, { database: options })
    const reason = error instanceof Error ? error.message : String(error)
    throw new AdminFailure([failure ?? `${quote(name)} cannot be read: ${reason}`], error)
  })
  const warnings = [...unusedNames, ...refusedNames.map(({ detail }) => detail)]
  const problems = warnings.map((line) => `names: ${line}`)
  return writeOutput(invocation, { json: { sdl: text }, text: text.trimEnd(), problems })
}

async function readSchema(
  options: DatabaseOptions,
  { graphql_naming: naming, graphql_profile: profile, names: configured }: DatabaseConfig,
): Promise<GraphqlModel & { readonly text: string }> {
  const database = await usable('tables', openDatabase(options))
  try {
    const tables = await database.driver.read((connection) => database.dialect.introspect(connection))
    const known = await readKnownNames(database, naming)
    const model = await inSlices(buildModel(tables, naming, { ...known, configured }))
    const text = await inSlices(schemaText(await inSlices(buildSchema(model, profile))))
    return { ...model, text }
  } finally {
    await database.driver.close()
  }
}

/** The names that a gateway has stored, if its store is in this database. */
async function readKnownNames({ dialect, driver }: Database, naming: FieldNaming): Promise<KnownNames> {
  const givenNames = createGivenNameStore(createStatements(dialect.syntax))
  try {
    return await driver.read((connection) => readNames(connection, { givenNames }, naming))
  } catch (error) {
    if (error instanceof DatabaseError) return {}
    throw error
  }
}
