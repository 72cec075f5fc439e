/** References of adopted tables, of one column and of several: a row that a caller cannot reach is answered like one that is not there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const tables = [
  'create table `region` (`country` varchar(2), `code` varchar(8), primary key (`country`, `code`))',
  // It is not adopted, so that no definition has the reference to it.
  'create table `owner` (`id` varchar(8) primary key, `country` varchar(2))',
  `create table \`site\` (\`id\` integer primary key, \`country\` varchar(2) default 'de', \`code\` varchar(8),
    \`owner\` varchar(8), \`name\` varchar(20) unique, foreign key (\`country\`, \`code\`) references \`region\` (\`country\`, \`code\`),
    foreign key (\`owner\`) references \`owner\` (\`id\`))`,
  "insert into `region` values ('de', 'a'), ('de', 'b'), ('fr', 'a')",
  "insert into `owner` values ('own', 'de')",
  "insert into `site` values (1, 'de', 'a', 'own', 'first'), (2, null, null, null, 'second')",
]
/** What the caller cannot reach. */
const hidden = ["insert into `region` values ('fr', 'x')", "insert into `owner` values ('theirs', 'fr')"]
const unhidden = [
  "delete from `region` where `country` = 'fr' and `code` = 'x'",
  "delete from `owner` where `id` = 'theirs'",
]

const rows = [{ key: 'country', op: '==', val: 'de' }]

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let options: DatabaseOptions
  let token: string
  beforeAll(async () => {
    gateway = await startTestGateway(product, async (created) => {
      options = created
      await runStatements(created, tables)
    })
    await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['region', 'site'] } })
    const account = await createAccount(gateway, 'german', [
      { regex: '/(apis/regions|graphql/region|graphql/owner)(/.*)?', methods, rows },
      { regex: '/(apis/sites|graphql/site)(/.*)?', methods },
      { regex: '/graphql', methods: ['POST'], rows: [{ key: 'id', op: '==', val: 'none' }] },
    ])
    token = await logonAs(gateway, account)
  })
  afterAll(() => gateway?.close())

  const as = async (method: string, path: string, body: object) => {
    const answer = await gateway.request(method, path, { token, body })
    const { requestId: _, ...told } = answer.body as { readonly requestId?: string }
    return { status: answer.status, body: told }
  }
  const mutation = (query: string) => as('POST', '/graphql', { query })

  const calls: readonly (readonly [
    string,
    () => Promise<{ readonly status: number; readonly body: unknown }>,
  ])[] = [
    ['POST', () => as('POST', '/apis/sites', { id: 10, country: 'fr', code: 'x' })],
    ['POST of a list', () => as('POST', '/apis/sites', [{ id: 10 }, { id: 11, country: 'fr', code: 'x' }])],
    ['POST without a column that the database fills', () => as('POST', '/apis/sites', { id: 10, code: 'x' })],
    ['POST, one column', () => as('POST', '/apis/sites', { id: 10, country: null, owner: 'theirs' })],
    ['PATCH', () => as('PATCH', '/apis/sites/2', { country: 'fr', code: 'x' })],
    ['PATCH of a part', () => as('PATCH', '/apis/sites/1', { code: 'x' })],
    ['PATCH, one column', () => as('PATCH', '/apis/sites/2', { owner: 'theirs' })],
    [
      'PATCH with another mistake',
      () => as('PATCH', '/apis/sites/2', { country: 'fr', code: 'x', name: 'first' }),
    ],
    ['PUT', () => as('PUT', '/apis/sites/2', { id: 2, country: 'fr', code: 'x', name: 'second' })],
    ['create', () => mutation('mutation { create_site(input: {id: 10, country: "fr", code: "x"}) { id } }')],
    ['update', () => mutation('mutation { update_site(id: 2, input: {country: "fr", code: "x"}) { id } }')],
    [
      'update, one column',
      () => mutation('mutation { update_site(id: 2, input: {owner: "theirs"}) { id } }'),
    ],
    ['upsert', () => mutation('mutation { upsert_site(input: {id: 2, country: "fr", code: "x"}) { id } }')],
  ]

  test.each(calls)('%s', async (_, call) => {
    await runStatements(options, hidden)
    const whenThere = await call()
    await runStatements(options, unhidden)
    const whenAbsent = await call()
    expect(whenThere).toEqual(whenAbsent)
    expect(JSON.stringify(whenThere.body)).toContain('RECORD_INVALID')
  })

  test('what is reached may be referred to', async () => {
    const made = await as('POST', '/apis/sites', { id: 20, country: 'de', code: 'b', owner: 'own' })
    expect(made).toEqual({
      status: 201,
      body: { id: 20, country: 'de', code: 'b', owner: 'own', name: null },
    })
    const changed = await as('PATCH', '/apis/sites/20', { code: 'a' })
    expect(changed.body).toMatchObject({ code: 'a' })
    expect((await as('PATCH', '/apis/sites/20', { country: null })).body).toMatchObject({
      country: null,
      code: 'a',
    })
    expect((await as('POST', '/apis/sites', { id: 21 })).status).toBe(201)
  })

  test('a part that the rights set, and the others that are kept, are no choice of the caller', async () => {
    const setting = await createAccount(gateway, 'setting', [
      {
        regex: '/apis/sites(/.*)?',
        methods,
        fields: { read: ['id', 'name'], write: ['id', 'name', 'code'] },
        set: { country: 'de' },
      },
    ])
    const own = await logonAs(gateway, setting)
    const patch = (body: object) => gateway.request('PATCH', '/apis/sites/1', { token: own, body })
    const renamed = await patch({ name: 'renamed' })
    expect([renamed.status, renamed.body]).toEqual([200, { id: 1, name: 'renamed' }])
    // Whoever reaches no region chooses none.
    expect([(await patch({ code: 'b' })).status, (await patch({ code: 'zz' })).status]).toEqual([422, 422])
    expect((await patch({ name: 'first' })).status).toBe(200)
  })

  test('the mistake names what is missing, at each field of the reference', async () => {
    const { body } = await as('POST', '/apis/sites', { id: 30, country: 'fr', code: 'a' })
    const detail = 'There is no region whose country is "fr" and code is "a".'
    expect(body).toMatchObject({
      code: 'RECORD_INVALID',
      errors: [
        { pointer: '/country', detail },
        { pointer: '/code', detail },
      ],
    })
    // An administrator reaches it.
    const made = await gateway.request('POST', '/apis/sites', { body: { id: 30, country: 'fr', code: 'a' } })
    expect(made.status).toBe(201)
    const both = await gateway.request('PATCH', '/apis/sites/30', {
      body: { country: 'fr', code: 'zz', name: 'first' },
    })
    const absent = 'There is no region whose country is "fr" and code is "zz".'
    expect(both).toMatchObject({
      status: 422,
      body: {
        code: 'RECORD_INVALID',
        errors: [{ pointer: '/code', detail: absent }, { pointer: '/name' }],
      },
    })
  })
})
