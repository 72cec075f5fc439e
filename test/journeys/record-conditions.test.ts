/** Conditions of authorities on records, as roles are written and shown. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const tenantUser = {
  regex: '/apis/ports(/.*)?|/graphql/Port',
  methods: ['GET', 'POST', 'PATCH'],
  rows: [
    { key: 'tenantId', op: '==', val: { account: 'metadata.tenant' } },
    [
      { key: 'createTime', op: '>=', val: { now: '-P7D' } },
      { key: 'owner', op: '==', val: null },
      [
        { key: 'group.name', op: 'in', val: { account: 'roles' } },
        { key: 'speed', op: 'not in', val: [1, 2] },
      ],
    ],
  ],
  fields: { read: ['id', 'name', 'tenantId', 'operationStatus'], write: ['name'] },
  set: { tenantId: { account: 'metadata.tenant' }, changed: { now: 'PT0S' }, tags: ['a', 'b'], note: null },
}

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product)
  })
  afterAll(() => gateway?.close())

  test('they are kept as they were written, and the account sees only what it may call', async () => {
    const role = { name: 'tenant-user', authorities: [tenantUser] }
    const created = await gateway.request('POST', '/manage/roles', { body: role })
    expect([created.status, created.body]).toEqual([201, role])
    expect((await gateway.request('GET', '/manage/roles/tenant-user')).body).toEqual(role)
    const { body: audit } = await gateway.request('GET', '/manage/audit?record=role&name=tenant-user')
    expect(audit).toMatchObject([{ action: 'created', changes: { authorities: { after: [tenantUser] } } }])

    const account = { username: 'ada', password: 'a long pass phrase' }
    const { body } = await gateway.request('POST', '/manage/accounts', {
      body: { ...account, role: 'tenant-user', metadata: { tenant: 't1' } },
    })
    const logon = await gateway.request('POST', '/logon', {
      body: account,
      headers: { 'x-xaas-api-key': (body as { api_key: string }).api_key },
    })
    const shown = {
      name: 'tenant-user',
      authorities: [{ regex: '(?:/apis/ports(/.*)?|/graphql/Port)$', methods: ['GET', 'POST', 'PATCH'] }],
    }
    expect(logon.body).toMatchObject({ role: shown, roles: [shown] })
    const token = (logon.body as { 'x-xaas-auth-token': string })['x-xaas-auth-token']
    expect((await gateway.request('GET', '/whoami', { token })).body).toMatchObject({
      role: shown,
      roles: [shown],
      metadata: { tenant: 't1' },
    })
  })
})

describe('mistakes are named with their places', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    gateway = await startTestGateway(product)
  })
  afterAll(() => gateway?.close())

  const mistakesOf = async (conditions: object) => {
    const authorities = [{ regex: '/apis/ports(/.*)?', methods: ['GET', 'PATCH'], ...conditions }]
    const { status, body } = await gateway.request('PUT', '/manage/roles/wrong', { body: { authorities } })
    expect([status, (body as { code: string }).code]).toEqual([422, 'DOCUMENT_INVALID'])
    const { errors } = body as { errors: { pointer: string; detail: string }[] }
    return errors.map(({ pointer, detail }) => [pointer.replace('/authorities/0', ''), detail])
  }
  const value =
    'Write a text, a number, true, false, null, a list of these, {"account": "metadata.<key>"} or {"now": "-P7D"}.'
  const account = 'This must be "username", "roles", or "metadata." and a key of the metadata.'
  const now =
    'Write a duration such as "-P7D" for seven days ago, "PT1H" for an hour ahead, or "PT0S" for now.'
  const nested = (depth: number): unknown =>
    depth === 0 ? { key: 'a', op: '==', val: 1 } : [nested(depth - 1)]

  test.each<[string, unknown, readonly (readonly [string, string])[]]>([
    [
      'no list',
      { key: 'a', op: '==', val: 1 },
      [['', 'A list is expected here, and a JSON object was sent.']],
    ],
    [
      'no condition',
      ['a'],
      [['/0', 'Write a condition such as {"key": "name", "op": "==", "val": "x"}, or a list of them.']],
    ],
    ['an empty group', [[]], [['/0', 'This is an empty group. Write at least one condition into it.']]],
    [
      'an unknown operator and member',
      [[{ key: 'a', op: 'start', val: 'x', value: 1 }]],
      [
        ['/0/0/value', 'The key "value" is not known here. Known keys are key, op, val.'],
        [
          '/0/0/op',
          'This must be one of "==", "!=", "<=", ">=", ">", "<", "starts", "ends", "contains", "iequals", "istarts", "iends", "icontains", "in", "not in", "between", "isnull", "some", "every", "none"; did you mean "starts".',
        ],
      ],
    ],
    [
      'nothing but a key',
      [{ key: 'a..b' }],
      [
        ['/0/key', 'Write names of fields with one dot between them.'],
        [
          '/0/op',
          'This must be one of "==", "!=", "<=", ">=", ">", "<", "starts", "ends", "contains", "iequals", "istarts", "iends", "icontains", "in", "not in", "between", "isnull", "some", "every", "none".',
        ],
        ['/0/val', 'Write the value to compare with, or null.'],
      ],
    ],
    [
      'a long path',
      [{ key: 'a.b.c.d.e.f.g.h.i', op: '==', val: 1 }],
      [['/0/key', 'A path has at most 8 names.']],
    ],
    ['an object as value', [{ key: 'a', op: '==', val: { b: 1 } }], [['/0/val', value]]],
    ['two sources', [{ key: 'a', op: '==', val: { account: 'username', now: 'P1D' } }], [['/0/val', value]]],
    [
      'a list of objects',
      [{ key: 'a', op: 'in', val: ['x', { account: 'username' }] }],
      [['/0/val/1', 'Write a text, a number, true, false or null.']],
    ],
    [
      'an unknown source',
      [{ key: 'a', op: '==', val: { account: 'password' } }],
      [['/0/val/account', account]],
    ],
    [
      'no key of the metadata',
      [{ key: 'a', op: '==', val: { account: 'metadata.' } }],
      [['/0/val/account', account]],
    ],
    ['no duration', [{ key: 'a', op: '<', val: { now: '7 days' } }], [['/0/val/now', now]]],
    [
      'one value for a list',
      [{ key: 'a', op: 'in', val: 'x' }],
      [['/0/val', '"in" compares with a list of values.']],
    ],
    [
      'a list for one value',
      [{ key: 'a', op: '==', val: { account: 'roles' } }],
      [['/0/val', '"==" compares with one value. For a list use "in" or "not in".']],
    ],
    [
      'too many',
      Array.from({ length: 501 }, () => ({ key: 'a', op: '==', val: 1 })),
      [['', 'There are more than 500 conditions. For one of many values use the operator "in".']],
    ],
    [
      'ranges and tests for null',
      [
        { key: 'name', op: 'between', val: 'a' },
        { key: 'name', op: 'between', val: ['a'] },
        { key: 'name', op: 'between', val: ['a', { now: 'soon' }] },
        { key: 'name', op: 'isnull', val: 'no' },
        { key: 'createdAt', op: 'between', val: [{ now: '-P7D' }, { now: 'PT0S' }] },
      ],
      [
        ['/0/val', '"between" compares with a list of values.'],
        ['/1/val', '"between" takes a list of two values.'],
        [
          '/2/val/1/now',
          'Write a duration such as "-P7D" for seven days ago, "PT1H" for an hour ahead, or "PT0S" for now.',
        ],
        ['/3/val', '"isnull" takes true or false.'],
      ],
    ],
    ['too deep', nested(21), [[`${'/0'.repeat(21)}`, 'This is nested deeper than 20 groups.']]],
  ])('in rows: %s', async (_, rows, mistakes) => {
    expect(await mistakesOf({ rows })).toEqual(mistakes.map(([place, detail]) => [`/rows${place}`, detail]))
  })

  test('in fields and set', async () => {
    expect(
      await mistakesOf({
        fields: { read: 'id', write: [''], hidden: [] },
        set: { tenantId: { account: 'metadata' }, tags: [[1]], at: { now: 'P' }, '': 1 },
      }),
    ).toEqual([
      ['/fields/read', 'A list is expected here, and a text was sent.'],
      ['/fields/write/0', 'This must have at least 1 characters.'],
      ['/fields/hidden', 'The key "hidden" is not known here. Known keys are read, write.'],
      ['/set/tenantId/account', account],
      ['/set/tags/0', 'Write a text, a number, true, false or null.'],
      ['/set/at/now', now],
      ['/set/', 'Write the name of a field.'],
    ])
  })

  test('as many as may be are kept', async () => {
    const authorities = [
      {
        regex: '/apis/ports(/.*)?',
        methods: ['GET'],
        rows: [...Array.from({ length: 499 }, () => ({ key: 'a', op: '==', val: 1 })), nested(18)],
      },
    ]
    const { body } = await gateway.request('PUT', '/manage/roles/long', { body: { authorities } })
    expect(body).toEqual({ name: 'long', authorities })
  })
})
