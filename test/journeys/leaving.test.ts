import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** For what comes sooner or later, in milliseconds: statements that could not be cancelled end by the server's own limit. */
const longest = 200_000
const slowQuery = { query: '{ Slow { edges { node { id } } } }' }

// Most of the time passes until a limit is reached: on each product beside the others.
describe.concurrent.each(products)('$name', (product) => {
  describe('one after the other', { concurrent: false }, () => {
    let options: DatabaseOptions
    let gateway: TestGateway

    /**
     * The query is answered so once what is quick is in time: on a busy machine it may take longer than it may, above all where its
     * connection is opened again, because the statement before it was ended together with it.
     */
    const expectAnswer = (query: string, expected: object) =>
      vi.waitFor(async () => {
        await gateway.graphql('{ quick { totalCount } }')
        const { status, body } = await gateway.request('POST', '/graphql', { body: { query } })
        expect({ status, body }).toEqual({ status: 200, body: expected })
      }, longest)

    const askSlowly = (signal: AbortSignal) =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-xaas-auth-token': gateway.token },
        body: JSON.stringify(slowQuery),
        signal,
      })

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
        const answers = Array.from({ length: 12 }, () => askSlowly(leaving.signal))
        if (product.runningStatements) {
          await vi.waitFor(
            async () => expect(await product.runningStatements?.(options)).toBeGreaterThan(1),
            longest,
          )
        }
        leaving.abort()
        expect(await Promise.allSettled(answers)).toHaveLength(12)
        expect(await gateway.graphql('{ quick { edges { node { id } } } }')).toEqual({
          data: { quick: { edges: [] } },
        })
        if (product.runningStatements) {
          await vi.waitFor(async () => expect(await product.runningStatements?.(options)).toBe(0), longest)
        }
      })
    })

    describe('statements that take longer than they may', () => {
      beforeAll(async () => {
        gateway = await startTestGateway(product, prepare, { limits: { statementTimeoutMs: 3000 } })
      })
      afterAll(() => gateway.close())

      const timeout = (path: string, column: number, message: string) => ({
        message,
        locations: [{ line: 1, column }],
        path: [path],
        extensions: { code: 'STATEMENT_TIMEOUT', requestId: expect.any(String) },
      })
      const ended =
        'The statement was ended: it took longer than 3000 ms (statement_timeout). Ask for less, or filter by an indexed field; a change may have waited for others of the same rows.'
      const notRead =
        'This field was not read: a statement of a field before it took too long, and was ended together with their connection.'

      test.each([
        [
          'after what was in time',
          '{ quick { edges { node { id } } } Slow { edges { node { id } } } }',
          { quick: { edges: [] }, Slow: null },
          [timeout('Slow', 35, ended)],
        ],
        [
          'and ends what comes after it',
          '{ Slow { edges { node { id } } } quick { edges { node { id } } } __typename }',
          { Slow: null, quick: null, __typename: 'Query' },
          [timeout('Slow', 3, ended), timeout('quick', 34, notRead)],
        ],
      ])('end with an error that says so: one %s', async (_, query, data, errors) => {
        await expectAnswer(query, { data, errors })
        if (product.runningStatements) {
          await vi.waitFor(async () => expect(await product.runningStatements?.(options)).toBe(0), longest)
        }
      })
    })

    // SQLite has no statement that waits for another program's lock on one table.
    describe.runIf(product.runningStatements)(
      'statements of a collection that take longer than they may',
      () => {
        const tables = [
          'create table owner (id integer primary key)',
          'create table locked (id integer primary key, owner_id integer, foreign key (owner_id) references owner (id))',
          'create table other (id integer primary key, owner_id integer, foreign key (owner_id) references owner (id))',
          'insert into owner values (1), (2)',
          'insert into locked values (1, 1)',
          'insert into other values (7, 2)',
        ]
        beforeAll(async () => {
          const prepareAll = async (created: DatabaseOptions) => {
            await prepare(created)
            await runStatements(created, tables)
          }
          gateway = await startTestGateway(product, prepareAll, { limits: { statementTimeoutMs: 5000 } })
        })
        afterAll(() => gateway.close())

        test('are null with their own paths, and what was read before is shown', async () => {
          const { driver } = await openDatabase(options)
          const lock =
            options.product === 'mysql'
              ? 'lock tables locked write'
              : 'lock table locked in access exclusive mode'
          let body: unknown
          try {
            await driver.transaction(async (connection) => {
              await connection.execute({ sql: lock, parameters: [] })
              const query =
                '{ quick { edges { node { id } } } owner { edges { node { id before: otherCollection { totalCount } lockedCollection { edges { node { id } } } after: otherCollection { edges { node { id } } } } } } last: other { edges { node { id } } } }'
              const answer = await gateway.request('POST', '/graphql', { body: { query } })
              body = answer.body
            })
          } finally {
            await driver.close()
          }
          const code = 'STATEMENT_TIMEOUT'
          const failed = (...path: readonly unknown[]) =>
            expect.objectContaining({ path, extensions: { code, requestId: expect.any(String) } })
          expect(body).toEqual({
            data: {
              quick: { edges: [] },
              owner: {
                edges: [1, 2].map((id) => ({
                  node: { id, before: { totalCount: id - 1 }, lockedCollection: null, after: null },
                })),
              },
              last: null,
            },
            errors: [
              failed('owner', 'edges', 0, 'node', 'lockedCollection'),
              failed('owner', 'edges', 0, 'node', 'after'),
              failed('owner', 'edges', 1, 'node', 'lockedCollection'),
              failed('owner', 'edges', 1, 'node', 'after'),
              failed('last'),
            ],
          })
        })
      },
    )

    describe('R10: requests that take longer in all than they may', () => {
      beforeAll(async () => {
        gateway = await startTestGateway(product, prepare, { requestTimeoutMs: 3000 })
      })
      afterAll(() => gateway.close())

      const tooLong = (path: string, column: number) => ({
        message:
          'The request was ended: all of it together took longer than it may (request_timeout). Ask for less.',
        locations: [{ line: 1, column }],
        path: [path],
        extensions: { code: 'ANSWER_TIMEOUT', requestId: expect.any(String) },
      })

      test('end with an error for each field that was not in time, and in the database', async () => {
        const query = '{ quick { edges { node { id } } } Slow { totalCount } again: Slow { totalCount } }'
        await expectAnswer(query, {
          data: { quick: { edges: [] }, Slow: null, again: null },
          errors: [tooLong('Slow', 35), tooLong('again', 55)],
        })
        if (product.runningStatements) {
          await vi.waitFor(async () => expect(await product.runningStatements?.(options)).toBe(0), longest)
        }
      })

      test('count the wait for a connection', async () => {
        const slow = Array.from({ length: 12 }, () =>
          gateway.request('POST', '/graphql', { body: { query: '{ Slow { totalCount } }' } }),
        )
        for (const { status, body } of await Promise.all(slow)) {
          if (status === 200) expect(body).toEqual({ data: { Slow: null }, errors: [tooLong('Slow', 3)] })
          else expect({ status, body }).toMatchObject({ status: 504, body: { code: 'ANSWER_TIMEOUT' } })
        }
        await expectAnswer('{ quick { totalCount } }', { data: { quick: { totalCount: 0 } } })
      })
    })

    test('R10: lists of published APIs obey the same limit of time', async () => {
      gateway = await startTestGateway(product, undefined, { requestTimeoutMs: 0 })
      try {
        const definition = {
          name: 'Note',
          api_generation: true,
          attributes: {
            identifier: { field_name: 'id', field_type: 'string' },
            local_fields: [],
            ref_fields: [],
          },
        }
        expect(await gateway.request('POST', '/manage/entities', { body: definition })).toMatchObject({
          status: 201,
        })
        const { status, headers, body } = await gateway.request('GET', '/apis/notes')
        expect({ status, body }).toMatchObject({ status: 504, body: { code: 'ANSWER_TIMEOUT' } })
        expect(headers.get('retry-after')).toBe('1')
      } finally {
        await gateway.close()
      }
    })

    describe('callers who find all connections in use', () => {
      beforeAll(async () => {
        gateway = await startTestGateway(product, prepare, {
          limits: { waitMs: 1500, statementTimeoutMs: 6000 },
        })
      })
      afterAll(() => gateway.close())

      test('are refused after a while, and nobody who needs none', async () => {
        const slow = Array.from({ length: 12 }, () =>
          gateway.request('POST', '/graphql', { body: slowQuery }),
        )
        const refused = (await Promise.all(slow)).filter(({ status }) => status === 503)
        expect(refused.length).toBeGreaterThan(0)
        expect(refused[0]?.headers.get('retry-after')).toBe('1')
        expect(refused[0]?.body).toMatchObject({
          status: 503,
          code: 'DATABASE_UNAVAILABLE',
          detail:
            'All connections to the database were in use for longer than a request waits (db_wait). Try again.',
        })
      })
    })

    test('while all connections for queries are in use, others log on, and learn that their request is wrong', async () => {
      gateway = await startTestGateway(product, prepare)
      try {
        const leaving = new AbortController()
        let ended = 0
        const slow = Array.from({ length: 12 }, async () => {
          await askSlowly(leaving.signal).catch(() => undefined)
          ended += 1
        })
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
        expect(ended).toBe(0)
        leaving.abort()
        await Promise.all(slow)
      } finally {
        await gateway.close()
      }
    })
  })
})
