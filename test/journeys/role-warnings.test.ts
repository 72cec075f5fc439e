/** Expressions that are valid and probably not what was meant: the answer says so, and so does explain-access. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const noSlash = 'It matches no path: every path begins with "/". Write "/apis/tasks".'
const repeated =
  '"/*" repeats the slash, and matches no name after it. For everything below write "/apis/tasks(/.*)?".'

describe('a role', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    const [product] = products
    if (product === undefined) throw new Error('There is no product to test on.')
    gateway = await startTestGateway(product)
  })
  afterAll(() => gateway?.close())

  test.each([
    ['^apis/tasks', [`The authority "^apis/tasks" looks wrong. ${noSlash}`]],
    ['apis/tasks', [`The authority "apis/tasks" looks wrong. ${noSlash}`]],
    ['^[a-z]+$', ['The authority "^[a-z]+$" looks wrong. It matches no path: every path begins with "/".']],
    ['/apis/tasks/*', [`The authority "/apis/tasks/*" looks wrong. ${repeated}`]],
    [
      '/apis/tasks',
      [
        'The authority "/apis/tasks" allows GET, DELETE on the list only, and not on the records below it. If they are meant too, write "/apis/tasks(/.*)?".',
      ],
    ],
    ['/apis/tasks(/.*)?', undefined],
    ['/apis/.*', undefined],
    ['/apis/[/*]+', undefined],
  ])('that allows %s is warned of as it should be', async (regex, warnings) => {
    const authorities = [{ regex, methods: ['GET', 'POST', 'DELETE'] }]
    const { status, body } = await gateway.request('PUT', '/manage/roles/r', {
      body: { name: 'r', authorities },
    })
    expect([200, 201]).toContain(status)
    expect((body as { warnings?: unknown }).warnings).toEqual(warnings)
  })

  test('is not warned of where another authority is for the records', async () => {
    const authorities = [
      { regex: '/apis/tasks', methods: ['GET', 'POST'] },
      { regex: '/apis/tasks/[^/]+', methods: ['GET'] },
    ]
    const { body } = await gateway.request('POST', '/manage/roles', { body: { name: 'two', authorities } })
    expect(body).toEqual({ name: 'two', authorities })
  })

  const grantsNothing = (regex: string, named: string) =>
    `The authority "${regex}" grants nothing: with ${named} it is for records only, at /apis/... and /graphql, and it matches none of their paths.`

  test.each([
    ['.*', { rows: [] }, undefined],
    ['/graphql', { fields: {} }, undefined],
    ['/graphql/Port', { rows: [] }, undefined],
    ['/apis/.*', { rows: [] }, undefined],
    ['/manage/accounts', { rows: [] }, [grantsNothing('/manage/accounts', '"rows"')]],
    ['/(manage|apis)', { rows: [], set: {} }, [grantsNothing('/(manage|apis)', '"rows", "set"')]],
    ['/graphqlx(/.*)?', { fields: {} }, [grantsNothing('/graphqlx(/.*)?', '"fields"')]],
    [
      '[a-z]+',
      { rows: [] },
      ['The authority "[a-z]+" looks wrong. It matches no path: every path begins with "/".'],
    ],
  ])('that allows %s with %j is warned of as it should be', async (regex, conditions, warnings) => {
    const authorities = [{ regex, methods: ['GET', 'PATCH'], ...conditions }]
    const { body } = await gateway.request('PUT', '/manage/roles/conditional', { body: { authorities } })
    expect((body as { warnings?: unknown }).warnings).toEqual(warnings)
  })

  test('that sets values where nothing is written is warned of', async () => {
    const authorities = [{ regex: '/apis/.*', methods: ['GET', 'DELETE'], set: { owner: 'x' } }]
    const { body } = await gateway.request('PUT', '/manage/roles/conditional', { body: { authorities } })
    expect((body as { warnings?: unknown }).warnings).toEqual([
      'The authority "/apis/.*" has "set" without effect: with GET, DELETE no record is written. Add POST, PUT or PATCH, or leave "set" out.',
    ])
  })

  test('whose expression is wrong is explained', async () => {
    const authorities = [{ regex: '^apis/tasks', methods: ['GET'] }]
    await gateway.request('POST', '/manage/roles', { body: { name: 'wrong', authorities } })
    await gateway.request('POST', '/manage/accounts', {
      body: { username: 'ada', password: 'a long pass phrase', role: 'wrong' },
    })
    const query = new URLSearchParams({ account: 'ada', method: 'GET', path: '/apis/tasks' })
    const { body } = await gateway.request('GET', `/manage/explain-access?${query}`)
    expect((body as { reason: string }).reason).toBe(
      `No authority matches the whole path; nearest is ^apis/tasks of the role "wrong". ${noSlash}`,
    )
  })

  test('a new API key needs no body, whatever the content type says', async () => {
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await gateway.request('POST', '/manage/accounts/admin/api-key', { headers })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ api_key: expect.stringMatching(/^ghk_/) }),
    ])
  })
})
