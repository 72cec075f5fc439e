/** Variables that are not given, in the conditions of a write: it is refused, and never writes more records. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const box = definition('Box', { local: [field('name', 'string')] })
const item = definition('Item', {
  local: [field('name', 'string'), field('size', 'integer'), field('meta', 'object')],
  refs: [reference('boxId', 'Box')],
})

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    expect((await gateway.request('POST', '/manage/entities', { body: [box, item] })).status).toBe(201)
    await gateway.request('POST', '/apis/boxes', { body: [{ id: 'b1' }] })
    const items = [
      { id: 'i1', name: 'a', size: 1, boxId: 'b1' },
      { id: 'i2', name: 'b', size: 2 },
      { id: 'i3', size: 3 },
    ]
    expect((await gateway.request('POST', '/apis/items', { body: items })).status).toBe(201)
  })
  afterAll(() => gateway.close())

  const stored = () =>
    gateway.graphql('{ Item(asc: "id") { edges { node { id name size boxId } } } Box { totalCount } }')
  const changes = (where: string) => [
    ['updateAll_Item', `updateAll_Item(where: ${where}, input: { boxId: "b1" }) { count }`] as const,
    ['deleteAll_Item', `deleteAll_Item(where: ${where}) { count }`] as const,
  ]
  const mistake = (variable: string, pointer: string) => ({
    pointer,
    detail: `The variable $${variable} was not given, and a write leaves no condition out. Give it a value, or null for records without one.`,
  })

  test.each<[declared: string, where: string, pointer: string]>([
    ['$v: Int', '{ size: { eq: $v } }', '/where/size/eq'],
    ['$v: Int', '{ size: { gte: 2, lt: $v } }', '/where/size/lt'],
    ['$v: Int', '{ size: { in: [1, $v] } }', '/where/size/in/1'],
    ['$v: [Int]', '{ size: { notIn: $v } }', '/where/size/notIn'],
    ['$v: Boolean', '{ size: { isNull: $v } }', '/where/size/isNull'],
    ['$v: Int_Comparison', '{ size: $v }', '/where/size'],
    ['$v: Int', '{ name: { eq: "a" }, not: { size: { ne: $v } } }', '/where/not/size/ne'],
    ['$v: Int', '{ or: [{ name: { eq: "a" } }, { size: { eq: $v } }] }', '/where/or/1/size/eq'],
    ['$v: String', '{ box: { id: { eq: $v } } }', '/where/box/id/eq'],
    ['$v: GenericScalar', '{ meta: { at: [{ path: "a", eq: $v }] } }', '/where/meta/at/0/eq'],
  ])('%s in %s', async (declared, where, pointer) => {
    const before = await stored()
    for (const [name, change] of changes(where)) {
      const query = `mutation (${declared}) { create_Box(input: { id: "b2" }) { id } ${change} }`
      const { detail } = mistake('v', pointer)
      expect(await gateway.graphql(query, {})).toEqual({
        data: null,
        errors: [
          {
            message: `${pointer}: ${detail}`,
            path: [name],
            locations: [{ line: 1, column: query.indexOf(name) + 1 }],
            extensions: { code: 'PARAMETER_INVALID', errors: [{ pointer, detail }] },
          },
        ],
      })
    }
    expect(await stored()).toEqual(before)
  })

  test('all of them are told', async () => {
    const where = '{ size: { gt: $from, lt: $to }, name: { eq: $name } }'
    for (const [, change] of changes(where)) {
      const query = `mutation ($from: Int, $to: Int, $name: String) { ${change} }`
      expect(await gateway.graphql(query, { from: 1 })).toMatchObject({
        errors: [
          { extensions: { errors: [mistake('to', '/where/size/lt'), mistake('name', '/where/name/eq')] } },
        ],
      })
    }
  })

  test.each<[where: object, place: string]>([
    [{ size: {} }, 'size'],
    [{ GlobalId: {} }, 'GlobalId'],
    [{ name: { eq: 'a' }, size: {} }, 'size'],
    [{ not: { size: {} } }, 'size'],
    [{ or: [{ name: { eq: 'a' } }, { size: {} }] }, 'size'],
    [{ not: {} }, 'not'],
    [{ not: null }, 'not'],
    [{ or: [{ name: { eq: 'a' } }, {}] }, 'or[1]'],
    [{ or: null }, 'or'],
    [{ and: [] }, 'and'],
    [{ and: null }, 'and'],
    [{ box: { and: null } }, 'and'],
    [{ meta: { at: [] } }, 'at'],
    [{ meta: { at: [{ path: 'a' }] } }, 'at[0]'],
    [{ box: { id: {} } }, 'id'],
    [{ box: { itemCollection: {} } }, 'itemCollection'],
    [{ box: { itemCollection: { some: { id: {} } } } }, 'id'],
  ])('a condition that says nothing: %j', async (where, place) => {
    const before = await stored()
    for (const [name] of changes('')) {
      const input = name === 'updateAll_Item' ? ', input: { boxId: "b1" }' : ''
      const query = `mutation ($where: Item_Where!) { ${name}(where: $where${input}) { count } }`
      expect(await gateway.graphql(query, { where })).toMatchObject({
        data: null,
        errors: [
          {
            message: expect.stringContaining(`${place} has no condition, and a write leaves none out.`),
            extensions: { code: 'PARAMETER_INVALID' },
          },
        ],
      })
    }
    expect(await stored()).toEqual(before)
  })

  test('whether there is a related row is a condition', async () => {
    const query =
      'mutation ($where: Item_Where!) { updateAll_Item(where: $where, input: { size: 1 }) { count } }'
    const changed = { data: { updateAll_Item: { count: 1 } } }
    expect(await gateway.graphql(query, { where: { box: {}, id: { eq: 'i1' } } })).toEqual(changed)
    const some = { box: { itemCollection: { some: {} } }, id: { eq: 'i1' } }
    expect(await gateway.graphql(query, { where: some })).toEqual(changed)
  })

  test('the conditions as a whole are required', async () => {
    const query =
      'mutation ($where: Item_Where!) { updateAll_Item(where: $where, input: { size: 9 }) { count } }'
    expect(await gateway.graphql(query, {})).toMatchObject({
      errors: [{ message: expect.stringContaining('"$where" of required type') }],
    })
  })

  test('null and defaults are values, and a query leaves the condition out', async () => {
    const count = (where: string, declared: string, variables: object) =>
      gateway.graphql(
        `mutation (${declared}) { updateAll_Item(where: ${where}, input: { boxId: "b1" }) { count } }`,
        { ...variables },
      )
    const changed = (number: number) => ({ data: { updateAll_Item: { count: number } } })
    expect(await count('{ name: { eq: $v } }', '$v: String', { v: null })).toEqual(changed(1))
    expect(await count('{ name: { eq: $v } }', '$v: String = "a"', {})).toEqual(changed(1))
    expect(await count('{ name: { eq: $v } }', '$v: String', { v: 'b' })).toEqual(changed(1))
    const query = 'query ($v: String) { Item(where: { name: { eq: $v } }) { totalCount } }'
    expect(await gateway.graphql(query, {})).toEqual({ data: { Item: { totalCount: 3 } } })
  })
})
