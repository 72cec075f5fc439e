/** R13: a role may limit where the routes lead that its accounts write. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const password = 'a long pass phrase'
const shop = 'http://127.0.0.1:3000'
const internal = 'https://*.internal'

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  /** May write routes to `shop` and `internal`, and manage roles and accounts. */
  let token: string
  const managing = { regex: '/manage/(roles|accounts)(/.*)?', methods }
  const routing = { regex: '/manage/routes(/.*)?', methods }

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    const writer = await createAccount(gateway, 'writer', [routing, managing])
    await role('of-writer', { authorities: [routing, managing], targets: [shop, internal] })
    await role('reader', { authorities: [{ regex: '/manage/routes.*', methods: ['GET'] }] })
    token = await logonAs(gateway, writer)
  })
  afterAll(() => gateway.close())

  const role = (name: string, body: object) => gateway.request('PUT', `/manage/roles/${name}`, { body })
  const as = (own: string, method: string, path: string, body?: object) =>
    gateway.request(method, path, { token: own, ...(body === undefined ? {} : { body }) })
  const route = (target: string | readonly string[]) => ({ path: '/up/*', methods: ['GET'], target })
  const refusal = ({ status, body }: Answer) => {
    const { code, errors } = body as Record<string, unknown>
    return { status, code, errors }
  }
  const refused = (pointer: string, detail: string) => ({
    status: 403,
    code: 'RIGHTS_NOT_HELD',
    errors: [{ pointer, detail }],
  })
  const leads = (origin: string, request: string, where = `to ${shop}, ${internal} only`) =>
    `This leads to ${origin}. The routes that you write with ${request} may lead ${where}.`

  test('R13: routes lead only where a role of their writer leads', async () => {
    expect((await as(token, 'PUT', '/manage/routes/up', route(`${shop}/v1`))).status).toBe(201)
    expect((await as(token, 'PUT', '/manage/routes/up', route(['https://a.internal', shop]))).status).toBe(
      200,
    )
    const put = 'PUT on "/manage/routes/up"'
    for (const elsewhere of ['http://127.0.0.1:3001', 'https://127.0.0.1:3000', 'https://internal']) {
      expect(refusal(await as(token, 'PUT', '/manage/routes/up', route(elsewhere)))).toEqual(
        refused('/target', leads(elsewhere, put)),
      )
    }
    expect(refusal(await as(token, 'PUT', '/manage/routes/up', route([shop, 'http://b.internal'])))).toEqual(
      refused('/target/1', leads('http://b.internal', put)),
    )
    const created = { name: 'new', ...route('http://127.0.0.1:22') }
    expect(refusal(await as(token, 'POST', '/manage/routes', created))).toEqual(
      refused('/target', leads('http://127.0.0.1:22', 'POST on "/manage/routes"')),
    )
    expect((await gateway.request('GET', '/manage/routes/new')).status).toBe(404)
    expect((await gateway.request('GET', '/manage/routes/up')).body).toMatchObject({
      target: ['https://a.internal', shop],
    })
    // Routes to the gateway's own paths, and the end of a route, lead nowhere.
    expect((await as(token, 'PUT', '/manage/routes/own', { path: '/apis/x', methods: ['GET'] })).status).toBe(
      201,
    )
    expect((await as(token, 'DELETE', '/manage/routes/own')).status).toBe(204)
    // What leads elsewhere already is changed only by whom may lead there.
    await gateway.request('PUT', '/manage/routes/up', { body: route('http://127.0.0.1:9') })
    const closed = { ...route('http://127.0.0.1:9'), methods: ['GET', 'POST'] }
    expect((await as(token, 'PUT', '/manage/routes/up', closed)).status).toBe(403)
    expect((await as(token, 'DELETE', '/manage/routes/up')).status).toBe(204)
  })

  test('R13: of several roles those count, together, that allow the request', async () => {
    const several = await createAccount(gateway, 'several', [])
    await role('posting', {
      authorities: [{ regex: '/manage/routes', methods: ['POST'] }],
      targets: ['http://10.0.0.1'],
    })
    await role('putting', { authorities: [routing], targets: ['http://10.0.0.2'] })
    await role('of-one', { authorities: [{ regex: '/manage/routes/one', methods: ['PUT'] }] })
    await role('leading-nowhere', { authorities: [routing], targets: [] })
    const change = (names: readonly string[]) =>
      gateway.request('PATCH', '/manage/accounts/several', { body: { role: names } })
    await change(['posting', 'putting', 'reader'])
    const own = await logonAs(gateway, several)
    const post = async (target: string) => {
      const { status } = await as(own, 'POST', '/manage/routes', { name: 'posted', ...route(target) })
      await gateway.request('DELETE', '/manage/routes/posted')
      return status
    }
    const put = async (name: string, target: string) =>
      (await as(own, 'PUT', `/manage/routes/${name}`, route(target))).status
    expect([await post('http://10.0.0.1'), await post('http://10.0.0.2')]).toEqual([201, 201])
    expect([await put('two', 'http://10.0.0.1'), await put('two', 'http://10.0.0.2')]).toEqual([403, 201])
    // A role without targets counts for what it allows itself.
    await change(['putting', 'of-one'])
    expect([await put('one', 'http://10.0.0.9'), await put('two', 'http://10.0.0.9')]).toEqual([201, 403])
    await change(['leading-nowhere', 'reader'])
    const answer = await as(own, 'PUT', '/manage/routes/two', route('http://10.0.0.2'))
    expect(refusal(answer)).toEqual(
      refused('/target', leads('http://10.0.0.2', 'PUT on "/manage/routes/two"', 'to no other server')),
    )
    for (const name of ['one', 'two']) await gateway.request('DELETE', `/manage/routes/${name}`)
  })

  test('R9 R13: no one gives wider targets than he has', async () => {
    const post = { regex: '/manage/routes', methods: ['POST'] }
    const write = async (body: object) => refusal(await as(token, 'PUT', '/manage/roles/written', body))
    const wider = (target: string) =>
      refused(
        '/authorities/0',
        `This allows POST on "/manage/routes" for routes to ${target}, which you may not do yourself.`,
      )
    expect(await write({ authorities: [post] })).toEqual(wider('any target'))
    expect(await write({ authorities: [post], targets: ['http://127.0.0.1:*'] })).toEqual(
      wider('http://127.0.0.1:*'),
    )
    expect(await write({ authorities: [post], targets: [shop, 'https://internal'] })).toEqual(
      wider('https://internal'),
    )
    const put = { regex: '/manage/(accounts|routes/.*)', methods: ['PUT'] }
    expect(await write({ authorities: [put] })).toMatchObject({
      errors: [
        {
          detail:
            'This allows PUT on "/manage/routes/a" for routes to any target, which you may not do yourself.',
        },
      ],
    })
    const own = { authorities: [routing, managing] }
    expect((await as(token, 'PUT', '/manage/roles/of-writer', own)).status).toBe(403)
    // What is about no routes, and what leads to fewer servers, is his to give.
    const narrow = { authorities: [routing], targets: [shop, 'https://*.a.internal'] }
    expect((await as(token, 'PUT', '/manage/roles/narrow', narrow)).status).toBe(201)
    expect((await as(token, 'PUT', '/manage/roles/plain', { authorities: [managing] })).status).toBe(201)
    const reading = { authorities: [{ regex: '/manage/routes/.*', methods: ['GET', 'DELETE'] }] }
    expect((await as(token, 'PUT', '/manage/roles/reading', reading)).status).toBe(201)
    expect(
      (await as(token, 'PUT', '/manage/roles/none', { authorities: [routing], targets: [] })).status,
    ).toBe(201)
  })

  test('R9 R13: no one gets a role with wider targets, nor acts on an account that has it', async () => {
    await role('anywhere', { authorities: [routing] })
    await role('elsewhere', { authorities: [routing], targets: [shop, 'http://10.0.0.9'] })
    const detail = (name: string, where: string) =>
      `The role "${name}" allows POST on "/manage/routes" for routes to ${where}, which you may not do yourself.`
    const account = { username: 'new', password, role: 'anywhere' }
    expect(refusal(await as(token, 'POST', '/manage/accounts', account))).toEqual(
      refused('/role', detail('anywhere', 'any target')),
    )
    const own = { role: ['of-writer', 'elsewhere'] }
    expect(refusal(await as(token, 'PATCH', '/manage/accounts/writer', own))).toEqual(
      refused('/role/1', detail('elsewhere', 'http://10.0.0.9')),
    )
    await gateway.request('POST', '/manage/accounts', { body: { ...account, username: 'wide' } })
    expect((await as(token, 'PATCH', '/manage/accounts/wide', { password })).status).toBe(403)
    expect((await as(token, 'DELETE', '/manage/roles/anywhere')).status).toBe(409)
    expect((await as(token, 'PUT', '/manage/roles/elsewhere', { authorities: [] })).status).toBe(403)
  })

  test('R9 R13: who may do everything but lead routes anywhere is no exception', async () => {
    const everything = [{ regex: '.*', methods: [...methods, 'HEAD', 'OPTIONS'] }]
    const almost = await createAccount(gateway, 'almost', everything)
    await role('of-almost', { authorities: everything, targets: [shop] })
    const own = await logonAs(gateway, almost)
    expect((await as(own, 'PUT', '/manage/roles/of-almost', { authorities: everything })).status).toBe(403)
    expect((await as(own, 'PATCH', '/manage/accounts/almost', { role: 'admin' })).status).toBe(403)
    expect((await as(own, 'PUT', '/manage/routes/up', route('http://127.0.0.1:9'))).status).toBe(403)
    expect((await as(own, 'PUT', '/manage/routes/up', route(shop))).status).toBe(201)
    expect((await as(own, 'DELETE', '/manage/accounts/almost')).status).toBe(204)
    await gateway.request('DELETE', '/manage/routes/up')
  })

  test('R13: targets are checked, shown and explained', async () => {
    const bad = await role('bad', { authorities: [], targets: [shop, 'shop.internal', 'http://*'] })
    expect(bad).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/targets/1' }, { pointer: '/targets/2' }] },
    })
    expect((await gateway.request('GET', '/manage/roles/of-writer')).body).toMatchObject({
      targets: [shop, internal],
    })
    const explain = async (method: string, path: string) =>
      (
        (await gateway.request(
          'GET',
          `/manage/explain-access?account=writer&method=${method}&path=${path}`,
        )) as { body: { reason: string; roles: readonly object[] } }
      ).body
    expect(await explain('PUT', '/manage/routes/up')).toMatchObject({
      reason: `The role "of-writer" allows it by /manage/routes(/.*)?, for routes without a target or to ${shop}, ${internal}.`,
      roles: [{ name: 'of-writer', targets: [shop, internal] }],
    })
    expect((await explain('DELETE', '/manage/routes/up')).reason).toBe(
      'The role "of-writer" allows it by /manage/routes(/.*)?.',
    )
    const { body } = await gateway.request('GET', '/manage/audit')
    expect(body).toContainEqual(
      expect.objectContaining({ record: 'role', action: 'changed', name: 'of-writer', account: 'admin' }),
    )
    // What is replaced without targets leads anywhere again.
    await role('narrow', { authorities: [routing] })
    expect((await gateway.request('GET', '/manage/roles/narrow')).body).not.toHaveProperty('targets')
  })
})
