import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { readers } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: number } }[]
}

describe.each(readers)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([
      {
        name: 'Note',
        columns: [
          { name: 'id', type: 'integer', nullable: false },
          { name: 'text', type: 'text', nullable: true },
        ],
        primaryKey: ['id'],
        uniqueKeys: [],
        foreignKeys: [],
        indexes: [],
      },
    ])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  async function page(values: Readonly<Record<string, unknown>>): Promise<Page> {
    const query =
      'query ($after: String, $first: Int) { Note(asc: "text", first: $first, after: $after) { edges { cursor node { id } } } }'
    const answer = (await runGraphql(sample, snapshot, query, values)) as { data: { Note: Page } }
    return answer.data.Note
  }

  const idsOf = ({ edges }: Page) => edges.map(({ node }) => node.id)

  test('a cursor holds its place while rows come and go', async () => {
    await sample.insert(
      'Note',
      [1, 2, 3, 4, 5, 6].map((id) => [id, `text ${id % 3}`]),
    )
    const first = await page({ first: 3 })
    expect(idsOf(first)).toEqual([3, 6, 1])
    await sample.insert('Note', [
      [0, 'text 0'],
      [7, 'text 1'],
    ])
    const { quoteIdentifier } = sample.database.dialect.syntax
    await sample.database.driver.transaction((connection) =>
      connection.execute({
        sql: `delete from ${quoteIdentifier('Note')} where ${quoteIdentifier('id')} = 1`,
        parameters: [],
      }),
    )
    const second = await page({ first: 3, after: first.edges.at(-1)?.cursor })
    expect(idsOf(second)).toEqual([4, 7, 2])
  })

  test('a cursor holds a text of any length', async () => {
    const long = 'long '.repeat(20_000)
    await sample.insert('Note', [
      [11, `${long}a`],
      [12, `${long}b`],
    ])
    const after = (await page({})).edges.find(({ node }) => node.id === 11)?.cursor
    expect(idsOf(await page({ after }))).toContain(12)
    expect(idsOf(await page({ after }))).not.toContain(11)
  })
})
