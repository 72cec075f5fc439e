/**
 * Random queries on random schemas with random rows, compared with the plain evaluator. `TEST_CASES`
 * says how many queries per product, `TEST_SEED` which ones.
 */

import { describe, expect, test } from 'vitest'
import { withSortOrder } from '../../src/database/table-order.ts'
import { executeGraphql } from '../../src/graphql/execute-graphql.ts'
import { defaultResponseLimits, type ResponseLimits } from '../../src/graphql/execution/response-limits.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { type SchemaSnapshot, snapshotOf } from '../../src/graphql/snapshot.ts'
import { fc, seed } from '../support/fast-check.ts'
import { AnsweredTexts } from '../support/opaque-texts.ts'
import { evaluate } from '../support/plain-evaluator.ts'
import { printQuery } from '../support/print-query.ts'
import { readers } from '../support/products.ts'
import { createView, type RandomData, randomData } from '../support/random-data.ts'
import { type QueryWorld, type RandomQuery, randomQuery } from '../support/random-query.ts'
import { answerText, openSampleDatabase, type SampleDatabase } from '../support/sample-database.ts'

const cases = Number(process.env.TEST_CASES ?? 25)
/** Few of them on several schemas find more than many on one. */
const queriesPerSchema = cases < 150 ? 20 : 50
const schemas = Math.ceil(cases / queriesPerSchema)
/** By how much the time limit grows with each case. */
const millisecondsPerCase = 200

async function fill(sample: SampleDatabase, { tables, view, rows }: RandomData): Promise<void> {
  await sample.create(tables)
  for (const { name } of tables) await sample.insert(name, rows.get(name) ?? [])
  if (view === undefined) return
  const sql = createView(view, sample.database.dialect.syntax.quoteIdentifier)
  await sample.database.driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
}

interface Snapshots {
  readonly usual: SchemaSnapshot
  /** Hardly anything may be held at once; for some schemas. */
  readonly tight: SchemaSnapshot | undefined
}

async function snapshotsOf({ database }: SampleDatabase, isTight: boolean): Promise<Snapshots> {
  const { dialect, driver } = database
  const found = await driver.read((connection) => dialect.introspect(connection))
  const schema = withSortOrder(found, new Set(found.tables.keys()), 'native')
  const snapshot = (responseLimits: ResponseLimits) =>
    snapshotOf(schema, dialect, {
      limits: { ...defaultOperationLimits, aliases: 1000, cost: Number.MAX_VALUE },
      responseLimits,
      naming: 'verbatim',
    })
  return {
    usual: await snapshot(defaultResponseLimits),
    tight: isTight ? await snapshot({ ...defaultResponseLimits, heldRows: 12 }) : undefined,
  }
}

/** Nothing where the answer is what the evaluator says, otherwise both and the query. */
async function differenceOf(
  { roots, style }: RandomQuery,
  { data, texts }: QueryWorld & { readonly texts: AnsweredTexts },
  { usual, tight }: Snapshots,
  { database }: SampleDatabase,
): Promise<string | undefined> {
  await texts.learnCursors(roots)
  const printed = printQuery(roots, data, texts, style)
  const expected = JSON.stringify({ data: evaluate(roots, data, texts) })
  const failures: unknown[] = []
  const answerOf = async (snapshot: SchemaSnapshot) =>
    answerText(
      await executeGraphql(printed, snapshot, database, { onFailure: (error) => failures.push(error) }),
    )
  let text = await answerOf(usual)
  if (text === expected && failures.length === 0) {
    if (tight === undefined) return undefined
    text = await answerOf(tight)
    const isTooLarge = text !== expected && text.includes('"code":"ANSWER_TOO_LARGE","limit":"heldRows"')
    if ((text === expected || isTooLarge) && failures.length === 0) return undefined
  }
  const { query, variables } = printed
  return [query, JSON.stringify(variables), `expected ${expected}`, `answered ${text}`, ...failures].join(
    '\n',
  )
}

function describeData({ tables, rows, view }: RandomData): string {
  const contents = tables.map(
    (table) => `${JSON.stringify(table)}\n${(rows.get(table.name) ?? []).map(rowText).join('\n')}`,
  )
  return [...contents, JSON.stringify(view)].join('\n')
}

function rowText(row: readonly unknown[]): string {
  return JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

describe.each(readers)('$name', (product) => {
  test(`${schemas * queriesPerSchema} random queries are answered as the contract says, seed ${seed}`, {
    timeout: 60_000 + cases * millisecondsPerCase,
  }, async () => {
    const randomSchemas = fc.sample(randomData, { seed, numRuns: schemas })
    for (const [index, schema] of randomSchemas.entries()) {
      const sample = await openSampleDatabase(product)
      try {
        await fill(sample, schema)
        const snapshots = await snapshotsOf(sample, index % 3 === 1)
        const texts = new AnsweredTexts(schema.data, snapshots.usual, sample.database)
        await texts.learnGlobalIds()
        const totalBy = new Map(schema.view ? [[schema.view.name, schema.view.totalBy]] : [])
        const world = { data: schema.data, texts, totalBy }
        let difference = ''
        const outcome = await fc.check(
          fc.asyncProperty(randomQuery(world), async (query) => {
            const found = await differenceOf(query, world, snapshots, sample)
            difference = found ?? difference
            return found === undefined
          }),
          { seed: seed + index, numRuns: queriesPerSchema },
        )
        const where = `seed ${seed}, schema ${index}\n${difference}\n${describeData(schema)}\n${outcome.errorInstance ?? ''}`
        expect(outcome.failed, where).toBe(false)
      } finally {
        await sample.close()
      }
    }
  })
})
