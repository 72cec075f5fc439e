/** A `GenericScalar` takes variables of all scalar types: documents for the replaced system declare `$id: String`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SchemaSnapshot } from '../../src/graphql/snapshot.ts'
import { readers } from '../support/products.ts'
import {
  openSampleDatabase,
  portTable,
  runGraphql,
  type SampleDatabase,
  tenantTable,
} from '../support/sample-database.ts'

describe.each(readers)('$name', (product) => {
  let sample: SampleDatabase
  let snapshot: SchemaSnapshot

  beforeAll(async () => {
    sample = await openSampleDatabase(product)
    await sample.create([tenantTable, portTable])
    await sample.insert('Tenant', [['i1', 't1', '2020-01-01 00:00:00']])
    await sample.insert('Port', [
      ['p1', 'a', 'alpha', 1, 'Completed', '1.5', 't1'],
      ['p2', 'b', 'beta', 0, null, '2', 't1'],
      ['p3', '7', 'seven', 1, null, null, null],
    ])
    snapshot = await sample.snapshot()
  })
  afterAll(() => sample.close())

  const run = (query: string, variables: Record<string, unknown> = {}) =>
    runGraphql(sample, snapshot, query, variables)

  test.each([
    ['$v: String', '(id: $v)', { v: 'a' }, ['a']],
    ['$v: String!', '(id: $v)', { v: 'a' }, ['a']],
    ['$v: String = "b"', '(id: $v)', {}, ['b']],
    ['$v: String', '(id: $v)', {}, ['a', 'b', '7']],
    ['$v: String', '(operationStatus: $v)', { v: null }, ['b', '7']],
    ['$v: ID', '(id: $v)', { v: 7 }, ['7']],
    ['$v: Int', '(isActivated: $v)', { v: 0 }, ['b']],
    ['$v: Boolean', '(isActivated: $v)', { v: true }, ['a', '7']],
    ['$v: Float', '(rate: $v)', { v: 1.5 }, ['a']],
    ['$v: [String]', '(id: $v)', { v: ['a', 'b'] }, ['a', 'b']],
    ['$v: [ID!]!', '(id: $v)', { v: ['a', 7] }, ['a', '7']],
    ['$v: [[String]]', '(filters: $v)', { v: [] }, ['a', 'b', '7']],
    ['$v: GenericScalar', '(id: $v)', { v: ['a'] }, ['a']],
    ['$v: String', '(filters: [{ key: "id", op: "==", val: $v }])', { v: 'a' }, ['a']],
  ])('(%s) in Port%s', async (definition, list, variables, ids) => {
    const query = `query (${definition}) { Port${list} { edges { node { id } } } }`
    expect(await run(query, variables)).toEqual({
      data: { Port: { edges: ids.map((id) => ({ node: { id } })) } },
    })
  })

  test.each([
    ['$v: String', '(first: $v)', 'Variable "$v" of type "String" used in position expecting type "Int".'],
    [
      '$v: Port_Where',
      '(id: $v)',
      'Variable "$v" of type "Port_Where" used in position expecting type "GenericScalar".',
    ],
    [
      '$v: Int',
      '(where: { id: { eq: $v } })',
      'Variable "$v" of type "Int" used in position expecting type "String".',
    ],
  ])('(%s) in Port%s is refused', async (definition, list, message) => {
    expect(await run(`query (${definition}) { Port${list} { totalCount } }`)).toEqual({
      errors: [{ message, locations: expect.any(Array), extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    })
  })

  test('a value that is not of the declared type is refused', async () => {
    expect(await run('query ($v: String) { Port(id: $v) { totalCount } }', { v: 7 })).toMatchObject({
      errors: [
        {
          message: 'Variable "$v" got invalid value 7; String cannot represent a non string value: 7',
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    })
  })
})
