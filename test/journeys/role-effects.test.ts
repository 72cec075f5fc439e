import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

let gateway: TestGateway

const reading = [{ regex: '/apis/ports(/.*)?', methods: ['GET'] }]
const writing = [
  { regex: '/apis/ports', methods: ['GET', 'POST'] },
  { regex: '/apis/tenants/[a-z]+', methods: ['DELETE'] },
]

beforeAll(async () => {
  const [product] = products
  if (product === undefined) throw new Error('there is no product')
  const definitions = JSON.parse(await readFile('examples/tenants-and-ports.json', 'utf8'))
  gateway = await startTestGateway(product, withEntities(definitions))
  const { request } = gateway
  await request('POST', '/manage/roles', { body: { name: 'reader', authorities: reading } })
  const below = [{ regex: '/apis/ports/.*', methods: ['GET'] }]
  await request('POST', '/manage/roles', { body: { name: 'records', authorities: below } })
  const password = 'a long pass phrase'
  for (const [username, role] of Object.entries({ a: 'reader', b: ['reader', 'records'], c: 'records' })) {
    await request('POST', '/manage/accounts', { body: { username, password, role } })
  }
})
afterAll(() => gateway.close())

test('a dry run says what a change opens and closes, and for how many accounts', async () => {
  const path = '/manage/roles/reader'
  const { status, body } = await gateway.request('PUT', `${path}?dry_run=true`, {
    body: { authorities: writing },
  })
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      role: { name: 'reader', authorities: writing },
      created: false,
      warnings: [
        'The authority "/apis/ports" allows GET on the list only, and not on the records below it. If they are meant too, write "/apis/ports(/.*)?".',
      ],
      accounts: 2,
      opens: [
        { method: 'POST', path: '/apis/ports', accounts: 2 },
        { method: 'DELETE', path: '/apis/tenants/*', accounts: 2 },
      ],
      // One of the two has another role that allows it.
      closes: [{ method: 'GET', path: '/apis/ports/*', accounts: 1 }],
      truncated: false,
      records: ['a', 'b'].map((account) => ({
        entity: 'Tenant',
        account,
        method: 'DELETE',
        counted: true,
        opens: 0,
        closes: 0,
        fields: [],
      })),
      records_truncated: false,
    },
  })
  expect((await gateway.request('GET', path)).body).toEqual({ name: 'reader', authorities: reading })
})

test('of a new role it says what its accounts could do', async () => {
  const role = { name: 'new', authorities: [{ regex: '/graphql/Port|/manage/roles', methods: ['POST'] }] }
  const { body } = await gateway.request('POST', '/manage/roles?dry_run=true', { body: role })
  expect(body).toEqual({
    role,
    created: true,
    accounts: 0,
    opens: [
      { method: 'POST', path: '/manage/roles', accounts: 0 },
      { method: 'POST', path: '/graphql/Port', accounts: 0 },
    ],
    closes: [],
    truncated: false,
    records: [
      { entity: 'Port', account: null, method: 'GET', counted: true, opens: 0, closes: 0, fields: [] },
    ],
    records_truncated: false,
  })
  expect((await gateway.request('GET', '/manage/roles/new')).status).toBe(404)
})

test('what would be refused is refused', async () => {
  const dryRun = (body: unknown) => gateway.request('POST', '/manage/roles?dry_run=true', { body })
  expect((await dryRun({ name: 'reader', authorities: [] })).body).toMatchObject({ code: 'NAME_TAKEN' })
  expect((await dryRun({ name: 'x', authorities: [{ regex: '(', methods: ['GET'] }] })).status).toBe(422)
  expect((await gateway.request('POST', '/manage/roles?dryrun=1', { body: {} })).body).toMatchObject({
    code: 'PARAMETER_INVALID',
  })
  const authorities = [{ regex: '/manage/roles(/.*)?', methods: ['POST', 'PUT'] }]
  await gateway.request('POST', '/manage/roles', { body: { name: 'writer', authorities } })
  const account = { username: 'w', password: 'a long pass phrase', role: 'writer' }
  await gateway.request('POST', '/manage/accounts', { body: account })
  const { body } = await gateway.request('POST', '/manage/tokens', { body: { account: 'w' } })
  const token = (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
  const wide = { name: 'wide', authorities: [{ regex: '/apis/.*', methods: ['GET'] }] }
  const refused = await gateway.request('POST', '/manage/roles?dry_run=true', { body: wide, token })
  expect(refused).toMatchObject({ status: 403, body: { code: 'RIGHTS_NOT_HELD' } })
})
