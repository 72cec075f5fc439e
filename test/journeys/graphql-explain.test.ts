/** `X-Gatehouse-Explain: true`: what the database has done for a request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { createTenantsAndPorts, ports } from '../support/tenants-and-ports.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

interface Statement {
  readonly sql: string
  readonly rows: number
  readonly milliseconds: number
  readonly plan: readonly string[]
}

interface Explained {
  readonly data: unknown
  readonly extensions: {
    readonly explain: { readonly milliseconds: number; readonly statements: readonly Statement[] }
  }
}

const header = { 'x-gatehouse-explain': 'true' }

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product, createTenantsAndPorts)
  })
  afterAll(() => gateway.close())

  const ask = (
    body: unknown,
    headers: Readonly<Record<string, string>> = header,
    token?: string,
  ): Promise<Answer> =>
    gateway.request('POST', '/graphql', { body, headers, ...(token === undefined ? {} : { token }) })

  /** The token of a new account with these authorities. */
  const join = async (username: string, authorities: readonly object[]): Promise<string> => {
    const credentials = { username, password: 'a long pass phrase' }
    await gateway.request('POST', '/manage/roles', { body: { name: username, authorities } })
    const { body } = await gateway.request('POST', '/manage/accounts', {
      body: { ...credentials, role: username },
    })
    const logon = await gateway.request('POST', '/logon', {
      body: credentials,
      headers: { 'x-xaas-api-key': (body as { api_key: string }).api_key },
    })
    return (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  }

  test('each statement is told with its rows, its time and its plan', async () => {
    const query = `query ($id: String) {
      Port(id: $id) { edges { node { name tenant { id portCollection { totalCount } } } } }
    }`
    const plain = await ask({ query, variables: { id: '1' } }, {})
    const { status, headers, body } = await ask({ query, variables: { id: '1' } })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { extensions, ...response } = body as Explained
    expect(response).toEqual(plain.body)
    const { milliseconds, statements } = extensions.explain
    expect(milliseconds).toBeGreaterThan(0)
    expect(statements).toEqual(
      [1, 1, 1].map((rows) => ({
        sql: expect.stringMatching(/select/i),
        rows,
        milliseconds: expect.any(Number),
        plan: expect.arrayContaining([expect.stringMatching(/Port|Tenant|port|tenant/)]),
      })),
    )
    const texts = statements.map(({ sql }) => sql)
    expect(texts[0]).toMatch(/Port/)
    expect(texts[1]).toMatch(/Tenant/)
    expect(texts[2]).toMatch(/count/)
  })

  test('a long list has it at its end, and is read in pieces as before', async () => {
    const query = `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: Port { edges { node { name } } }`).join(' ')} }`
    const { body } = await ask({ query })
    const { data, extensions } = body as Explained
    expect([Object.keys(data as object).length, extensions.explain.statements.length]).toEqual([60, 60])
    expect(extensions.explain.statements.every(({ rows }) => rows === ports.length)).toBe(true)
  })

  test('each request of a list has its own, and one that cannot begin has none', async () => {
    const { body } = await ask([
      { query: '{ Port { totalCount } }' },
      { query: '{ nothing }' },
      { query: '{ __typename }' },
    ])
    expect(body).toEqual([
      {
        data: { Port: { totalCount: ports.length } },
        extensions: {
          explain: {
            milliseconds: expect.any(Number),
            statements: [expect.objectContaining({ rows: 1, plan: expect.any(Array) })],
          },
        },
      },
      { errors: [expect.anything()] },
      {
        data: { __typename: 'Query' },
        extensions: { explain: { milliseconds: expect.any(Number), statements: [] } },
      },
    ])
  })

  test('a role without GET on /manage/explain is refused', async () => {
    const token = await join('robin', [{ regex: '/graphql', methods: ['GET', 'POST'] }])
    const refusal = {
      errors: [
        {
          message:
            'The header X-Gatehouse-Explain asks how the database works for a request, which needs a role with GET on /manage/explain. Leave it out.',
          extensions: { code: 'EXPLAIN_NOT_ALLOWED' },
        },
      ],
    }
    const { status, body } = await ask({ query: '{ __typename }' }, header, token)
    expect([status, body]).toEqual([403, refusal])
    expect((await ask([{ query: '{ __typename }' }], header, token)).body).toEqual([refusal])
    const without = await ask({ query: '{ __typename }' }, { 'x-gatehouse-explain': 'false' }, token)
    expect(without.body).toEqual({ data: { __typename: 'Query' } })
  })

  test('who reads some rows only is told of these', async () => {
    const token = await join('alex', [
      { regex: '/graphql/Port', methods: ['POST'], rows: [{ key: 'id', op: 'in', val: ['1', '2'] }] },
      { regex: '/manage/explain', methods: ['GET'] },
    ])
    const { body } = await ask({ query: '{ Port { edges { node { id } } } }' }, header, token)
    const { data, extensions } = body as Explained
    expect(data).toEqual({ Port: { edges: [{ node: { id: '1' } }, { node: { id: '2' } }] } })
    expect(extensions.explain.statements.map(({ rows }) => rows)).toEqual([2])
  })

  test('writes have plans, and asking for them changes nothing and fails nowhere', async () => {
    const made = await gateway.request('POST', '/manage/entities', {
      body: [definition('Cable', { local: [field('name', 'string')] })],
    })
    expect(made.status).toBe(201)
    const query = `mutation {
      create_Cable(input: { id: "new", name: "new" }) { id }
      a: update_Cable(id: "new", input: { name: "newer" }) { name }
      updateAll_Cable(where: { id: { eq: "new" } }, input: { name: "newest" }) { count }
      delete_Cable(id: "new") { name }
    }`
    const before = gateway.events.length
    const { body } = await ask({ query })
    const { extensions, ...response } = body as Explained
    expect(response).toMatchObject({ data: { a: { name: 'newer' }, delete_Cable: { name: 'newest' } } })
    const { statements } = extensions.explain
    for (const kind of ['insert', 'update', 'delete', 'select'])
      expect(statements.filter(({ sql }) => sql.startsWith(kind)).length, kind).toBeGreaterThan(0)
    const planned = statements.filter(({ sql }) => !/^(?:savepoint|release|rollback)/.test(sql))
    for (const { sql, plan } of planned) expect(plan, sql).toEqual(expect.any(Array))
    const failed = gateway.events.slice(before).filter(({ kind }) => kind === 'StatementFailed')
    expect(failed).toEqual([])
    expect((await ask({ query: '{ Cable { totalCount } }' }, {})).body).toEqual({
      data: { Cable: { totalCount: 0 } },
    })
  })
})
