import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { startGateway } from '../../src/gateway/gateway.ts'
import { defaultOperationLimits } from '../../src/graphql/planning/operation-limits.ts'
import type { Event } from '../../src/observe/events.ts'
import { describeOn } from '../support/describe-on.ts'
import { type FaultMode, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { products, type TestDatabase } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const servers = products.filter(({ runningStatements }) => runningStatements !== undefined)

describeOn(servers, (product) => {
  let proxy: FaultProxy
  let gateway: TestGateway

  /** The same database, reached over the proxy. */
  const overProxy = (options: DatabaseOptions): DatabaseOptions =>
    ({ ...options, port: proxy.port }) as DatabaseOptions
  const ask = () =>
    gateway.request('POST', '/graphql', { body: { query: '{ note { edges { node { id } } } }' } })

  describe.each([
    { limit: 'short', statementTimeoutMs: 2000 },
    { limit: 'long', statementTimeoutMs: 600_000 },
  ])(
    'a database that goes away and comes back, statements having a $limit time',
    ({ statementTimeoutMs }) => {
      beforeAll(async () => {
        const reachable = {
          ...product,
          async createDatabase(): Promise<TestDatabase> {
            const created = await product.createDatabase()
            const { host, port } = created.options as { readonly host: string; readonly port: number }
            proxy = await startFaultProxy(host, port)
            return { options: overProxy(created.options), remove: created.remove }
          },
        }
        const prepare = async (options: DatabaseOptions) => {
          const { driver } = await openDatabase(options)
          const sql = 'create table note (id integer primary key)'
          await driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
          await driver.close()
        }
        gateway = await startTestGateway(reachable, prepare, { limits: { statementTimeoutMs, waitMs: 5000 } })
      })
      afterAll(async () => {
        proxy.setMode('pass')
        await gateway.close()
        await proxy.close()
      })

      test.each(['refuse', 'blackhole'] as const)(
        'R18: by %s: 503 or 504 while it is away, then as before',
        async (mode) => {
          expect((await ask()).status).toBe(200)
          proxy.setMode(mode)
          const answers = await Promise.all(Array.from({ length: 6 }, ask))
          for (const { status, headers, body } of answers) {
            expect({ status, retryAfter: headers.get('retry-after'), body }).toMatchObject({
              status: mode === 'refuse' ? 503 : expect.toBeOneOf([503, 504, 200]),
              ...(status === 200
                ? { body: { data: { note: null }, errors: [{ extensions: { code: 'STATEMENT_TIMEOUT' } }] } }
                : { retryAfter: '1' }),
            })
          }
          expect((await gateway.request('GET', '/healthz')).status).toBe(200)
          expect((await gateway.request('GET', '/readyz')).status).toBe(503)
          proxy.setMode('pass')
          await vi.waitFor(async () => expect((await ask()).status).toBe(200), 20_000)
          expect((await ask()).body).toEqual({ data: { note: { edges: [] } } })
          await vi.waitFor(
            async () => expect((await gateway.request('GET', '/readyz')).status).toBe(200),
            20_000,
          )
        },
      )
    },
  )

  const starts: readonly FaultMode[] = ['refuse', 'blackhole', { muteAfter: 10 }]
  test.each(starts)('R18: a database that is not there at the start is waited for: %o', async (mode) => {
    const created = await product.createDatabase()
    const { host, port } = created.options as { readonly host: string; readonly port: number }
    proxy = await startFaultProxy(host, port)
    proxy.setMode(mode)
    const events: Event[] = []
    // A port that is free now: the gateway tells its address only when it is ready.
    const free = await startFaultProxy(host, port)
    await free.close()
    const starting = startGateway({
      database: overProxy(created.options),
      waitsForDatabase: true,
      host: '127.0.0.1',
      port: free.port,
      tokenTtlSeconds: 60,
      bodyLimitBytes: 1000,
      graphql: { limits: defaultOperationLimits, naming: 'verbatim' },
      bootstrap: {},
      observe: (event) => events.push(event),
    })
    const status = async (path: string, method = 'GET') =>
      (await fetch(`http://127.0.0.1:${free.port}${path}`, { method }).catch(() => undefined))?.status
    await vi.waitFor(async () => expect(await status('/healthz')).toBe(200), 20_000)
    expect(await status('/readyz')).toBe(503)
    expect(await status('/graphql')).toBe(503)
    expect(await status('/logon', 'POST')).toBe(503)
    proxy.setMode('pass')
    const started = await starting
    expect(started.address).toBe(`http://127.0.0.1:${free.port}`)
    expect(await status('/readyz')).toBe(200)
    expect(await status('/graphql')).toBe(401)
    const waits = events.filter(({ kind }) => kind === 'DatabaseAwaited')
    expect(waits.length).toBeGreaterThan(0)
    await started.close()
    await proxy.close()
    await created.remove()
  })

  test('a wrong password ends the start, where it is not to wait, with a sentence that names it', async () => {
    const created = await product.createDatabase()
    const wrong = { ...created.options, user: 'nobody_of_this_name', password: 'wrong' } as DatabaseOptions
    await expect(openDatabase(wrong)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('nobody_of_this_name'),
    })
    await created.remove()
  })
})
