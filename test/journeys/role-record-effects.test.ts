/** What a dry run of a role says of records: which rows and fields a change opens and closes, for whom. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const tenant = definition('Tenant', { local: [field('name', 'string', { field_nullable: false })] })
const port = definition('Port', {
  local: [
    field('name', 'string', { field_nullable: false }),
    field('secret', 'string'),
    field('speed', 'integer'),
  ],
  refs: [reference('tenantId', 'Tenant')],
})

describe.each(anyProduct('SQLite'))('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const { request } = gateway
    expect((await request('POST', '/manage/entities', { body: [tenant, port] })).status).toBe(201)
    const tenants = ['a', 'b', 'c'].map((id) => ({ id, name: `Tenant ${id}` }))
    expect((await request('POST', '/apis/tenants', { body: tenants })).status).toBe(201)
    const ports = [1, 2, 3, 4, 5].map((speed) => ({
      id: `p${speed}`,
      name: `port ${speed}`,
      speed,
      tenantId: speed < 4 ? 'a' : 'b',
    }))
    expect((await request('POST', '/apis/ports', { body: ports })).status).toBe(201)
    await request('PUT', '/manage/roles/user', { body: { authorities: [ofTenant] } })
    for (const [username, tenantOf] of Object.entries({ amy: 'a', bob: 'b', cid: 'c', dot: 'a' })) {
      const account = {
        username,
        password: 'a long pass phrase',
        role: 'user',
        metadata: { tenant: tenantOf },
      }
      expect((await request('POST', '/manage/accounts', { body: account })).status).toBe(201)
    }
  })
  afterAll(() => gateway?.close())

  const rows = [{ key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } }]
  const ports = { regex: '/apis/ports(/.*)?|/graphql/Port', methods: ['GET', 'POST'] }
  const ofTenant = { ...ports, rows, fields: { read: ['id', 'name', 'tenantId'] } }
  /** What the role would be, and for whom it is asked. */
  const dryRun = async (
    authorities: readonly object[],
    account?: string,
    token = gateway.token,
  ): Promise<Json> => {
    const query = account === undefined ? '' : `&account=${account}`
    const { status, body } = await gateway.request('PUT', `/manage/roles/user?dry_run=true${query}`, {
      body: { authorities },
      token,
    })
    return status === 200 ? body : [status, body]
  }
  const counted = (
    account: string | null,
    opens: number,
    closes: number,
    fields: readonly object[] = [],
  ) => ({
    entity: 'Port',
    account,
    method: 'GET',
    counted: true,
    opens,
    closes,
    fields,
  })

  test('rows are counted for the first accounts that have the role', async () => {
    const { accounts, opens, closes, records, records_truncated } = await dryRun([
      { ...ofTenant, rows: undefined },
    ])
    expect({ accounts, opens, closes, records, records_truncated }).toEqual({
      accounts: 4,
      opens: [],
      closes: [],
      records: [counted('amy', 2, 0), counted('bob', 3, 0), counted('cid', 5, 0)],
      records_truncated: false,
    })
    const narrower = [{ ...ofTenant, rows: [...rows, { key: 'speed', op: '>', val: 1 }] }]
    expect((await dryRun(narrower)).records).toEqual([
      counted('amy', 0, 1),
      counted('bob', 0, 0),
      counted('cid', 0, 0),
    ])
    const moved = [{ ...ofTenant, rows: [{ key: 'tenantId', op: '==', val: 'b' }] }]
    expect((await dryRun(moved)).records).toEqual([
      counted('amy', 2, 3),
      counted('bob', 0, 0),
      counted('cid', 2, 0),
    ])
  })

  test('fields are counted on the rows that stay reached', async () => {
    const fields = { read: ['id', 'name', 'secret'] }
    const { records } = await dryRun([{ ...ofTenant, fields, rows: [] }])
    const changed = (number: number) => [
      { name: 'secret', opens: number, closes: 0 },
      { name: 'tenantId', opens: 0, closes: number },
    ]
    expect(records).toEqual([
      counted('amy', 2, 0, changed(3)),
      counted('bob', 3, 0, changed(2)),
      counted('cid', 5, 0),
    ])
    const masked = [
      { ...ports, fields: { read: ['id'] } },
      {
        ...ports,
        rows: [...rows, { key: 'speed', op: '>=', val: 3 }],
        fields: { read: ['id', 'name', 'tenantId'] },
      },
    ]
    expect((await dryRun(masked)).records[0]).toEqual(
      counted('amy', 2, 0, [
        { name: 'name', opens: 0, closes: 2 },
        { name: 'tenantId', opens: 0, closes: 2 },
      ]),
    )
  })

  test('what may be changed and deleted is counted by itself', async () => {
    const writing = { ...ports, methods: ['PATCH', 'DELETE'], rows, fields: { write: ['name'] } }
    const { records } = await dryRun([ofTenant, writing], 'dot')
    const opened = { entity: 'Port', account: 'dot', counted: true, opens: 3, closes: 0, fields: [] }
    expect(records).toEqual([
      { ...opened, method: 'PATCH' },
      { ...opened, method: 'DELETE' },
    ])
  })

  test('an account is looked at as if it had the role, with its other roles and what is public', async () => {
    await gateway.request('PATCH', '/manage/accounts/bob', { body: { metadata: { tenant: 'b', least: 5 } } })
    const least = { key: 'speed', op: '>=', val: { account: 'metadata.least' } }
    expect((await dryRun([{ ...ofTenant, rows: [...rows, least] }], 'bob')).records).toEqual([
      counted('bob', 0, 1),
    ])
    await createAccount(gateway, 'eve', [{ ...ports, rows: [{ key: 'id', op: '==', val: 'p5' }] }], {
      metadata: { tenant: 'a' },
    })
    expect((await dryRun([{ ...ofTenant, rows: [] }], 'eve')).records).toEqual([counted('eve', 1, 0)])
    const open = { path: '/apis/ports', methods: ['GET'], scope: 'public' }
    await gateway.request('PUT', '/manage/routes/open', { body: open })
    expect((await dryRun([{ ...ofTenant, rows: [] }])).records).toEqual([])
    await gateway.request('DELETE', '/manage/routes/open')
    expect((await dryRun([], 'nobody'))[0]).toBe(404)
    const notDry = await gateway.request('PUT', '/manage/roles/user?account=eve', {
      body: { authorities: [] },
    })
    expect([notDry.status, (notDry.body as Json).code]).toEqual([400, 'PARAMETER_INVALID'])
  })

  test('of a new role it says what an account with it alone could do', async () => {
    const create = async (account: string) =>
      (
        await gateway.request('POST', `/manage/roles?dry_run=true${account}`, {
          body: {
            name: 'new',
            authorities: [{ ...ofTenant, rows: [[...rows, { key: 'id', op: '==', val: 'p4' }]] }],
          },
        })
      ).body as Json
    expect((await create('')).records).toEqual([counted(null, 0, 0)])
    expect((await create('&account=admin')).records).toEqual([])
    expect((await create('&account=cid')).records).toEqual([counted('cid', 1, 0)])
  })

  test('nothing is counted for who may not read the whole table, nor an account named that one may not see', async () => {
    const managing = { regex: '/manage/roles(/.*)?', methods: ['GET', 'POST', 'PUT'] }
    const tokenOf = async (name: string, ...authorities: readonly object[]) =>
      logonAs(
        gateway,
        await createAccount(gateway, name, [managing, ofTenant, ...authorities], {
          metadata: { tenant: 'a' },
        }),
      )
    const closing = [{ ...ofTenant, methods: ['GET'] }]
    const unseen = { entity: 'Port', method: 'GET', counted: false }
    const seeing = { regex: '/manage/accounts/bob', methods: ['GET'] }
    const writer = await tokenOf('writer')
    expect((await dryRun([], undefined, writer)).records).toEqual([{ ...unseen, account: null }])
    expect(await dryRun(closing, 'bob', writer)).toEqual([401, {}])
    expect(await dryRun(closing, 'nobody', writer)).toEqual([401, {}])
    const seer = await tokenOf('seer', seeing)
    expect((await dryRun([], undefined, seer)).records).toEqual([{ ...unseen, account: 'bob' }])
    expect((await dryRun([], 'bob', seer)).records).toEqual([{ ...unseen, account: 'bob' }])
    const reader = await tokenOf('full-reader', seeing, { regex: '/apis/ports', methods: ['GET'] })
    expect((await dryRun([], 'bob', reader)).records).toEqual([counted('bob', 0, 2)])
  })

  test('a rule that fits no longer, or names what there is not, opens nothing', async () => {
    const nothing = { key: 'tenantId', op: '==', val: { account: 'metadata.nothing' } }
    const { records } = await dryRun([{ ...ofTenant, rows: [nothing] }])
    expect(records).toEqual([counted('amy', 0, 3), counted('bob', 0, 2), counted('cid', 0, 0)])
  })
})
