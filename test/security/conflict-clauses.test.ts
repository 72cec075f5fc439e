/** Tables of SQLite whose constraints say that a conflict replaces or drops rows: a write never does so. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const rows = [
  { id: 1, owner: 'bob', code: 'u1' },
  { id: 2, owner: 'ann', code: 'u2' },
  { id: 3, owner: 'bob', code: 'u3' },
]

const served = products.filter(({ name }) => name === 'SQLite')
const clauses = ['replace', 'ignore', 'fail', 'rollback'].flatMap((clause) =>
  served.map((product) => ({ clause, product })),
)

describe.each(clauses)('SQLite, on conflict $clause', ({ clause, product }) => {
  let gateway: TestGateway
  let token: string
  beforeAll(async () => {
    gateway = await startTestGateway(product, (options) =>
      executeAll(options, [
        `create table note (id integer primary key on conflict ${clause}, owner text, code text unique on conflict ${clause})`,
        `insert into note values ${rows.map(({ id, owner, code }) => `(${id}, '${owner}', '${code}')`).join()}`,
      ]),
    )
    await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['note'] } })
    const own = [{ key: 'owner', op: '==', val: 'ann' }]
    token = await logonAs(
      gateway,
      await createAccount(gateway, 'ann', [
        { regex: '/apis/notes(/.*)?', methods: ['GET', 'POST', 'PATCH', 'PUT'], rows: own },
        { regex: '/graphql/note', methods: ['POST'], rows: own },
      ]),
    )
  })
  afterAll(() => gateway.close())

  const statusOf = async (method: string, path: string, body: unknown, as: string | undefined = token) =>
    (await gateway.request(method, path, { body, ...(as !== '' && { token: as }) })).status
  const codeOf = async (query: string) => {
    const { body } = await gateway.request('POST', '/graphql', { token, body: { query } })
    return (body as { readonly errors?: readonly { readonly extensions: { readonly code: string } }[] })
      .errors?.[0]?.extensions.code
  }

  test('a taken value is refused, and no row changes', async () => {
    expect(await statusOf('POST', '/apis/notes', { id: 1, owner: 'ann' })).toBe(409)
    expect(await statusOf('POST', '/apis/notes', { id: 9, owner: 'ann', code: 'u3' })).toBe(409)
    expect(await statusOf('PATCH', '/apis/notes/2', { code: 'u3' })).toBe(409)
    expect(await statusOf('PUT', '/apis/notes/2', { id: 2, owner: 'ann', code: 'u1' })).toBe(409)
    const list = [8, 9, 9].map((id) => ({ id, owner: 'x' }))
    expect(await statusOf('POST', '/apis/notes', list, '')).toBe(409)
    const taken = [{ id: 8, owner: 'x' }, rows[2]]
    expect(await statusOf('POST', '/apis/notes', taken, '')).toBe(409)
    for (const mutation of [
      'create_note(input: { id: 1, owner: "ann" }) { id }',
      'createAll_note(inputs: [{ id: 7, owner: "ann" }, { id: 8, owner: "ann", code: "u1" }]) { id }',
      'update_note(id: 2, input: { code: "u3" }) { id }',
      'upsert_note(input: { id: 3, owner: "ann" }) { id }',
    ])
      expect(await codeOf(`mutation { ${mutation} }`), mutation).toBe('VALUE_NOT_UNIQUE')
    expect((await gateway.request('GET', '/apis/notes')).body).toEqual(rows)
  })
})
