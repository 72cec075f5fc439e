/** Clients that leave before they have their answers: nothing has failed. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../src/database/dialect.ts'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { describeOn } from '../support/describe-on.ts'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition } from '../support/temporary-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

/** More than the buffers between the gateway and a client hold. */
const doublings = 14
const waitLimits = { timeout: 60_000, interval: 20 }

describeOn(products, (product) => {
  let gateway: TestGateway
  let database: Database

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options: DatabaseOptions) => {
      await withEntities(definition('Tenant'))(options)
      database = await openDatabase(options)
      await database.driver.transaction(async (connection) => {
        const execute = (sql: string) => connection.execute({ sql, parameters: [] })
        await execute(product.slowView)
        await execute('create table note (id integer primary key, body varchar(2000))')
        await execute(`insert into note values (0, '${'long '.repeat(400)}')`)
        for (let index = 0; index < doublings; index += 1)
          await execute(`insert into note select id + ${2 ** index}, body from note`)
      })
    })
    await gateway.graphql('mutation { create_Tenant(input: { id: "held" }) { id } }')
  })
  afterAll(async () => {
    await database.driver.close()
    await gateway.close()
  })

  const connections = async (): Promise<{ in_use: number; waiting: number }> => {
    const { body } = await gateway.request('GET', '/manage/status')
    return (body as { database: { connections: { in_use: number; waiting: number } } }).database.connections
  }
  const failures = () => gateway.events.filter(({ kind }) => kind === 'RequestFailed')
  const counted = async () =>
    /^gatehouse_http_request_failures_total (\d+)$/m.exec(
      String((await gateway.request('GET', '/metrics')).body),
    )?.[1]

  /** Sends a request whose client leaves when it is told to, or when it has heard the beginning of a long answer. */
  function ask(body: unknown): { readonly left: Promise<void>; leave(): void } {
    const headers = { 'content-type': 'application/json', 'x-xaas-auth-token': gateway.token }
    const asked = request(`${gateway.url}/graphql`, { method: 'POST', headers, agent: false })
    const left = new Promise<void>((resolve) => {
      asked.on('error', () => undefined).on('close', resolve)
      let heard = 0
      asked.on('response', (response) =>
        response.on('data', (bytes: Buffer) => {
          heard += bytes.length
          if (heard > 100_000) asked.destroy()
        }),
      )
    })
    asked.end(JSON.stringify(body))
    return { left, leave: () => void asked.destroy() }
  }

  const nothingFailed = async () => {
    await vi.waitFor(
      async () => expect(await connections()).toMatchObject({ in_use: 0, waiting: 0 }),
      waitLimits,
    )
    expect(failures()).toEqual([])
    expect(await counted()).toBe('0')
  }

  const list = { query: '{ note { edges { node { id body } } } }' }
  test.each([
    ['a long list', list],
    ['a batch with a long list', [{ query: '{ __typename }' }, list, list]],
  ])('in the midst of %s', async (_, body) => {
    await ask(body).left
    await nothingFailed()
  })

  test('while their statement runs', async () => {
    const asked = ask({ query: '{ Slow { edges { node { id } } } }' })
    await vi.waitFor(async () => expect((await connections()).in_use).toBeGreaterThan(0), waitLimits)
    asked.leave()
    await asked.left
    await nothingFailed()
  })

  test('while their mutation waits for a connection', async () => {
    const released = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const { driver, dialect } = database
    const table = dialect.syntax.quoteIdentifier('Tenant')
    const holding = driver.transaction(async (connection) => {
      await connection.execute({ sql: `update ${table} set id = id`, parameters: [] })
      held.resolve()
      await released.promise
    })
    onTestFinished(async () => {
      released.resolve()
      await holding
    })
    await held.promise
    const all = Array.from({ length: 12 }, (_, index) =>
      ask({
        query: `mutation { a: delete_Tenant(id: "held") { id } b: create_Tenant(input: { id: "${index}" }) { id } }`,
      }),
    )
    await vi.waitFor(async () => expect((await connections()).waiting).toBeGreaterThan(1), waitLimits)
    for (const asked of all) asked.leave()
    await vi.waitFor(async () => expect((await connections()).waiting).toBe(0), waitLimits)
    expect(failures()).toEqual([])
  })
})
