/** Databases count the values of a statement; a request that is within all limits never has too many. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { products } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'

const parents = Array.from({ length: 64 }, (_, index) => index + 1)

describe.each(products)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.database.driver.transaction(async (connection) => {
      const execute = (sql: string) => connection.execute({ sql, parameters: [] })
      await execute('create table folder (id int primary key, word varchar(40))')
      await execute(
        'create table page (id int primary key, folder_id int, word varchar(40), foreign key (folder_id) references folder (id))',
      )
      await execute(`insert into folder values ${parents.map((id) => `(${id}, 'word ${id}')`).join(', ')}`)
      await execute(
        `insert into page values ${parents.map((id) => `(${id}, ${id}, 'word ${id}')`).join(', ')}`,
      )
    })
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  test('a hundred lists of values below 64 parents', async () => {
    const collection = /(\w*[cC]ollection)\(/.exec(
      /type folder_ [^{]*\{([^}]*)\}/s.exec(await snapshot.sdl)?.[1] ?? '',
    )
    const lists = Array.from({ length: 100 }, (_, list) => {
      const words = Array.from({ length: 8 }, (_, index) => `"word ${(list * 8 + index) % 70}"`)
      return `{key: "word", op: "in", val: [${words.join(', ')}]}`
    })
    const document = `{ folder(asc: "id") { edges { node { id ${collection?.[1]}(first: 1, filters: [[${lists.join(', ')}]]) { edges { node { id } } } } } } }`
    expect(await runGraphql(sample, snapshot, document, {})).toEqual({
      data: {
        folder: {
          edges: parents.map((id) => ({
            node: { id, [collection?.[1] ?? '']: { edges: [{ node: { id } }] } },
          })),
        },
      },
    })
  })
})
