/** The entities of a world in a database, and mutations of their rows by someone who may do everything. */
import { readServedSchema } from '../../../src/gateway/served-schema.ts'
import { executeGraphql } from '../../../src/graphql/execute-graphql.ts'
import type { CallerWriting } from '../../../src/graphql/execution/write-call.ts'
import { type EntityWrites, fieldNames, writtenFields } from '../../../src/graphql/model/writes.ts'
import { defaultOperationLimits } from '../../../src/graphql/planning/operation-limits.ts'
import type { SchemaView } from '../../../src/graphql/schema-view.ts'
import type { PlainData, PlainRow } from '../plain-evaluator.ts'
import type { PrintedQuery } from '../print-query.ts'
import type { TestProduct } from '../products.ts'
import { stored } from '../random-data.ts'
import { answerText, insertRows } from '../sample-database.ts'
import { openEntities, type TemporaryEntities } from '../temporary-entities.ts'
import { makeAdopted, renumber } from './adopted-tables.ts'
import { madeInstance, madeUuid } from './plain-mutations.ts'
import { origins, timeOfMutations, type WrittenWorld } from './written-world.ts'

/** All rows, by the names of their entities, in an order that they say themselves. */
export type AllRows = ReadonlyMap<string, readonly PlainRow[]>

/** The rows of some data. */
export function rowsIn(data: PlainData): AllRows {
  return new Map([...data].map(([name, { columns, rows }]) => [name, sorted(rows, [...columns.keys()])]))
}

/** Rows with their columns in one order. */
function sorted(rows: readonly PlainRow[], columns: readonly string[]): readonly PlainRow[] {
  const text = (row: PlainRow) => JSON.stringify(columns.map((column) => row[column] ?? null))
  return rows
    .map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))
    .toSorted((a, b) => (text(a) < text(b) ? -1 : 1))
}

export class MutationBench {
  readonly #world: WrittenWorld
  readonly #opened: Awaited<ReturnType<typeof openEntities>>
  readonly #view: SchemaView
  /** Errors that clients are not told about. */
  readonly failures: unknown[] = []
  /** Whether the database checks references after each record, and not when all of a statement is done. */
  readonly checksRecordByRecord: boolean

  private constructor(
    world: WrittenWorld,
    opened: Awaited<ReturnType<typeof openEntities>>,
    view: SchemaView,
  ) {
    this.checksRecordByRecord = opened.options.product === 'mysql'
    this.#world = world
    this.#opened = opened
    this.#view = view
  }

  /** Uploads the definitions, and inserts the rows. */
  static async open(product: TestProduct, world: WrittenWorld): Promise<MutationBench> {
    const opened = await openEntities(product)
    try {
      if (world.definitions === undefined) await makeAdopted(world, opened)
      else await opened.upload(world.definitions)
      const bench = new MutationBench(world, opened, await writingView(opened))
      await bench.#insert()
      return bench
    } catch (error) {
      await opened.close()
      throw error
    }
  }

  close(): Promise<void> {
    return this.#opened.close()
  }

  /** The text of the answer to a mutation. */
  async run(document: PrintedQuery): Promise<string> {
    let [instances, uuids] = [0, 0]
    await renumber(this.#world, this.#opened)
    const { database } = this.#opened
    const parts: CallerWriting['parts'] = {
      database,
      now: () => timeOfMutations,
      uuid: () => {
        uuids += 1
        return madeUuid(uuids)
      },
      nextInstance: () => {
        instances += 1
        return madeInstance(instances)
      },
    }
    return this.#execute(document, {
      parts,
      origin: () => ({ xid: origins.xid, xname: origins.xname }),
      allowedFor: (_method, _path, entity) => entity,
    })
  }

  async rows(): Promise<AllRows> {
    const lists = this.#world.tables.map(
      ({ name, columns }) =>
        `${name} { edges { node { ${columns.map((column) => column.name).join(' ')} } } }`,
    )
    const text = await this.#execute({ query: `{ ${lists.join(' ')} }`, variables: {} })
    const { data } = JSON.parse(text) as { data: Record<string, { edges: { node: PlainRow }[] }> }
    return new Map(
      this.#world.tables.map(({ name, columns }) => [
        name,
        sorted(
          data[name]?.edges.map(({ node }) => node) ?? [],
          columns.map((column) => column.name),
        ),
      ]),
    )
  }

  /** Brings back the rows of the world. */
  async reset(): Promise<void> {
    const { driver, dialect } = this.#opened.database
    const { quoteIdentifier: quote } = dialect.syntax
    await driver.transaction(async (connection) => {
      for (const { name, foreignKeys } of this.#world.tables.toReversed()) {
        for (const { referencedTable, columns } of foreignKeys) {
          if (referencedTable !== name) continue
          const cleared = columns.map((column) => `${quote(column)} = null`).join(', ')
          await connection.execute({ sql: `update ${quote(name)} set ${cleared}`, parameters: [] })
        }
        await connection.execute({ sql: `delete from ${quote(name)}`, parameters: [] })
      }
    })
    await this.#insert()
  }

  async #insert(): Promise<void> {
    for (const { name, columns } of this.#world.tables) {
      const { rows = [] } = this.#world.data.get(name) ?? {}
      const values = rows.map((row) => columns.map((column) => stored(column.type, row[column.name] ?? null)))
      await insertRows(this.#opened.database, name, values)
    }
  }

  async #execute(document: PrintedQuery, writing?: CallerWriting): Promise<string> {
    const response = await executeGraphql(document, this.#view, this.#opened.database, {
      onFailure: (error) => this.failures.push(error),
      ...(writing && { writing: () => writing }),
    })
    return answerText(response)
  }
}

/** The schema with all mutations of all entities. */
async function writingView({ database, store }: TemporaryEntities): Promise<SchemaView> {
  const limits = { ...defaultOperationLimits, aliases: 1000, cost: Number.MAX_VALUE }
  const { served } = await readServedSchema(database, store, {
    limits,
    naming: 'verbatim',
    sortOrder: 'portable',
  })
  const { snapshot, published } = served
  const writes = new Map<string, EntityWrites>()
  for (const entity of published.values()) {
    const type = snapshot.model.entities.get(entity.name)
    if (type === undefined) throw new Error(`${entity.name} has no type`)
    const created = writtenFields(type, entity, { isChosen: () => true, mayBeSet: () => false })
    const changed = created.filter(({ rule }) => !rule.immutable)
    writes.set(entity.name, { entity, names: fieldNames(type, entity), created, changed, mayDelete: true })
  }
  return snapshot.writing(snapshot, writes, 'all')
}
