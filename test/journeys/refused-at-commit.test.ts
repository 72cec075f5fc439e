/** References and unique values that the database checks only when a transaction ends: the refusal is told of what is concerned. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const late = 'deferrable initially deferred'

describe.each(products.filter(({ name }) => name !== 'MariaDB'))('$name', (product) => {
  const isPostgresql = product.name === 'PostgreSQL'
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      await runStatements(options, [
        'create table owner (id integer primary key, number integer)',
        `create table item (id integer primary key, owner integer references owner (id) ${late})`,
        'create table account (id integer primary key, number integer)',
        'insert into owner values (10, 1), (20, 1)',
        'insert into item values (1, 20)',
        'insert into account values (2, 0)',
        ...(isPostgresql
          ? [
              `create table seat (id integer primary key, number integer unique ${late})`,
              'insert into seat values (1, 1), (2, 2)',
            ]
          : []),
      ])
    })
    const tables = ['owner', 'item', 'account', ...(isPostgresql ? ['seat'] : [])]
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables } })
    expect(adopted.status).toBe(201)
  })
  afterAll(() => gateway.close())

  const refusalOf = async (mutation: string) => {
    const { data, errors } = (await gateway.graphql(`mutation { ${mutation} }`)) as Json
    expect([data, errors?.length], mutation).toEqual([null, 1])
    const { message, extensions } = errors[0]
    return { message, ...extensions }
  }
  const other = 'other: update_account(id: 2, input: { number: 3 }) { number }'
  const inUse = {
    code: 'IN_USE',
    message: 'Records refer to this owner. Delete them, or let them refer to another one, first.',
  }
  test('a record that is deleted, and others still refer to it', async () => {
    expect(await refusalOf('delete_owner(id: 20) { id }')).toEqual(inUse)
    expect(await refusalOf(`delete_owner(id: 20) { id } ${other}`)).toEqual(inUse)
    expect(await refusalOf(`${other} deleteAll_owner(where: {}) { count }`)).toEqual(inUse)
  })

  test('what can be looked up is told with its place', async () => {
    const detail = 'There is no owner whose id is 99.'
    for (const change of [
      'create_item(input: { id: 5, owner: 99 })',
      'update_item(id: 1, input: { owner: 99 })',
    ])
      expect(await refusalOf(`${change} { id } ${other}`)).toMatchObject({
        code: 'RECORD_INVALID',
        errors: [{ pointer: '/input/owner', detail }],
      })
    if (!isPostgresql) return
    expect(await refusalOf(`update_seat(id: 2, input: { number: 1 }) { id } ${other}`)).toMatchObject({
      code: 'VALUE_NOT_UNIQUE',
      errors: [{ pointer: '/input/number', detail: 'Another seat has the number 1 already.' }],
    })
  })

  test('any of several changes', async () => {
    expect(
      await refusalOf(`delete_owner(id: 20) { id } create_item(input: { id: 5, owner: 10 }) { id } ${other}`),
    ).toEqual({
      code: 'RECORD_INVALID',
      message: 'After these changes a record would refer to one that does not exist. Nothing was changed.',
    })
    expect(await refusalOf(`delete_owner(id: 20) { id } delete_account(id: 2) { id }`)).toEqual({
      code: 'IN_USE',
      message: 'Records refer to one of those that would be deleted or get another key. Nothing was changed.',
    })
  })

  test('nothing of it was kept, and what meets the constraints at the end is', async () => {
    const rows = async () =>
      (await gateway.graphql(
        '{ owner { edges { node { id } } } account { edges { node { number } } } }',
      )) as Json
    expect(await rows()).toEqual({
      data: {
        owner: { edges: [{ node: { id: 10 } }, { node: { id: 20 } }] },
        account: { edges: [{ node: { number: 0 } }] },
      },
    })
    expect(
      await gateway.graphql(`mutation { delete_owner(id: 20) { id } delete_item(id: 1) { id } ${other} }`),
    ).toEqual({ data: { delete_owner: { id: 20 }, delete_item: { id: 1 }, other: { number: 3 } } })
  })
})
