/** R9: no one gives what he does not have, by no way. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs, tryLogon } from '../support/test-accounts.ts'
import { type Answer, startTestGateway, type TestGateway } from '../support/test-gateway.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  let gateway: TestGateway
  let token: string

  beforeAll(async () => {
    gateway = await startTestGateway(product)
    await gateway.request('PUT', '/manage/roles/reader', {
      body: { authorities: [{ regex: '/apis/ports', methods: ['GET'] }] },
    })
    await createAccount(gateway, 'boss', [{ regex: '/manage/.*', methods }])
    // May manage everything, and beside that read ports and give the role `guest`.
    const manager = await createAccount(gateway, 'manager', [
      { regex: '/manage/(accounts|roles|routes|tokens)(/.*)?', methods },
      { regex: '/apis/(ports|tenants)(/.*)?', methods: ['GET'] },
    ])
    await gateway.request('POST', '/manage/roles', {
      body: { name: 'guest', authorities: [{ regex: '/graphql', methods: ['POST'] }] },
    })
    const { body } = await gateway.request('GET', '/manage/roles/of-manager')
    const { authorities } = body as { authorities: object[] }
    await gateway.request('PUT', '/manage/roles/of-manager', { body: { authorities, gives: ['guest'] } })
    token = await logonAs(gateway, manager)
  })
  afterAll(() => gateway.close())

  const asManager = (method: string, path: string, body?: object) =>
    gateway.request(method, path, { token, ...(body === undefined ? {} : { body }) })
  const password = 'a long pass phrase'

  /** What a refusal says beside its fixed parts. */
  const refusal = ({ status, body }: Answer) => {
    const { code, detail, errors } = body as Record<string, unknown>
    return { status, code, detail, ...(errors === undefined ? {} : { errors }) }
  }
  const refused = (pointer: string | undefined, detail: string) => ({
    status: 403,
    code: 'RIGHTS_NOT_HELD',
    detail,
    ...(pointer === undefined ? {} : { errors: [{ pointer, detail }] }),
  })
  const adminAllows = 'The role "admin" allows GET on "/", which you may not do yourself.'

  test('R9: no one gets a role that allows more, himself included', async () => {
    const answers = [
      await asManager('POST', '/manage/accounts', { username: 'new', password, role: 'admin' }),
      await asManager('PATCH', '/manage/accounts/manager', { role: 'admin' }),
    ]
    expect(answers.map(refusal)).toEqual([refused('/role', adminAllows), refused('/role', adminAllows)])
    const several = { username: 'new', password, role: ['reader', 'admin'] }
    expect(refusal(await asManager('POST', '/manage/accounts', several))).toEqual(
      refused('/role/1', adminAllows),
    )
    expect((await gateway.request('GET', '/manage/accounts/new')).status).toBe(404)
    const { body } = await gateway.request('GET', '/manage/accounts/manager')
    expect(body).toMatchObject({ role: 'of-manager' })
  })

  test('R9: what is held, or named in "gives", is given', async () => {
    for (const role of ['reader', 'guest', 'of-manager']) {
      const username = `with-${role}`
      expect((await asManager('POST', '/manage/accounts', { username, password, role })).status).toBe(201)
      expect((await asManager('POST', '/manage/tokens', { account: username })).status).toBe(201)
      expect((await asManager('PATCH', `/manage/accounts/${username}`, { metadata: { a: 1 } })).status).toBe(
        200,
      )
      expect((await asManager('DELETE', `/manage/accounts/${username}`)).status).toBe(204)
    }
  })

  test('R9: accounts with more rights are not acted on', async () => {
    const detail = (name: string, role: string, what: string) =>
      `The account "${name}" has rights that you do not have. The role "${role}" allows ${what}, which you may not do yourself.`
    const ofAdmin = refused(undefined, detail('admin', 'admin', 'GET on "/"'))
    const acts: readonly (readonly [string, string, object?])[] = [
      ['PATCH', '/manage/accounts/admin', { password }],
      ['PATCH', '/manage/accounts/admin', { metadata: {} }],
      ['PATCH', '/manage/accounts/admin', { role: 'reader' }],
      ['PATCH', '/manage/accounts/admin', { expire_days: 1 }],
      ['DELETE', '/manage/accounts/admin'],
      ['POST', '/manage/accounts/admin/api-key'],
      ['POST', '/manage/accounts/admin/api-keys', { name: 'mine' }],
      ['DELETE', '/manage/accounts/admin/api-keys/default'],
      ['POST', '/manage/tokens', { account: 'admin' }],
      ['DELETE', '/manage/tokens?account=admin'],
      ['DELETE', '/manage/tokens'],
    ]
    for (const act of acts) expect([act, refusal(await asManager(...act))]).toEqual([act, ofAdmin])
    expect(refusal(await asManager('DELETE', '/manage/accounts/boss'))).toEqual(
      refused(undefined, detail('boss', 'of-boss', 'GET on "/manage/"')),
    )
    const { apiKey, password: adminPassword } = gateway
    const admin = { username: 'admin', password: adminPassword, apiKey }
    expect((await tryLogon(gateway, admin)).status).toBe(200)
    expect((await gateway.request('GET', '/whoami')).status).toBe(200)
  })

  test('R9: tokens of accounts with no more rights are ended', async () => {
    const guest = { username: 'ending-guest', password, role: 'guest' }
    await asManager('POST', '/manage/accounts', guest)
    await asManager('POST', '/manage/tokens', { account: guest.username })
    const ended = await asManager('DELETE', `/manage/tokens?account=${guest.username}`)
    expect([ended.status, ended.body]).toEqual([200, { ended: 1 }])
    // His own are his to end as well, and he goes on with another one.
    expect((await asManager('POST', '/manage/tokens', { account: 'manager' })).status).toBe(201)
    await asManager('DELETE', `/manage/accounts/${guest.username}`)
    const everybody = await startTestGateway(product)
    try {
      const authorities = [{ regex: '.*', methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] }]
      const wide = await createAccount(everybody, 'wide', authorities)
      const asWide = await logonAs(everybody, wide)
      const refused = await everybody.request('DELETE', '/manage/tokens', { token: asWide })
      expect(refusal(refused)).toMatchObject({ status: 403, code: 'RIGHTS_NOT_HELD' })
      await everybody.request('DELETE', '/manage/tokens?account=admin')
      const all = await everybody.request('DELETE', '/manage/tokens', { token: asWide })
      expect([all.status, all.body]).toEqual([200, { ended: 1 }])
    } finally {
      await everybody.close()
    }
  })

  test('R9: no role allows more than who writes it', async () => {
    const role = (regex: string, methods: readonly string[]) => ({
      authorities: [
        { regex: '/apis/ports/[a-z]+', methods: ['GET', 'HEAD'] },
        { regex, methods },
      ],
    })
    const allows = (what: string) =>
      refused('/authorities/1', `This allows ${what}, which you may not do yourself.`)
    const written: readonly (readonly [string, readonly string[], object])[] = [
      ['.*', ['GET'], allows('GET on "/"')],
      ['/apis/ports', ['GET', 'DELETE'], allows('DELETE on "/apis/ports"')],
      ['/apis/(ports|tenants|users)', ['GET'], allows('GET on "/apis/users"')],
      ['/manage/accounts.*', ['PATCH'], allows('PATCH on "/manage/accountsa"')],
    ]
    for (const [regex, allowed, answer] of written) {
      const body = role(regex, allowed)
      expect(refusal(await asManager('POST', '/manage/roles', { name: 'r9', ...body }))).toEqual(answer)
      expect(refusal(await asManager('PUT', '/manage/roles/r9', body))).toEqual(answer)
      expect(refusal(await asManager('PUT', '/manage/roles/of-manager', body))).toEqual(answer)
    }
    expect((await gateway.request('GET', '/manage/roles/r9')).status).toBe(404)
    const held = role('/manage/roles/x', ['PUT'])
    expect((await asManager('PUT', '/manage/roles/r9', held)).status).toBe(201)
    expect((await asManager('DELETE', '/manage/roles/r9')).status).toBe(204)
  })

  test('R9: roles that allow more are left as they are', async () => {
    const detail = 'The role "of-boss" allows GET on "/manage/", which you may not do yourself.'
    const nothing = { authorities: [] }
    expect(refusal(await asManager('PUT', '/manage/roles/of-boss', nothing))).toEqual(
      refused(undefined, detail),
    )
    await gateway.request('PUT', '/manage/roles/unused', {
      body: { authorities: [{ regex: '/x', methods: ['GET'] }] },
    })
    expect((await asManager('DELETE', '/manage/roles/unused')).status).toBe(403)
  })

  test('R9: no one lets a role give what he cannot give', async () => {
    const body = (gives: readonly string[]) => ({ authorities: [], gives })
    expect(refusal(await asManager('PUT', '/manage/roles/giver', body(['reader', 'admin'])))).toEqual(
      refused('/gives/1', adminAllows),
    )
    expect((await asManager('PUT', '/manage/roles/giver', body(['later']))).status).toBe(422)
    const all = await asManager('PUT', '/manage/roles/giver', { authorities: [], gives: '*' })
    expect(refusal(all)).toEqual(
      refused(
        '/gives',
        'Only an account that may give every role can grant that to another role. Name the roles in a list.',
      ),
    )
    const chain = await gateway.request('PUT', '/manage/roles/giver', { body: body(['admin', 'giver']) })
    expect(chain).toMatchObject({ status: 201, body: { gives: ['admin', 'giver'] } })
    const account = { username: 'new', password, role: 'giver' }
    expect(refusal(await asManager('POST', '/manage/accounts', account))).toEqual(
      refused('/role', `The role "giver" may give the role "admin". ${adminAllows}`),
    )
    expect((await asManager('PUT', '/manage/roles/giver', body(['guest']))).status).toBe(403)
    await gateway.request('PUT', '/manage/roles/giver', { body: body(['guest', 'giver']) })
    expect((await asManager('PUT', '/manage/roles/giver', body(['guest', 'reader']))).status).toBe(200)
    expect(await gateway.request('DELETE', '/manage/roles/guest')).toMatchObject({
      status: 409,
      body: { code: 'IN_USE' },
    })
    expect((await asManager('DELETE', '/manage/roles/giver')).status).toBe(204)
  })

  test('R9: no one opens to anybody what he may not call, by no change of routes', async () => {
    const open = (path: string, methods: readonly string[]) => ({ path, methods, scope: 'public' })
    const says = (what: string) => refused('/path', `This allows ${what}, which you may not do yourself.`)
    const put = (name: string, body: object) => asManager('PUT', `/manage/routes/${name}`, body)
    expect(refusal(await put('r9', open('/graphql', ['GET', 'POST'])))).toEqual(says('GET on "/graphql"'))
    expect(refusal(await put('r9', open('/apis/*', ['GET'])))).toEqual(says('GET on "/apis/"'))
    expect(refusal(await put('r9', open('/apis/ports/:id', ['GET', 'DELETE'])))).toEqual(
      says('DELETE on "/apis/ports/a"'),
    )
    const upstream = { target: 'http://127.0.0.1:9' }
    expect((await put('r9', { ...open('/shop/*', ['GET']), ...upstream })).status).toBe(403)
    expect((await put('r9', { ...open('/shop/*', ['GET']), ...upstream, scope: 'protected' })).status).toBe(
      201,
    )
    expect((await put('r9', { ...open('/shop/*', ['GET']), ...upstream })).status).toBe(403)
    expect((await put('r9', open('/apis/ports/:id', ['GET', 'HEAD']))).status).toBe(200)
    expect((await asManager('DELETE', '/manage/routes/r9')).status).toBe(204)
    // A route that keeps a part of a public one closed.
    await gateway.request('PUT', '/manage/routes/wide', { body: open('/apis/*', ['GET']) })
    await gateway.request('PUT', '/manage/routes/closed', {
      body: { path: '/apis/users', methods: ['GET'], scope: 'protected' },
    })
    expect(refusal(await asManager('DELETE', '/manage/routes/closed'))).toEqual({
      ...says('GET on "/apis/users"'),
    })
    expect((await put('closed', { path: '/apis/x', methods: ['GET'] })).status).toBe(403)
    for (const name of ['closed', 'wide']) await gateway.request('DELETE', `/manage/routes/${name}`)
  })

  test('R9: no one changes his own metadata', async () => {
    const detail = 'An account cannot change its own metadata: its rights depend on them.'
    expect(
      refusal(await asManager('PATCH', '/manage/accounts/manager', { metadata: { tenant: 'b' } })),
    ).toEqual(refused('/metadata', detail))
    expect(
      refusal(await gateway.request('PATCH', '/manage/accounts/admin', { body: { metadata: {} } })),
    ).toEqual(refused('/metadata', detail))
  })

  test('R9: what cannot be compared in bounded work is refused', async () => {
    const regexes = Array.from({ length: 12 }, (_, index) => `/.*[${'abcdefghijkl'[index]}].{4}`)
    const hard = await createAccount(gateway, 'hard', [
      ...regexes.map((regex) => ({ regex, methods: ['GET'] })),
      { regex: '/manage/roles', methods: ['POST'] },
    ])
    const answer = await gateway.request('POST', '/manage/roles', {
      token: await logonAs(gateway, hard),
      body: { name: 'harder', authorities: [{ regex: '/.*[a-l].{4}', methods: ['GET'] }] },
    })
    const detail =
      'This allows GET in a way that could not be compared with your own rights. Write it like one of your own authorities, or narrower.'
    expect(refusal(answer)).toEqual(refused('/authorities/0', detail))
  })
})
