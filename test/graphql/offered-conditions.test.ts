/** What the schema offers in `where` is taken, whatever type a column has. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { fillKitchen } from '../support/kitchen.ts'
import { products } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'

interface InputType {
  readonly name: string
  readonly inputFields: readonly { readonly name: string; readonly type: InputType }[] | null
}

const conditions: ReadonlyMap<string, string> = new Map([
  ['startsWith', '{ startsWith: "x" }'],
  ['icontains', '{ icontains: "x" }'],
  ['at', '{ at: { path: "a.0", eq: 1 } }'],
])

describe.each(products)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot
  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await fillKitchen(sample, product.name)
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  test('parts of texts, and values inside JSON', async () => {
    const { data } = (await runGraphql(
      sample,
      snapshot,
      '{ __schema { types { name inputFields { name type { name inputFields { name } } } } } }',
    )) as { readonly data: { readonly __schema: { readonly types: readonly InputType[] } } }
    const asked = data.__schema.types
      .filter(({ name }) => name.endsWith('_Where'))
      .flatMap(({ name, inputFields }) =>
        (inputFields ?? []).flatMap(({ name: field, type }) =>
          (type.inputFields ?? []).flatMap((member) => {
            const condition = conditions.get(member.name)
            const rows = name.replace(/_Where$/, '')
            return condition === undefined ? [] : [`${rows}(where: { ${field}: ${condition} })`]
          }),
        ),
      )
    expect(asked.filter((list) => list.includes('{ at:')).length).toBeGreaterThan(0)
    const refused: unknown[] = []
    for (const list of asked) {
      const answer = (await runGraphql(sample, snapshot, `{ ${list} { totalCount } }`)) as {
        readonly errors?: readonly { readonly message: string }[]
      }
      for (const { message } of answer.errors ?? []) refused.push({ list, message })
    }
    expect(refused).toEqual([])
  })
})
