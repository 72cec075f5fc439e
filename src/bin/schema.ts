import { existsSync } from 'node:fs'
import { schemaCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { quote } from '../config/quote.ts'
import { type DatabaseOptions, openDatabase } from '../database/open-database.ts'
import { buildModel } from '../graphql/model/build-model.ts'
import type { FieldNaming } from '../graphql/model/naming.ts'
import { buildSchema } from '../graphql/schema/build-schema.ts'
import { schemaText } from '../graphql/schema/print-schema.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { databaseSettings, isFile } from './database-settings.ts'
import { exitCodes } from './exit-codes.ts'

/** `gatehouse schema`: the GraphQL schema of a database, which is only read. */
export const schema: Command = {
  usage: 'schema --db_product PRODUCT --db_name NAME',
  about: 'Prints the GraphQL schema (SDL) that the gateway serves for a database. The database is only read.',
  options: schemaCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const config = loadConfig(schemaCommandOptions, sourcesOf(invocation)).values.database
  const { db_name: name } = config
  if (isFile(config) && !existsSync(name)) {
    invocation.warn(`There is no database ${quote(name)}.`)
    return exitCodes.failed
  }
  try {
    invocation.print((await readSchemaText(databaseSettings(config), config.graphql_naming)).trimEnd())
    return exitCodes.fine
  } catch (error) {
    invocation.warn(
      `${quote(name)} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
    return exitCodes.failed
  }
}

async function readSchemaText(options: DatabaseOptions, naming: FieldNaming): Promise<string> {
  const { dialect, driver } = await openDatabase(options)
  try {
    const tables = await driver.read((connection) => dialect.introspect(connection))
    return schemaText(buildSchema(buildModel(tables, naming)))
  } finally {
    await driver.close()
  }
}
