/** D and E. What a role allows, over HTTP on three stores. The readings of paths have a table of their own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { rawRequest } from '../support/raw-request.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'
import { startEcho } from '../support/upstream-servers.ts'

describe.each(anyProduct('MariaDB'))('$name', (product) => {
  let gateway: TestGateway
  let reader: string

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const account = await createAccount(gateway, 'reader', [
      { regex: '/shop/ports', methods: ['GET'] },
      { regex: '/shop/items/p1', methods: ['GET'] },
      { regex: '/shop/a|/shop/b', methods: ['GET'] },
    ])
    reader = await logonAs(gateway, account)
  })
  afterAll(() => gateway.close())

  /** An upstream at `/shop`, and what came of a request: the status, and whether the upstream heard of it. */
  async function startShop() {
    const echo = await startEcho()
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    await gateway.request('PUT', '/manage/routes/shop', {
      body: { path: '/shop/*', methods, target: echo.url },
    })
    return {
      echo,
      async send(method: string, path: string, token?: string) {
        const before = echo.received.length
        const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close']
        const { status, text } = await rawRequest(
          gateway.url,
          [...lines, ...(token === undefined ? [] : [`X-Xaas-Auth-Token: ${token}`]), '', ''].join('\r\n'),
        )
        return { status, reached: echo.received.length > before, text }
      },
    }
  }

  test.each([
    ['/shop/ports', 200],
    ['/shop/portsEVIL', 401],
    ['/shop/ports/', 401],
    ['/zzz/shop/ports', 401],
    ['/shop/a', 200],
    ['/shop/b', 200],
    ['/shop/ab', 401],
    ['/shop/a/shop/b', 401],
    ['/x/shop/b', 401],
    ['/shop/bEVIL', 401],
    ['/shop/items/p1', 200],
    ['/shop/items/p2', 401],
    ['/shop/items/p1/', 401],
    ['/shop/items/p1x', 401],
    ['/SHOP/PORTS', 401],
    ['/Shop/ports', 401],
  ])('D4 D6 D7 D14 an authority is for whole paths: %s is %i', async (path, status) => {
    const { send } = await startShop()
    expect(await send('GET', path, reader)).toMatchObject({ status, reached: status === 200 })
  })

  test.each([
    ['GET', 200],
    ['HEAD', 200],
    ['POST', 401],
    ['PUT', 401],
    ['PATCH', 401],
    ['DELETE', 401],
    ['OPTIONS', 401],
    ['TRACE', 401],
    ['PROPFIND', 401],
    ['get', 400],
    ['GETX', 400],
  ])('D10 of methods only those that are allowed: %s is %i', async (method, status) => {
    const { send } = await startShop()
    expect(await send(method, '/shop/ports', reader)).toMatchObject({ status, reached: status === 200 })
  })

  test('D11 the refusal is 401, application/problem+json, {}', async () => {
    const { status, headers, body } = await gateway.request('POST', '/shop/ports', {
      token: reader,
      body: {},
    })
    expect({ status, type: headers.get('content-type'), body }).toEqual({
      status: 401,
      type: 'application/problem+json',
      body: {},
    })
    expect(headers.has('www-authenticate')).toBe(false)
  })

  test('D12 a public route opens its own paths and methods', async () => {
    const { send } = await startShop()
    const route = { path: '/shop/public/*', methods: ['GET'], scope: 'public' }
    await gateway.request('PUT', '/manage/routes/public', { body: route })
    const statusOf = async (method: string, path: string) => (await send(method, path)).status
    expect({
      below: await statusOf('GET', '/shop/public/x'),
      itself: await statusOf('GET', '/shop/public'),
      beside: await statusOf('GET', '/shop/publicX'),
      around: await statusOf('GET', '/shop/public/../ports'),
      encoded: await statusOf('GET', '/shop/public/..%2fports'),
      post: await statusOf('POST', '/shop/public/x'),
    }).toEqual({ below: 200, itself: 401, beside: 401, around: 400, encoded: 400, post: 401 })
    const management = { path: '/manage/*', methods: ['GET'], scope: 'public' }
    expect((await gateway.request('PUT', '/manage/routes/evil', { body: management })).status).toBe(422)
    const everything = { path: '/*', methods: ['GET'], scope: 'public' }
    expect((await gateway.request('PUT', '/manage/routes/evil', { body: everything })).status).toBe(422)
    await gateway.request('DELETE', '/manage/routes/public')
  })

  test('D13 what is there and what is not are refused alike', async () => {
    await startShop()
    const paths = [
      '/shop/tenants',
      '/shop/nope',
      '/nope',
      '/manage/roles',
      '/manage/nope',
      '/graphql',
      '/apis/x',
    ]
    const bodies = async (token: string | null) =>
      Promise.all(
        paths.map(async (path) => {
          const { status, body } = await gateway.request('GET', path, { token })
          const { requestId, ...rest } = body as Record<string, unknown>
          return { status, body: rest }
        }),
      )
    for (const token of [null, reader]) {
      const answers = await bodies(token)
      expect(answers).toEqual(paths.map(() => answers[0]))
      expect(answers[0]?.status).toBe(401)
    }
  })

  test.each([
    ['(', 'missing closing )'],
    ['a)|(b', 'unexpected )'],
    ['[z-a]', 'invalid character class range'],
    ['*', 'missing argument to repetition operator'],
    ['(a)\\1', 'cannot refer back to a group'],
    ['(?=x)', 'cannot look ahead or behind'],
    ['(?<!x)y', 'cannot look ahead or behind'],
    ['a*+', 'cannot be atomic or possessive'],
    ['a'.repeat(10_000), 'at most 1000 characters'],
    ['(((a{1000}){1000}){1000})', 'invalid repeat count'],
    ['(((a{10}){10}){10})', 'too large'],
    ['(a|b)*a(a|b){20}', 'needs too many states'],
  ])('D16 E3 a role with %s is refused at once, with the reason', async (regex, reason) => {
    const body = {
      name: 'd16',
      authorities: [
        { regex: '/a', methods: ['GET'] },
        { regex, methods: ['GET'] },
      ],
    }
    const answer = await gateway.request('POST', '/manage/roles', { body })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/authorities/1/regex', detail: expect.stringContaining(reason) }] },
    })
    expect((await gateway.request('GET', '/manage/roles/d16')).status).toBe(404)
  })

  test.each([
    ['.*', true],
    ['^.*$', true],
    ['(/apis/ports|/.+)', true],
    ['/[a-z/]+', true],
    ['/apis/.*', false],
    ['/manage/.*', false],
    ['(/apis/.*|/manage/roles)', false],
  ])(
    'D16 a role with %s is taken, and what it says of the management is told: %s',
    async (regex, isWarned) => {
      const authorities = [{ regex, methods: ['GET', 'POST'] }]
      const warnings = [
        `The authority "${regex}" also allows GET, POST on /manage: accounts with this role may see or change accounts and roles. Unless it is for administrators, write a narrower expression such as /apis/.*.`,
      ]
      const role = { name: 'd16', authorities }
      const told = isWarned ? { ...role, warnings } : role
      expect(await gateway.request('POST', '/manage/roles', { body: role })).toMatchObject({
        status: 201,
        body: told,
      })
      const { body } = await gateway.request('PUT', '/manage/roles/d16', { body: { authorities } })
      expect(body).toEqual(told)
      expect((await gateway.request('GET', '/manage/roles/d16')).body).toEqual(role)
      await gateway.request('DELETE', '/manage/roles/d16')
    },
  )

  test('E1 patterns that are slow elsewhere decide about long paths here', async () => {
    const { send } = await startShop()
    const regexes = ['^(a+)+$', '(/shop/)(a|a)*b', '(.*a){25}', '/shop/([a-z]+)*@', '/shop/(x+x+)+y']
    const account = await createAccount(
      gateway,
      'e1',
      regexes.map((regex) => ({ regex, methods: ['GET'] })),
    )
    const token = await logonAs(gateway, account)
    const long = 'a'.repeat(12_000)
    expect(await send('GET', `/shop/${long}`, token)).toMatchObject({ status: 200 })
    expect(await send('GET', `/shop/${'b'.repeat(12_000)}!`, token)).toMatchObject({ status: 401 })
  })

  test('E4 a role has up to 1,000 authorities, and each of them counts', async () => {
    const { send } = await startShop()
    const authority = (index: number) => ({ regex: `/shop/r${index}(/.*)?`, methods: ['GET'] })
    const authorities = Array.from({ length: 1000 }, (_, index) => authority(index))
    const token = await logonAs(gateway, await createAccount(gateway, 'e4', authorities))
    const statuses = []
    for (const path of ['r0', 'r1/x', 'r500', 'r999/a/b', 'r1000', 'r'])
      statuses.push((await send('GET', `/shop/${path}`, token)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 401, 401])
    const tooMany = await gateway.request('PUT', '/manage/roles/of-e4', {
      body: { authorities: [...authorities, authority(1000)] },
    })
    expect(tooMany).toMatchObject({ status: 422, body: { errors: [{ pointer: '/authorities' }] } })
  })
})
