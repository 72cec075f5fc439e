import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const slowQuery = { query: '{ Slow { edges { node { id } } } }' }

describe.each(products)('$name', (product) => {
  let options: DatabaseOptions
  let gateway: TestGateway

  const prepare = async (created: DatabaseOptions) => {
    options = created
    const { driver } = await openDatabase(created)
    await driver.transaction(async (connection) => {
      await connection.execute({ sql: product.slowView, parameters: [] })
      await connection.execute({ sql: 'create table quick (id integer primary key)', parameters: [] })
    })
    await driver.close()
  }

  describe('clients that leave', () => {
    beforeAll(async () => {
      gateway = await startTestGateway(product, prepare)
    })
    afterAll(() => gateway.close())

    test('end their statements in the database, and give their connections back', async () => {
      // As many as may read at the same time, and more who wait for them.
      const leaving = new AbortController()
      const answers = Array.from({ length: 12 }, () =>
        fetch(`${gateway.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-xaas-auth-token': gateway.token },
          body: JSON.stringify(slowQuery),
          signal: leaving.signal,
        }),
      )
      if (product.runningStatements) {
        await vi.waitFor(
          async () => expect(await product.runningStatements?.(options)).toBeGreaterThan(1),
          30_000,
        )
      }
      leaving.abort()
      expect(await Promise.allSettled(answers)).toHaveLength(12)
      expect(await gateway.graphql('{ quick { edges { node { id } } } }')).toEqual({
        data: { quick: { edges: [] } },
      })
      if (product.runningStatements) {
        await vi.waitFor(async () => expect(await product.runningStatements?.(options)).toBe(0), 30_000)
      }
    })
  })

  describe('statements that take longer than they may', () => {
    beforeAll(async () => {
      gateway = await startTestGateway(product, prepare, { limits: { statementTimeoutMs: 3000 } })
    })
    afterAll(() => gateway.close())

    test('end with an error that says so, beside what was in time', async () => {
      const { body } = await gateway.request('POST', '/graphql', {
        body: {
          query: '{ quick { edges { node { id } } } Slow { edges { node { id } } } }',
        },
      })
      expect(body).toEqual({
        data: { quick: { edges: [] }, Slow: null },
        errors: [
          {
            message: 'The statement was ended: it took longer than 3000 ms.',
            locations: [{ line: 1, column: 35 }],
            path: ['Slow'],
            extensions: { code: 'STATEMENT_TIMEOUT' },
          },
        ],
      })
      if (product.runningStatements) {
        await vi.waitFor(async () => expect(await product.runningStatements?.(options)).toBe(0), 30_000)
      }
    })
  })

  describe('callers who find all connections in use', () => {
    beforeAll(async () => {
      gateway = await startTestGateway(product, prepare, {
        limits: { waitMs: 300, statementTimeoutMs: 3000 },
      })
    })
    afterAll(() => gateway.close())

    test('are refused after a while, and nobody who needs none', async () => {
      const slow = Array.from({ length: 12 }, () => gateway.request('POST', '/graphql', { body: slowQuery }))
      const refused = (await Promise.all(slow)).filter(({ status }) => status === 503)
      expect(refused.length).toBeGreaterThan(0)
      expect(refused[0]?.headers.get('retry-after')).toBe('1')
      expect(refused[0]?.body).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' })
    })

    test('while others log on, and learn that their request is wrong', async () => {
      const slow = Array.from({ length: 12 }, () => gateway.request('POST', '/graphql', { body: slowQuery }))
      const answers = await Promise.all([
        gateway.request('GET', '/readyz'),
        gateway.request('POST', '/logon', {
          body: { username: 'admin', password: gateway.password },
          headers: { 'x-xaas-api-key': gateway.apiKey },
        }),
        gateway.request('POST', '/graphql', { body: { query: '{ Nothing }' } }),
        gateway.request('GET', '/graphql'),
        gateway.request('OPTIONS', '/graphql'),
        gateway.request('GET', '/nowhere', { token: 'wrong' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 405, 401])
      await Promise.all(slow)
    })
  })
})
