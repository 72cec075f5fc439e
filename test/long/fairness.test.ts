import { afterEach, describe, expect, test } from 'vitest'
import type { DriverLimits } from '../../src/database/driver.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { processTreeOf } from '../support/process-tree.ts'
import { products } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const things = {
  name: 'Thing',
  persistence: true,
  api_generation: true,
  attributes: { identifier: { field_name: 'id', field_type: 'string' }, local_fields: [], ref_fields: [] },
}

let gateway: TestGateway
afterEach(() => gateway.close())

describe.each(products)('$name', (product) => {
  let options: DatabaseOptions
  const start = async (limits: Partial<DriverLimits> = {}) => {
    const makeView = async (made: DatabaseOptions) => {
      options = made
      const { driver } = await openDatabase(made)
      await driver.transaction((connection) => connection.execute({ sql: product.slowView, parameters: [] }))
      await driver.close()
    }
    gateway = await startTestGateway(product, makeView, { limits })
    expect((await gateway.request('POST', '/manage/entities', { body: things })).status).toBe(201)
  }
  const tokenFor = async (username: string) =>
    logonAs(
      gateway,
      await createAccount(gateway, username, [{ regex: '/(apis|graphql).*', methods: ['GET', 'POST'] }]),
    )
  /** Statements that run for long; on SQLite each has a process. */
  const slowStatements = async () =>
    product.runningStatements === undefined
      ? (await processTreeOf(process.pid)).length - processesBefore
      : product.runningStatements(options)
  let processesBefore = 0
  /** Queries of an account that take longer than any test; each gives the error that it ended with. */
  const slowQueries = (token: string, signal: AbortSignal) =>
    Array.from({ length: 12 }, async () => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-xaas-auth-token': token },
        body: JSON.stringify({ query: '{ Slow { edges { node { id } } } }' }),
        signal,
      }).catch(() => undefined)
      return response?.text().catch(() => '')
    })

  test.each([2, 5])('R10: %i accounts whose queries are slow keep no other from reading', async (count) => {
    await start({ waitMs: 6000 })
    const other = await tokenFor('other')
    const hogs: string[] = []
    for (let number = 0; number < count; number += 1) hogs.push(await tokenFor(`hog${number}`))
    processesBefore = (await processTreeOf(process.pid)).length
    const leaving = new AbortController()
    const slow = hogs.flatMap((hog) => slowQueries(hog, leaving.signal))
    await expect.poll(slowStatements).toBeGreaterThanOrEqual(2)
    const reads: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['GET', '/apis/things?asc=id'],
      ['GET', '/apis/things?count=true'],
      ['POST', '/graphql', { query: '{ Thing { totalCount edges { node { id } } } }' }],
    ]
    for (let round = 0; round < 3; round += 1) {
      for (const [method, path, body] of reads) {
        const answer = await gateway.request(method, path, { token: other, ...(body && { body }) })
        expect([answer.status, answer.body]).toEqual([
          200,
          expect.not.objectContaining({ errors: expect.anything() }),
        ])
      }
    }
    leaving.abort()
    await Promise.all(slow)
  })

  test('R10: an account whose queries are slow keeps no other from reading, writing or logging on', async () => {
    await start()
    const [hog, other] = [await tokenFor('hog'), await tokenFor('other')]
    processesBefore = (await processTreeOf(process.pid)).length
    const leaving = new AbortController()
    const slow = slowQueries(hog, leaving.signal)
    await expect.poll(slowStatements).toBeGreaterThanOrEqual(2)
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        gateway.request('GET', '/apis/things?asc=id', { token: other }),
        gateway.request('GET', '/apis/things?count=true', { token: other }),
        gateway.request('POST', '/graphql', {
          token: other,
          body: { query: '{ Thing { totalCount edges { node { id } } } }' },
        }),
        gateway.request('POST', '/apis/things', { token: other, body: { id: `t${round}` } }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201])
      expect(answers[2]?.body).not.toHaveProperty('errors')
      await tokenFor(`someone${round}`)
    }
    leaving.abort()
    expect((await Promise.all(slow)).every((answer) => answer === undefined)).toBe(true)
  })
})
