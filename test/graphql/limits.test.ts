import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { anyProduct } from '../support/products.ts'
import {
  openSampleDatabase,
  portTable,
  runGraphql,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

/** Ports and tenants in each other, so many times. */
function nested(times: number, page = ''): string {
  if (times === 0) return 'id'
  return `tenant { portCollection${page} { edges { node { ${nested(times - 1, page)} } } } }`
}

/** Fragments that each spread the next one twice. */
function doubling(times: number): string {
  const fragments = Array.from(
    { length: times },
    (_, index) => `fragment F${index} on Port_ { ...F${index + 1} ...F${index + 1} }`,
  )
  return `{ Port { edges { node { ...F0 } } } } ${fragments.join(' ')} fragment F${times} on Port_ { id }`
}

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  test.each([
    ['fields within fields', `{ Port { edges { node { ${nested(7)} } } } }`, {}, 'depth', 30, 32],
    [
      'the same by fragments',
      `{ ...Root } fragment Root on Query { Port { edges { node { ...P } } } } fragment P on Port_ { ${nested(7)} }`,
      {},
      'depth',
      30,
      32,
    ],
    [
      'types within types',
      `{ __type(name: "Port_") { ${'ofType { '.repeat(20)} name ${'} '.repeat(21)} }`,
      {},
      'depth',
      20,
      22,
    ],
    [
      'aliases',
      `{ ${Array.from({ length: 1001 }, (_, index) => `a${index}: __typename`).join(' ')} }`,
      {},
      'aliases',
      1000,
      1001,
    ],
    ['directives', `{ __typename ${'@skip(if: false) '.repeat(11)} }`, {}, 'directives', 10, 11],
    ['fragments that double', doubling(30), {}, 'fields', 5000, 2 ** 30 + 3],
    [
      'large pages in each other',
      `{ Port(first: 1000) { edges { node { tenant { portCollection(first: 1000) { edges { node { tenant { portCollection(first: 1000) { edges { node { id } } } } } } } } } } } }`,
      {},
      'cost',
      200_000_000,
      1000 * (1 + 1 + 1000 * (1 + 1 + 1000)),
    ],
    [
      'a large page',
      'query ($n: Int) { Port(first: $n) { edges { node { id } } } }',
      { n: 300_000_000 },
      'cost',
      200_000_000,
      300_000_000,
    ],
  ])('%s are refused before any statement', async (_name, query, variables, limit, allowed, found) => {
    sample.statements()
    const answer = await runGraphql(sample, snapshot, query, variables)
    expect(answer).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED', limit, allowed, found } }],
    })
    expect(answer).not.toHaveProperty('data')
    expect(sample.statements()).toEqual([])
  })

  test.each([
    [
      'a query of lists in each other, as deep as it may be',
      `{ Port(first: 1) { edges { node { ${nested(6, '(first: 2)')} } } } }`,
    ],
    [
      'three collections in each other, below a list',
      `{ Tenant { edges { node { portCollection { edges { node { ${nested(2)} } } } } } } }`,
    ],
    [
      'lists of all rows in each other',
      `{ Tenant { edges { node { portCollection { edges { node { ${nested(1)} } } } } } } }`,
    ],
    ['the usual introspection', getIntrospectionQuery()],
    [
      'a thousand aliases',
      `{ ${Array.from({ length: 1000 }, (_, index) => `a${index}: Port(id: "p${index}") { totalCount }`).join(' ')} }`,
    ],
  ])('%s is answered', async (_name, query) => {
    expect(await runGraphql(sample, snapshot, query)).not.toHaveProperty('errors')
  })
})
