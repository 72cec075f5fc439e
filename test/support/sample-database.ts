import type { Database } from '../../src/database/dialect.ts'
import { observeStatements } from '../../src/database/observe-statements.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { SqlValue } from '../../src/database/sql-value.ts'
import { type SortOrder, withSortOrder } from '../../src/database/table-order.ts'
import type { TableSpec } from '../../src/database/table-spec.ts'
import { executeGraphql, type GraphqlResponse } from '../../src/graphql/execute-graphql.ts'
import { type SchemaSnapshot, snapshotOf } from '../../src/graphql/snapshot.ts'
import type { TestProduct } from './products.ts'

/** A database in its own folder, with what a test does to it. */
export interface SampleDatabase {
  readonly database: Database
  /** The texts of all statements run since the last call. */
  statements(): readonly string[]
  create(tables: readonly TableSpec[]): Promise<void>
  insert(table: string, rows: readonly (readonly SqlValue[])[]): Promise<void>
  /** Of tables as uploads make them, or as others do and are sorted in one of two ways. */
  snapshot(tables?: 'own' | SortOrder): Promise<SchemaSnapshot>
  /** Runs statements one after the other. */
  execute(statements: readonly string[]): Promise<void>
  close(): Promise<void>
}

export async function openSampleDatabase(product: TestProduct): Promise<SampleDatabase> {
  const created = await product.createDatabase()
  const seen: string[] = []
  const opened = await openDatabase(created.options)
  const database = observeStatements(opened, (event) => {
    if (event.kind === 'StatementRun') seen.push(event.sql)
  })
  const { dialect, driver } = database
  return {
    database,
    statements: () => seen.splice(0),
    create: (tables) => createTables(database, tables),
    insert: (table, rows) => insertRows(database, table, rows),
    snapshot: async (tables = 'own') => {
      const found = await driver.read((connection) => dialect.introspect(connection))
      const own = new Set(tables === 'own' ? found.tables.keys() : [])
      return snapshotOf(withSortOrder(found, own, tables === 'own' ? 'native' : tables), dialect)
    },
    execute: (statements) =>
      driver.transaction(async (connection) => {
        for (const sql of statements) await connection.execute({ sql, parameters: [] })
      }),
    async close() {
      await driver.close()
      await created.remove()
    },
  }
}

/** Makes tables as entity definitions do. */
export function createTables({ dialect, driver }: Database, tables: readonly TableSpec[]): Promise<void> {
  return driver.transaction(async (connection) => {
    for (const statement of dialect.ddl.createTables(tables)) await connection.execute(statement)
  })
}

/** Inserts rows that hold all columns of the table, in their order. */
export function insertRows(
  { dialect, driver }: Database,
  table: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  return driver.transaction(async (connection) => {
    for (const parameters of rows) {
      const places = parameters.map((_, index) => dialect.syntax.placeholder(index + 1)).join(', ')
      await connection.execute({
        sql: `insert into ${dialect.syntax.quoteIdentifier(table)} values (${places})`,
        parameters,
      })
    }
  })
}

/** Runs one document and gives the parsed answer; an internal failure fails the test. */
export async function runGraphql(
  { database }: SampleDatabase,
  snapshot: SchemaSnapshot,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const failures: unknown[] = []
  const answer = await executeGraphql({ query, variables }, snapshot, database, {
    onFailure: (error) => failures.push(error),
  })
  const text = await answerText(answer)
  if (failures.length > 0) throw failures[0]
  return JSON.parse(text)
}

/** The whole text of an answer. */
export async function answerText(answer: GraphqlResponse): Promise<string> {
  if (answer.kind === 'refused') return answer.text
  if (answer.kind === 'whole') return answer.whole.toString()
  const pieces: Buffer[] = []
  for await (const piece of answer.pieces) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** The tables that the entity definitions of tenants and ports make, shortened. */
export const tenantTable: TableSpec = {
  name: 'Tenant',
  columns: [
    { name: 'instance', type: 'string', nullable: false },
    { name: 'id', type: 'string', nullable: true },
    { name: 'createdAt', type: 'dateTime', nullable: true },
  ],
  primaryKey: ['instance'],
  uniqueKeys: [['id']],
  foreignKeys: [],
  indexes: [],
}

export const portTable: TableSpec = {
  name: 'Port',
  columns: [
    { name: 'instance', type: 'string', nullable: false },
    { name: 'id', type: 'string', nullable: true },
    { name: 'name', type: 'string', nullable: false },
    { name: 'isActivated', type: 'smallInteger', nullable: false },
    { name: 'operationStatus', type: 'string', nullable: true },
    { name: 'rate', type: 'decimal', nullable: true },
    { name: 'tenantId', type: 'string', nullable: true },
  ],
  primaryKey: ['instance'],
  uniqueKeys: [['id']],
  foreignKeys: [{ columns: ['tenantId'], referencedTable: 'Tenant', referencedColumns: ['id'] }],
  indexes: [['tenantId', 'instance']],
}
