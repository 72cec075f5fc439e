import { afterEach, describe, expect, test } from 'vitest'
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
  const start = async () => {
    gateway = await startTestGateway(product, async (made) => {
      options = made
      const { driver } = await openDatabase(made)
      await driver.transaction((connection) => connection.execute({ sql: product.slowView, parameters: [] }))
      await driver.close()
    })
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

  test('R10: an account whose queries are slow keeps no other from reading, writing or logging on', async () => {
    await start()
    const [hog, other] = [await tokenFor('hog'), await tokenFor('other')]
    processesBefore = (await processTreeOf(process.pid)).length
    let answered = 0
    const leaving = new AbortController()
    const slow = Array.from({ length: 12 }, () =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-xaas-auth-token': hog },
        body: JSON.stringify({ query: '{ Slow { edges { node { id } } } }' }),
        signal: leaving.signal,
      }).then(
        () => (answered += 1),
        () => undefined,
      ),
    )
    await expect.poll(slowStatements, { timeout: 60_000 }).toBeGreaterThanOrEqual(2)
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
    expect(answered).toBe(0)
    leaving.abort()
    await Promise.all(slow)
  })
})
