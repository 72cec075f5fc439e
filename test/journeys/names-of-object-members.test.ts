/** Fields with the names of members that every JavaScript object has, such as `constructor`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field, type Json, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const definitions = [
  definition('Constructor', { local: [field('name', 'string')] }),
  definition('Result', {
    local: [field('points', 'integer'), field('toString', 'integer')],
    refs: [reference('constructorId', 'Constructor')],
  }),
  definition('Weird', {
    local: [
      field('constructor', 'object'),
      field('valueOf', 'array', { field_nullable: true }),
      field('x', 'integer'),
    ],
  }),
  definition('Sealed', {
    local: [field('hasOwnProperty', 'string', { field_immutable: true }), field('x', 'integer')],
  }),
]

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  const run = (query: string, variables: Readonly<Record<string, unknown>>) =>
    gateway.graphql(query, variables)

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    expect((await gateway.request('POST', '/manage/entities', { body: definitions })).status).toBe(201)
    const constructors = [
      { id: 'fer', name: 'Ferrari' },
      { id: 'mcl', name: 'McLaren' },
    ]
    expect((await gateway.request('POST', '/apis/constructors', { body: constructors })).status).toBe(201)
    const results: readonly Json[] = [
      { id: 'a', points: 1, toString: 1, constructorId: 'fer' },
      { id: 'b', points: 2, toString: 2, constructorId: 'mcl' },
      { id: 'c', points: 3 },
    ]
    expect((await gateway.request('POST', '/apis/results', { body: results })).status).toBe(201)
  })
  afterAll(() => gateway.close())

  test('an input that does not have them creates and changes records', async () => {
    const create =
      'mutation ($i: Result_CreateInput!) { create_Result(input: $i) { id points toString constructorId } }'
    const input = { id: 'r1', points: 25, constructorId: 'mcl' }
    expect(await run(create, { i: input })).toEqual({
      data: { create_Result: { id: 'r1', points: 25, toString: null, constructorId: 'mcl' } },
    })
    const update =
      'mutation ($i: Result_UpdateInput!) { update_Result(id: "r1", input: $i) { points toString constructor { name } } }'
    expect(await run(update, { i: { points: 26 } })).toEqual({
      data: { update_Result: { points: 26, toString: null, constructor: { name: 'McLaren' } } },
    })
    const reference = { toString: 7, constructor: { connect: { id: 'fer' } } }
    expect(await run(update, { i: reference })).toEqual({
      data: { update_Result: { points: 26, toString: 7, constructor: { name: 'Ferrari' } } },
    })
    expect(await run(update, { i: {} })).toEqual({
      data: { update_Result: { points: 26, toString: 7, constructor: { name: 'Ferrari' } } },
    })
    const createAll =
      'mutation ($i: [Result_CreateInput!]!) { createAll_Result(inputs: $i) { id constructorId } }'
    const inputs: readonly Json[] = [{ id: 'r2' }, { id: 'r3', constructor: { create: { id: 'wil' } } }]
    expect(await run(createAll, { i: inputs })).toEqual({
      data: {
        createAll_Result: [
          { id: 'r2', constructorId: null },
          { id: 'r3', constructorId: 'wil' },
        ],
      },
    })
    const deleteAll = 'mutation ($w: Result_Where!) { deleteAll_Result(where: $w) { count } }'
    expect(await run(deleteAll, { w: { id: { startsWith: 'r' } } })).toEqual({
      data: { deleteAll_Result: { count: 3 } },
    })
  })

  test('conditions, orders and groups are read', async () => {
    const ids = async (definition: string, list: string, variables: Readonly<Record<string, unknown>>) =>
      run(`query (${definition}) { Result(${list}) { edges { node { id } } } }`, variables)
    const found = (...all: string[]) => ({
      data: { Result: { edges: all.map((id) => ({ node: { id } })) } },
    })
    const where = ['$w: Result_Where', 'where: $w'] as const
    expect(await ids(...where, { w: { points: { gt: 1 } } })).toEqual(found('b', 'c'))
    expect(await ids(...where, { w: { constructor: { name: { eq: 'Ferrari' } } } })).toEqual(found('a'))
    expect(await ids(...where, { w: { not: { toString: { eq: 1 } } } })).toEqual(found('b', 'c'))
    const order = ['$o: [Result_OrderBy!]', 'orderBy: $o'] as const
    expect(await ids(...order, { o: [{ points: 'DESC' }] })).toEqual(found('c', 'b', 'a'))
    const having =
      'query ($h: Result_Having) { Result { groups(by: [{field: id}], having: $h) { keys { id } sum { points } } } }'
    expect(await run(having, { h: { sum: { points: { gt: 2 } } } })).toEqual({
      data: { Result: { groups: [{ keys: { id: 'c' }, sum: { points: 3 } }] } },
    })
    const query = new URLSearchParams({
      query: 'query ($w: Result_Where) { Result(where: $w) { totalCount } }',
      variables: JSON.stringify({ w: { points: { gt: 1 } } }),
    })
    expect((await gateway.request('GET', `/graphql?${query}`)).body).toEqual({
      data: { Result: { totalCount: 2 } },
    })
  })

  test('mistakes are told of what was sent', async () => {
    const query = 'query ($w: Result_Where) { Result(where: $w) { totalCount } }'
    const messages = async (w: unknown) =>
      ((await run(query, { w })) as { errors: { message: string }[] }).errors.map(({ message }) => message)
    expect(await messages({ points: { gt: 'x' } })).toEqual([
      'Variable "$w" got invalid value "x" at "w.points.gt"; Int cannot represent non-integer value: "x"',
    ])
    expect(await messages({ valueOf: 1 })).toEqual([
      'Variable "$w" got invalid value { valueOf: 1 }; Field "valueOf" is not defined by type "Result_Where".',
    ])
  })

  test('JSON under such names stays as it is', async () => {
    const create =
      'mutation ($i: Weird_CreateInput!) { create_Weird(input: $i) { id constructor valueOf x } }'
    expect(await run(create, { i: { id: 'w1', x: 1 } })).toEqual({
      data: { create_Weird: { id: 'w1', constructor: null, valueOf: null, x: 1 } },
    })
    const input = { id: 'w2', constructor: { toString: 1 }, valueOf: [{}], x: 1 }
    const data = { id: 'w2', constructor: '{"toString":1}', valueOf: '[{}]' }
    expect(await run(create, { i: input })).toEqual({ data: { create_Weird: { ...data, x: 1 } } })
    const update =
      'mutation ($i: Weird_UpdateInput!) { update_Weird(id: "w2", input: $i) { id constructor valueOf x } }'
    expect(await run(update, { i: { x: 2 } })).toEqual({ data: { update_Weird: { ...data, x: 2 } } })
    // JSON as it was read is no change, and other JSON is merged.
    expect(await run(update, { i: { constructor: { toString: 1 } } })).toEqual({
      data: { update_Weird: { ...data, x: 2 } },
    })
    expect(await run(update, { i: { constructor: { constructor: { a: null } } } })).toEqual({
      data: { update_Weird: { ...data, constructor: '{"toString":1,"constructor":{}}', x: 2 } },
    })
  })

  test('rights and the published APIs know them as any other', async () => {
    const sealed = { id: 's', hasOwnProperty: 'x', x: 1 }
    expect((await gateway.request('POST', '/apis/sealeds', { body: sealed })).status).toBe(201)
    const on = (resource: string, ...written: readonly string[]) => ({
      regex: `/apis/${resource}(/.*)?`,
      methods: ['GET', 'POST', 'PATCH', 'PUT'],
      fields: { read: ['id', 'x'], write: ['id', 'x', ...written] },
    })
    const rights = [on('sealeds', 'hasOwnProperty'), on('weirds', 'constructor', 'valueOf')]
    const token = await logonAs(gateway, await createAccount(gateway, 'writer', rights))
    const call = async (method: string, path: string, body: unknown) => {
      const { status, body: answer } = await gateway.request(method, path, { body, token })
      return { status, body: answer }
    }
    expect(await call('PATCH', '/apis/sealeds/s', { x: 2 })).toMatchObject({
      status: 200,
      body: { id: 's', x: 2 },
    })
    expect(await call('PATCH', '/apis/sealeds/s', { hasOwnProperty: 'y' })).toMatchObject({ status: 422 })
    expect(await call('PATCH', '/apis/weirds/w2', { constructor: { b: 1 } })).toMatchObject({
      status: 200,
      body: { id: 'w2', x: 2 },
    })
    expect(await call('PUT', '/apis/weirds/w2', { x: 3 })).toMatchObject({
      status: 200,
      body: { id: 'w2', x: 3 },
    })
  })
})
