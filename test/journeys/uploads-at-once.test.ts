/** Several nodes on one database change its tables, and serve them all the while. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../src/database/dialect.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { type Gateway, startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import { products, type TestDatabase, type TestProduct } from '../support/products.ts'
import { definition, field, type Json, reference } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** Long enough for a busy machine. */
const waitLimits = { timeout: 60_000, interval: 50 }

describe.each(products)('$name', (product) => {
  let first: TestGateway
  let second: Gateway
  let database: Database

  beforeAll(async () => {
    let created: TestDatabase | undefined
    const shared: TestProduct = {
      ...product,
      async createDatabase(wanted) {
        created = await product.createDatabase(wanted)
        return created
      },
    }
    first = await startTestGateway(shared)
    if (created === undefined) throw new Error('there is no database')
    database = await openDatabase(created.options)
    second = await startGateway({
      database: created.options,
      waitsForDatabase: false,
      host: '127.0.0.1',
      port: 0,
      tokenTtlSeconds: 3600,
      bodyLimitBytes: 1_000_000,
      graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
      bootstrap: {},
      observe: () => undefined,
    })
  })
  afterAll(async () => {
    await second.close()
    await database.driver.close()
    await first.close()
  })

  const at = async (node: 'first' | 'second', method: string, path: string, body?: unknown) => {
    const address = node === 'first' ? first.url : second.address
    const response = await fetch(address + path, {
      method,
      headers: {
        'x-xaas-auth-token': first.token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
  const upload = (node: 'first' | 'second', body: unknown) =>
    at(node, 'POST', '/manage/entities?allow_destructive=true', body)
  const drift = async () => (await at('first', 'GET', '/manage/drift')).body

  test('H3 the same upload at once on two nodes is one change', async () => {
    const list = [definition('Tenant'), definition('Port', { refs: [reference('tenantId', 'Tenant')] })]
    const answers = await Promise.all([upload('first', list), upload('second', list)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    const { body } = await at('first', 'GET', '/manage/entities/Port/versions')
    expect(body).toHaveLength(1)
    expect(await drift()).toEqual([])
  })

  test('H4 different uploads at once on two nodes are done one after the other', async () => {
    const answers = await Promise.all([
      upload('first', definition('A', { local: [field('x', 'string')] })),
      upload('second', definition('A', { local: [field('y', 'string')] })),
      upload('first', definition('B', { refs: [reference('bId', 'B')] })),
      upload('second', definition('C')),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const { body } = await at('second', 'GET', '/manage/entities')
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual(['A', 'B', 'C', 'Port', 'Tenant'])
    expect(await drift()).toEqual([])
  })

  test('H9 readers and writers see the old or the new schema, and never an error, on a node that has not heard of the change', async () => {
    await upload('first', definition('Item', { local: [field('name', 'string'), field('old', 'string')] }))
    const isServed = async (node: 'first' | 'second', name: string) =>
      expect((await at(node, 'GET', `/apis/${name}`)).status).toBe(200)
    await vi.waitFor(() => isServed('second', 'items'), waitLimits)
    expect((await at('second', 'POST', '/apis/items', { id: 'i1', name: 'x', old: 'o' })).status).toBe(201)

    const outcomes = new Set<string>()
    let isRunning = true
    const read = async (node: 'first' | 'second') => {
      while (isRunning) {
        outcomes.add(`list ${(await at(node, 'GET', '/apis/items')).status}`)
        const one = await at(node, 'GET', '/apis/items/i1')
        outcomes.add(`one ${one.status} ${shapeOf(one.body)}`)
        const query = { query: '{ Item { edges { node { id instance } } } }' }
        const { status, body } = await at(node, 'POST', '/graphql', query)
        outcomes.add(`graphql ${status} ${JSON.stringify(body).includes('errors')}`)
      }
    }
    const write = async () => {
      for (let number = 0; isRunning; number += 1) {
        outcomes.add(`write ${(await at('second', 'POST', '/apis/items', { id: `w${number}` })).status}`)
      }
    }
    const readers = [read('first'), read('second'), write()]
    await upload('first', definition('Item', { local: [field('name', 'string')] }))
    await upload(
      'first',
      definition('Item', {
        local: [
          field('label', 'text', { renamed_from: 'name' }),
          field('size', 'integer', { field_nullable: false, field_default: '1' }),
        ],
      }),
    )
    isRunning = false
    await Promise.all(readers)
    expect([...outcomes].toSorted()).toEqual(
      expect.arrayContaining(['graphql 200 false', 'list 200', 'write 201']),
    )
    const shapes = ['id,name,old', 'id,name', 'id,label,size']
    for (const outcome of outcomes) {
      expect([
        'graphql 200 false',
        'list 200',
        'write 201',
        ...shapes.map((shape) => `one 200 ${shape}`),
      ]).toContain(outcome)
    }
    await vi.waitFor(async () => {
      expect((await at('second', 'GET', '/apis/items/i1')).body).toMatchObject({
        id: 'i1',
        label: 'x',
        size: 1,
      })
    }, waitLimits)
  })

  test('H9 a dropped entity is not found on a node that has not heard of it', async () => {
    await upload('first', definition('Gone'))
    await vi.waitFor(
      async () => expect((await at('second', 'GET', '/apis/gones')).status).toBe(200),
      waitLimits,
    )
    expect((await at('first', 'DELETE', '/manage/entities/Gone')).status).toBe(204)
    expect((await at('second', 'GET', '/apis/gones')).status).toBe(404)
    const query = { query: '{ Gone { edges { node { id } } } }' }
    expect((await at('second', 'POST', '/graphql', query)).body).toMatchObject({
      errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
    })
  })

  test('a table that was changed by someone else is told of, and left alone until someone says so', async () => {
    const wanted = definition('Drifted', { local: [field('a', 'string'), field('b', 'integer')] })
    await upload('first', wanted)
    const { driver, dialect } = database
    const sql = `alter table ${dialect.syntax.quoteIdentifier('Drifted')} drop column a`
    await driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
    expect(await drift()).toEqual([{ name: 'Drifted', drift: ['The column "a" does not exist.'] }])
    expect((await at('first', 'GET', '/manage/entities/Drifted')).body).toMatchObject({
      drift: ['The column "a" does not exist.'],
    })
    expect((await at('first', 'POST', '/manage/entities', wanted)).body).toMatchObject({
      status: 409,
      errors: [
        {
          pointer: '/attributes/local_fields/0',
          detail: expect.stringMatching(/changed by something else.*"a" does not exist.*allow_destructive/),
        },
      ],
    })
    expect((await upload('first', wanted)).status).toBe(201)
    expect(await drift()).toEqual([])
  })
})

/** The names of the fields that a record shows, without the system's own. */
function shapeOf(body: unknown): string {
  const names = Object.keys((body ?? {}) as Json)
  return names.filter((name) => !['instance', 'xid', 'xname'].includes(name)).join()
}
