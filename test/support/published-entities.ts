/** Entities that are there when the gateway starts, on every product: also on those that take no uploads. */
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { hasTable } from '../../src/entity/definition/entity-definition.ts'
import { tableSpecOf } from '../../src/entity/plan/table-spec-of.ts'
import { readUpload } from '../../src/entity/upload/read-upload.ts'
import { openStore } from '../../src/store/store.ts'

/** What prepares a database for `startTestGateway`: the tables of entities, and their definitions unless `stored` is false. */
export function withEntities(
  document: unknown,
  { stored = true }: { readonly stored?: boolean } = {},
): (options: DatabaseOptions) => Promise<void> {
  return async (options) => {
    const database = await openDatabase(options)
    try {
      const store = await openStore(database)
      const { uploads } = await readUpload(document, () => undefined)
      const specs = uploads
        .map(({ definition }) => definition)
        .filter(hasTable)
        .map(tableSpecOf)
      await database.driver.transaction(async (connection) => {
        for (const statement of database.dialect.ddl.createTables(specs)) await connection.execute(statement)
        for (const { json, definition, resource } of stored ? uploads : []) {
          const changed = { changedBy: 'admin', changedAt: '2026-11-21T06:00:00.000Z' }
          await store.entities.save(connection, {
            name: definition.name,
            definition: json,
            resource,
            ...changed,
          })
        }
      })
    } finally {
      await database.driver.close()
    }
  }
}
