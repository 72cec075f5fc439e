import { request } from 'node:http'
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { anyProduct } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let running: TestGateway

  beforeAll(async () => {
    running = await startTestGateway(product, async (options) => {
      const { driver } = await openDatabase(options)
      const sql = `create view slow as with recursive counted(number) as
      (select 1 union all select number + 1 from counted where number < 250)
      select cast(count(*) as char(20)) as result from counted a cross join counted b cross join counted c`
      await driver.transaction((connection) => connection.execute({ sql, parameters: [] }))
      await driver.close()
    })
  })
  afterAll(() => running.close())

  describe('the audits of the GraphQL-over-HTTP specification', () => {
    const audits = serverAudits({
      url: () => `${running.url}/graphql`,
      fetchFn: (url: string, init: RequestInit = {}) =>
        fetch(url, { ...init, headers: { ...init.headers, 'x-xaas-auth-token': running.token } }),
    })
    for (const audit of audits) {
      test(audit.name, async () => {
        const result = await audit.fn()
        expect({ status: result.status, reason: 'reason' in result ? result.reason : '' }).toEqual({
          status: 'ok',
          reason: '',
        })
      })
    }
  })

  test('GET without a query answers the schema as text', async () => {
    const { status, headers, body } = await running.request('GET', '/graphql')
    expect({ status, type: headers.get('content-type'), keys: Object.keys(body as object) }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      keys: ['schema'],
    })
    expect((body as { schema: string }).schema).toContain('type slow_ {')
  })

  test('a mutation does not come by GET', async () => {
    const { status, headers } = await running.request('GET', '/graphql?query=mutation%7Bx%7D')
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' })
  })

  test('GET with anything else of a request, but no query, is refused', async () => {
    for (const query of ['operationName=A', 'variables={}', 'extensions={}']) {
      const { status, body } = await running.request('GET', `/graphql?${query}`)
      expect([query, status, body]).toEqual([
        query,
        400,
        {
          errors: [
            {
              message: '"query" must be a text: the GraphQL document.',
              extensions: { code: 'PARAMETER_INVALID' },
            },
          ],
        },
      ])
    }
  })

  test('clients of persisted queries are told to send the document', async () => {
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: 'ecf4edb46db40b5132295c0291d62fb65d6759a9' },
    }
    const refusal = {
      errors: [
        { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
      ],
    }
    const parameters = `extensions=${encodeURIComponent(JSON.stringify(extensions))}`
    const got = await running.request('GET', `/graphql?${parameters}`)
    expect([got.status, got.body]).toEqual([400, refusal])
    const posted = await running.request('POST', '/graphql', { body: { extensions } })
    expect([posted.status, posted.body]).toEqual([400, refusal])
    const whole = await running.request('POST', '/graphql', { body: { extensions, query: '{ __typename }' } })
    expect([whole.status, whole.body]).toEqual([200, { data: { __typename: 'Query' } }])
  })

  test('a WebSocket is refused', async () => {
    const { status, upgrade, body } = await new Promise<{
      status: number | undefined
      upgrade: string | undefined
      body: string
    }>((resolve, reject) => {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'x-xaas-auth-token': running.token,
      }
      const sent = request(`${running.url}/graphql`, { headers }, (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          body += text
        })
        response.on('end', () =>
          resolve({ status: response.statusCode, upgrade: response.headers.upgrade, body }),
        )
      })
      sent.on('error', reject)
      sent.end()
    })
    expect([status, upgrade, JSON.parse(body)]).toEqual([
      426,
      'HTTP/1.1',
      expect.objectContaining({ code: 'WEBSOCKET_NOT_SUPPORTED', status: 426 }),
    ])
  })

  describe('a list of requests', () => {
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      running.request('POST', '/graphql', { body, headers })
    const named = { data: { __typename: 'Query' } }

    test('gets a list of their responses, each for itself', async () => {
      const { status, headers, body } = await send([
        { query: '{ __typename }' },
        { query: '{ nothing }' },
        'no request',
        { query: 'mutation { x }' },
        {
          query: 'query ($n: GenericScalar) { slow(result: $n, first: 0) { totalCount } __typename }',
          variables: { n: '1' },
        },
        { query: 'query A { __typename } query B { b: __typename }', operationName: 'B' },
      ])
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(body).toEqual([
        named,
        { errors: [expect.objectContaining({ message: 'Cannot query field "nothing" on type "Query".' })] },
        {
          errors: [
            {
              message: 'The body must be a JSON object with the key "query".',
              extensions: { code: 'PARAMETER_INVALID' },
            },
          ],
        },
        { errors: [expect.objectContaining({ message: expect.stringContaining('mutation') })] },
        { data: { slow: { totalCount: 0 }, __typename: 'Query' } },
        { data: { b: 'Query' } },
      ])
    })

    test('is compressed if the client takes it', async () => {
      const { status, body } = await send([{ query: '{ __schema { types { name description } } }' }], {
        'accept-encoding': 'gzip',
        accept: 'application/graphql-response+json',
      })
      expect(status).toBe(200)
      expect((body as { data: { __schema: unknown } }[])[0]?.data.__schema).toBeDefined()
    })

    test('has a limit', async () => {
      const query = { query: '{ __typename }' }
      expect((await send(Array.from({ length: 10 }, () => query))).body).toEqual(
        Array.from({ length: 10 }, () => named),
      )
      for (const length of [0, 11, 5000]) {
        const { status, body } = await send(Array.from({ length }, () => query))
        expect([status, body]).toEqual([
          400,
          {
            errors: [
              {
                message: `A batch has from 1 to 10 requests (graphql_max_batch), and this one has ${length}.`,
                extensions: { code: 'PARAMETER_INVALID' },
              },
            ],
          },
        ])
      }
    })
  })

  test('other requests are answered while a heavy query runs', async () => {
    const order: string[] = []
    const slow = running.graphql('{ slow { edges { node { result } } } }').then((answer) => {
      order.push('slow')
      return answer
    })
    for (let count = 0; count < 10; count += 1) {
      expect((await running.request('GET', '/healthz', { token: null })).status).toBe(200)
      expect(await running.graphql('{ __typename }')).toEqual({ data: { __typename: 'Query' } })
      order.push('quick')
    }
    expect(await slow).toEqual({ data: { slow: { edges: [{ node: { result: '15625000' } }] } } })
    expect(order).toEqual([...Array.from({ length: 10 }, () => 'quick'), 'slow'])
  })
})
