import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { snapshotOf } from '../../src/graphql/snapshot.ts'
import { products } from '../support/products.ts'
import { openSampleDatabase, runGraphql, type SampleDatabase } from '../support/sample-database.ts'

describe.each(products)('$name', (product) => {
  let sample: SampleDatabase
  const text = (name: string) => ({ name, type: 'string', nullable: false }) as const

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    const common = { uniqueKeys: [], indexes: [] }
    await sample.create([
      {
        ...common,
        name: 'sales_person',
        columns: [text('person_id'), text('_first_name'), text('zip-code')],
        primaryKey: ['person_id'],
        foreignKeys: [],
      },
      {
        ...common,
        name: 'order line',
        columns: [text('line_2_id'), text('sold_by_id')],
        primaryKey: ['line_2_id'],
        foreignKeys: [
          { columns: ['sold_by_id'], referencedTable: 'sales_person', referencedColumns: ['person_id'] },
        ],
      },
    ])
    await sample.insert('sales_person', [['p', 'Ada', '1000']])
    await sample.insert('order line', [['l', 'p']])
    const { driver, dialect } = sample.database
    const view = dialect.syntax.quoteIdentifier('keyless')
    await driver.transaction((connection) =>
      connection.execute({
        sql: `create view ${view} as select 'b' as name, 1 as number union all select 'a', 2 union all select 'a', 1`,
        parameters: [],
      }),
    )
  })
  afterAll(() => sample.close())

  const snapshot = async (naming: 'verbatim' | 'camel') => {
    const { driver, dialect } = sample.database
    const schema = await driver.read((connection) => dialect.introspect(connection))
    return snapshotOf(schema, dialect, { limits: defaultOperationLimits, naming })
  }

  test('names that GraphQL cannot hold are shown with what they stand for', async () => {
    const { sdl } = await snapshot('verbatim')
    expect(await sdl).toContain('"""Table "order line"."""\ntype order_line_ implements CustomNode {')
    expect(await sdl).toContain('  """Column "zip-code"."""\n  zip_code: String!')
    expect(await sdl).not.toContain('"person_id"')
  })

  test('fields may have names without underscores', async () => {
    const camel = await snapshot('camel')
    const query = `{
      sales_person(personId: "p", asc: "zipCode", filters: [{key: "_firstName", op: "==", val: "Ada"}]) {
        edges { node { personId _firstName zipCode orderLineCollection { edges { node { line2Id salesPerson { personId } } } } } }
      }
    }`
    const line = { line2Id: 'l', salesPerson: { personId: 'p' } }
    expect(await runGraphql(sample, camel, query)).toEqual({
      data: {
        sales_person: {
          edges: [
            {
              node: {
                personId: 'p',
                _firstName: 'Ada',
                zipCode: '1000',
                orderLineCollection: { edges: [{ node: line }] },
              },
            },
          ],
        },
      },
    })
    expect(await camel.sdl).toContain('  """Column "person_id"."""\n  personId: String!')
  })

  test('rows without a key are paged through by offset, in one order, and by no cursor of another list', async () => {
    const served = await snapshot('verbatim')
    const page = (list: string) =>
      runGraphql(sample, served, `{ keyless(${list}) { edges { node { name number } } } }`)
    const rows = [
      { name: 'a', number: 1 },
      { name: 'a', number: 2 },
      { name: 'b', number: 1 },
    ]
    for (const [offset, row] of rows.entries()) {
      const expected = { data: { keyless: { edges: [{ node: row }] } } }
      expect(JSON.stringify(await page(`limit: 1, offset: ${offset}`))).toBe(
        JSON.stringify(expected).replace(
          /"number":(\d)/,
          product.name === 'SQLite' ? '"number":"$1"' : '"number":$1',
        ),
      )
    }
    expect(await page('after: "WyJ4Il0"')).toEqual({
      data: { keyless: null },
      errors: [
        {
          message:
            'after holds a cursor of another list: use it with the same entity, asc and desc as the query that gave it.',
          locations: [{ line: 1, column: 3 }],
          path: ['keyless'],
          extensions: { code: 'PARAMETER_INVALID' },
        },
      ],
    })
  })
})
