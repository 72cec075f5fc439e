/** Who gets in, over HTTP: from the first account to a public route, and every way around it that we know. */

import { type OutgoingHttpHeaders, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Access } from '../../src/access/access.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { protect } from '../../src/gateway/protect.ts'
import { accountRoutes } from '../../src/gateway/routes/accounts.ts'
import { apiRouteRoutes } from '../../src/gateway/routes/api-routes.ts'
import { auditRoutes } from '../../src/gateway/routes/audit.ts'
import { logonRoutes } from '../../src/gateway/routes/logon.ts'
import { roleRoutes } from '../../src/gateway/routes/roles.ts'
import { tokenRoutes } from '../../src/gateway/routes/tokens.ts'
import { healthRoutes } from '../../src/http/health-routes.ts'
import { addRoutes, type Route } from '../../src/http/routes.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { admin, type TemporaryAccess, temporaryAccess } from '../support/temporary-access.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

interface Client extends TemporaryAccess {
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: OutgoingHttpHeaders },
  ): Promise<Answer>
  /** A token, by a logon. */
  logon(account: { username: string; password: string; apiKey: string }): Promise<string>
}

/** What a published API would answer: that it was reached, and as whom. */
const published: readonly Route[] = ['/apis/ports', '/apis/ports/:id', '/apis/tenants', '/graphql'].map(
  (path) => ({
    path,
    methods: {
      GET: async (request) => ({ reached: request.path, by: request.caller?.username ?? null }),
      POST: async (request) => ({ reached: request.path, by: request.caller?.username ?? null }),
    },
  }),
)

async function startClient(isReady = async () => true): Promise<Client> {
  const temporary = await temporaryAccess()
  const { access } = temporary
  const server = createHttpServer({
    bodyLimitBytes: 1_000_000,
    observe: () => {},
    translateError: (cause) =>
      cause.message === 'away' ? new AppError('DATABASE_UNAVAILABLE', { cause }) : undefined,
  })
  protect(server, access, () => true)
  addRoutes(server, [
    ...published,
    ...logonRoutes({ access }),
    ...roleRoutes({
      roles: access.roles,
      calls: () => [],
      recordEffects: async () => ({ records: [], records_truncated: false }),
    }),
    ...accountRoutes({
      accounts: access.accounts,
      apiKeys: access.apiKeys,
      secondFactor: access.secondFactor,
      baseUrl: 'https://api.example.org',
    }),
    ...apiRouteRoutes({ apiRoutes: access.apiRoutes, healthOf: () => [] }),
    ...tokenRoutes({ tokens: access.tokens }),
    ...auditRoutes({ access }),
    ...healthRoutes({ isReady }),
  ])
  await server.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const { port } = server.server.address() as AddressInfo

  const call: Client['call'] = (method, path, { token, body, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const request = sendRequest({
        port,
        method,
        path,
        headers: {
          ...(token === undefined ? {} : { 'x-xaas-auth-token': token }),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      })
      request.on('error', reject)
      request.on('response', async (response) => {
        const answer = (await response.toArray()).join('')
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: answer === '' ? undefined : JSON.parse(answer) })
      })
      request.end(text)
    })

  return {
    ...temporary,
    call,
    async logon({ username, password, apiKey }) {
      const headers = { 'X-Xaas-Api-Key': apiKey }
      const { body } = await call('POST', '/logon', { headers, body: { username, password } })
      return (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
    },
  }
}

/** Status and body of an answer, without what differs each time. */
function gist({ status, body }: Answer): unknown {
  if (typeof body !== 'object' || body === null || !('requestId' in body)) return { status, body }
  const { requestId, ...rest } = body
  return { status, body: rest }
}

const problem = (status: number, code: string, title: string, more: object = {}) => ({
  status,
  body: {
    type: `/docs/guide/problems/${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail: title,
    ...more,
  },
})
const tokenMissing = problem(401, 'TOKEN_MISSING', 'An authentication token is required.', {
  detail:
    'Send a token in the header X-Xaas-Auth-Token. POST /logon gives one for an API key, a username and a password.',
})
const tokenInvalid = problem(401, 'TOKEN_INVALID', 'The authentication token is unknown or has expired.', {
  detail: 'This token was never given, or has ended. POST /logon gives a new one; an API key is not a token.',
})

const reader = { name: 'reader', authorities: [{ regex: '/apis/ports(/p1)?', methods: ['GET'] }] }

async function withReader(client: Client) {
  const token = await client.logon(admin)
  await client.call('POST', '/manage/roles', { token, body: reader })
  const body = { username: 'ada', password: 'sword and fish', role: 'reader' }
  const { body: account } = await client.call('POST', '/manage/accounts', { token, body })
  const apiKey = (account as { api_key: string }).api_key
  const readerToken = await client.logon({ username: 'ada', password: 'sword and fish', apiKey })
  return { token, readerToken, apiKey }
}

test('from the first account to a public route and back', async () => {
  const client = await startClient()
  const { call } = client
  const token = await client.logon(admin)

  const createdRole = await call('POST', '/manage/roles', { token, body: reader })
  expect({ ...(gist(createdRole) as object), location: createdRole.headers.location }).toEqual({
    status: 201,
    body: reader,
    location: '/manage/roles/reader',
  })

  const document = {
    username: 'Ada L',
    password: 'sword and fish',
    role: 'reader',
    expire_days: 2,
    metadata: { a: 1 },
  }
  const account = {
    username: 'Ada L',
    role: 'reader',
    expire_days: 2,
    expire: '2026-11-23T06:00:00+00:00',
    disabled: false,
    metadata: { a: 1 },
    created: '2026-11-21T06:00:00+00:00',
  }
  const createdAccount = await call('POST', '/manage/accounts', { token, body: document })
  expect({ ...(gist(createdAccount) as object), location: createdAccount.headers.location }).toEqual({
    status: 201,
    body: { ...account, api_key: expect.stringMatching(/^ghk_[\w-]{43}$/) },
    location: 'https://api.example.org/manage/accounts/Ada%20L',
  })
  expect(gist(await call('GET', '/manage/accounts/Ada%20L', { token }))).toEqual({
    status: 200,
    body: account,
  })

  const { api_key: apiKey } = createdAccount.body as { api_key: string }
  const logon = await call('POST', '/logon', {
    headers: { 'x-xaas-api-key': apiKey },
    body: { username: 'Ada L', password: 'sword and fish' },
  })
  const role = { name: 'reader', authorities: [{ regex: '/apis/ports(/p1)?$', methods: ['GET'] }] }
  expect(gist(logon)).toEqual({
    status: 200,
    body: {
      'x-xaas-auth-token': expect.stringMatching(/^ght_[\w-]{43}$/),
      expire: '2026-11-21T07:00:00+00:00',
      limited: true,
      role,
      roles: [role],
    },
  })
  expect(logon.headers['cache-control']).toBe('no-store')
  const readerToken = (logon.body as Record<string, string>)['x-xaas-auth-token'] ?? ''

  expect(gist(await call('GET', '/apis/ports', { token: readerToken }))).toEqual({
    status: 200,
    body: { reached: '/apis/ports', by: 'Ada L' },
  })
  const refused = await call('POST', '/apis/ports', { token: readerToken, body: {} })
  expect({ ...(gist(refused) as object), type: refused.headers['content-type'] }).toEqual({
    status: 401,
    body: {},
    type: expect.stringMatching(/^application\/problem\+json/),
  })

  expect(gist(await call('GET', '/whoami', { token: readerToken }))).toEqual({
    status: 200,
    body: {
      username: 'Ada L',
      id: expect.stringMatching(/^[\w-]{22}$/),
      role,
      roles: [role],
      metadata: { a: 1 },
      limited: true,
      account_expire: '2026-11-23T06:00:00+00:00',
      expire: '2026-11-21T07:00:00+00:00',
    },
  })

  const route = { name: 'open-graphql', path: '/graphql', methods: ['GET', 'POST'], scope: 'public' }
  expect(gist(await call('GET', '/graphql'))).toEqual(tokenMissing)
  expect(gist(await call('POST', '/manage/routes', { token, body: route }))).toEqual({
    status: 201,
    body: route,
  })
  expect(gist(await call('GET', '/graphql'))).toEqual({
    status: 200,
    body: { reached: '/graphql', by: null },
  })
  await call('PUT', '/manage/routes/open-graphql', { token, body: { ...route, scope: 'protected' } })
  expect(gist(await call('GET', '/graphql'))).toEqual(tokenMissing)

  expect(gist(await call('DELETE', '/manage/tokens?account=Ada%20L', { token }))).toEqual({
    status: 200,
    body: { ended: 1 },
  })
  const ended = await call('GET', '/apis/ports', { token: readerToken })
  expect(gist(ended)).toEqual(tokenInvalid)
  expect(ended.headers['www-authenticate']).toBe('Bearer')

  const audit = await call('GET', '/manage/audit?limit=2', { token })
  expect(gist(audit)).toEqual({
    status: 200,
    body: [
      {
        id: expect.any(String),
        at: '2026-11-21T06:00:00.000+00:00',
        account: 'admin',
        address: '127.0.0.1',
        request_id: expect.stringMatching(/^[\da-f-]{36}$/),
        action: 'deleted',
        record: 'token',
        name: 'Ada L',
        detail: '',
        changes: {},
      },
      expect.objectContaining({ action: 'changed', record: 'route', name: 'open-graphql' }),
    ],
  })
})

describe('a change of rights holds for tokens that are in use', () => {
  test('a role, an account and a token', async () => {
    const client = await startClient()
    const { call } = client
    const { token, readerToken, apiKey } = await withReader(client)
    const read = async (path = '/apis/ports') => (await call('GET', path, { token: readerToken })).status
    expect(await read()).toBe(200)

    const authorities = [{ regex: '/apis/tenants(/.*)?', methods: ['get'] }]
    expect(gist(await call('PUT', '/manage/roles/reader', { token, body: { authorities } }))).toEqual({
      status: 200,
      body: { name: 'reader', authorities: [{ regex: '/apis/tenants(/.*)?', methods: ['GET'] }] },
    })
    expect([await read(), await read('/apis/tenants')]).toEqual([401, 200])

    await call('PATCH', '/manage/accounts/ada', { token, body: { role: ['admin', 'reader'] } })
    expect([await read(), await read('/apis/tenants')]).toEqual([200, 200])

    expect((await call('POST', '/logoff', { token: readerToken })).status).toBe(204)
    expect(await read()).toBe(401)

    const again = await client.logon({ username: 'ada', password: 'sword and fish', apiKey })
    expect((await call('DELETE', '/manage/accounts/ada', { token })).status).toBe(204)
    expect(gist(await call('GET', '/apis/ports', { token: again }))).toEqual(tokenInvalid)
  })
})

describe('no way around the path or the method', () => {
  test.each([
    ['GET', 200],
    ['HEAD', 200],
    ['POST', 401],
    ['PUT', 401],
    ['PATCH', 401],
    ['DELETE', 401],
    ['OPTIONS', 401],
    ['TRACE', 401],
  ])('D10 %s is answered %i', async (method, status) => {
    const client = await startClient()
    const { readerToken: token } = await withReader(client)
    const headers = {
      'x-http-method-override': 'GET',
      'x-original-url': '/apis/ports',
      'x-forwarded-uri': '/apis/ports',
    }
    expect((await client.call(method, '/apis/ports', { token, headers })).status).toBe(status)
    expect((await client.call(method, '/apis/tenants', { token, headers })).status).toBe(401)
  })

  test('D13 what is there cannot be told from what is not, without a right to it', async () => {
    const client = await startClient()
    const { readerToken, token } = await withReader(client)
    for (const [method, path] of [
      ['GET', '/apis/tenants'],
      ['GET', '/apis/nope'],
      ['DELETE', '/apis/tenants'],
      ['GET', '/manage/roles'],
      ['GET', '/'],
    ] as const) {
      expect(gist(await client.call(method, path)), path).toEqual(tokenMissing)
      expect(gist(await client.call(method, path, { token: readerToken })), path).toEqual({
        status: 401,
        body: {},
      })
    }
    expect((await client.call('GET', '/apis/nope', { token })).status).toBe(404)
    expect((await client.call('DELETE', '/apis/tenants', { token })).status).toBe(405)
  })

  test('C6 C8 a token counts in its header only', async () => {
    const { call, logon } = await startClient()
    const token = await logon(admin)
    expect(gist(await call('GET', `/apis/ports?x-xaas-auth-token=${token}&access_token=${token}`))).toEqual(
      tokenMissing,
    )
    expect((await call('GET', '/apis/ports', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      200,
    )
    expect(gist(await call('GET', '/apis/ports', { token: admin.apiKey }))).toEqual(tokenInvalid)
    const twice = { 'x-xaas-auth-token': [token, token] }
    expect(gist(await call('GET', '/apis/ports', { headers: twice }))).toEqual(tokenInvalid)
  })

  test('D15 when the directory fails, nobody is let in', async () => {
    const client = await startClient()
    const token = await client.logon(admin)
    const broken = new Error('broken')
    const count = () => undefined
    const failures: readonly Pick<Access, 'admit' | 'admitAtOnce' | 'count'>[] = [
      { count, admit: () => Promise.reject(broken), admitAtOnce: () => undefined },
      {
        count,
        admit: () => Promise.reject(broken),
        admitAtOnce: () => {
          throw broken
        },
      },
    ]
    for (const access of failures) {
      const server = createHttpServer({ bodyLimitBytes: 1000, observe: () => {} })
      protect(server, access, () => true)
      addRoutes(server, published)
      const answer = await server.inject({ url: '/apis/ports', headers: { 'x-xaas-auth-token': token } })
      expect(answer.statusCode).toBe(500)
      expect(answer.json()).not.toHaveProperty('reached')
    }
  })
})

describe('records are refused with what to do', () => {
  const title = 'The document is not valid.'
  const invalid = (errors: readonly object[]) =>
    problem(422, 'DOCUMENT_INVALID', title, {
      detail:
        errors.length === 1
          ? 'There is one mistake; "errors" says where.'
          : `There are ${errors.length} mistakes; "errors" says where.`,
      errors,
    })

  test('names that are taken, missing or in use', async () => {
    const client = await startClient()
    const { token } = await withReader(client)
    const refusals = await Promise.all([
      client.call('POST', '/manage/roles', { token, body: reader }),
      client.call('GET', '/manage/roles/nobody', { token }),
      client.call('DELETE', '/manage/roles/reader', { token }),
      client.call('DELETE', '/manage/routes/none', { token }),
      client.call('PATCH', '/manage/accounts/nobody', { token, body: {} }),
      client.call('DELETE', '/manage/tokens?account=nobody', { token }),
    ])
    expect(refusals.map(gist)).toEqual([
      problem(409, 'NAME_TAKEN', 'The name is taken.', {
        detail: 'Another role is named "reader" already. Choose another name, or change the one there is.',
      }),
      problem(404, 'RECORD_NOT_FOUND', 'There is no such record.', {
        detail: 'There is no role named "nobody".',
      }),
      problem(409, 'IN_USE', 'It is still in use.', {
        detail: '1 account has the role "reader". Give them another role, or delete them, first.',
      }),
      problem(404, 'RECORD_NOT_FOUND', 'There is no such record.', {
        detail: 'There is no route named "none".',
      }),
      problem(404, 'RECORD_NOT_FOUND', 'There is no such record.', {
        detail: 'There is no account named "nobody".',
      }),
      problem(404, 'RECORD_NOT_FOUND', 'There is no such record.', {
        detail: 'There is no account named "nobody".',
      }),
    ])
  })

  test('documents, every mistake at its place', async () => {
    const client = await startClient()
    const token = await client.logon(admin)
    const role = await client.call('POST', '/manage/roles', {
      token,
      body: {
        name: 'x',
        authorities: [
          { regex: '(?=x)', methods: ['GET'] },
          { regex: '.*', methods: [] },
        ],
      },
    })
    expect(gist(role)).toEqual(
      invalid([
        { pointer: '/authorities/0/regex', detail: expect.stringContaining('cannot look ahead or behind') },
        { pointer: '/authorities/1/methods', detail: 'This must have at least 1 in it.' },
      ]),
    )
    const account = await client.call('POST', '/manage/accounts', {
      token,
      body: { username: 'eve', password: 'short', role: 'admin', expire_days: 0, admin: true, apiKey: 'k' },
    })
    expect(gist(account)).toEqual(
      invalid([
        { pointer: '/password', detail: 'A password has 8 to 1,024 characters, and this one has 5.' },
        {
          pointer: '/expire_days',
          detail: 'This must be at least 1. To disable an account, set "disabled" to true.',
        },
        ...['admin', 'apiKey'].map((key) => ({
          pointer: `/${key}`,
          detail: `The key "${key}" is not known here. Known keys are username, password, role, expire_days, metadata, disabled, limits.`,
        })),
      ]),
    )
    const unknownRole = await client.call('POST', '/manage/accounts', {
      token,
      body: { username: 'eve', password: 'long enough', role: ['admin', 'nobody'] },
    })
    expect(gist(unknownRole)).toEqual(
      invalid([
        { pointer: '/role/1', detail: 'There is no role named "nobody". Create it first, at /manage/roles.' },
      ]),
    )
    expect(gist(await client.call('GET', '/manage/accounts/eve', { token }))).toMatchObject({ status: 404 })
    const query = await client.call('DELETE', '/manage/tokens?acount=eve', { token })
    expect(gist(query)).toEqual(
      problem(400, 'PARAMETER_INVALID', 'A request parameter is not valid.', {
        detail: 'There is one mistake; "errors" says where.',
        errors: [
          {
            pointer: '/acount',
            detail:
              'The key "acount" is not known here; did you mean "account". Known keys are account, hash.',
          },
        ],
      }),
    )
  })

  test('B10 lists show no secret', async () => {
    const client = await startClient()
    const { token, apiKey, readerToken } = await withReader(client)
    const lists = await Promise.all(
      ['roles', 'accounts', 'routes', 'tokens', 'audit'].map((name) =>
        client.call('GET', `/manage/${name}`, { token }),
      ),
    )
    expect(lists.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const text = JSON.stringify(lists.map(({ body }) => body))
    for (const secret of [
      token,
      readerToken,
      apiKey,
      admin.apiKey,
      'sword and fish',
      admin.password,
      'argon2',
      'Hash',
    ]) {
      expect(text).not.toContain(secret)
    }
    const times = { created: '2026-11-21T06:00:00+00:00', expire: '2026-11-21T07:00:00+00:00' }
    expect(lists[3]?.body).toEqual([
      { username: 'ada', hash: expect.any(String), ...times },
      { username: 'admin', hash: expect.any(String), ...times },
    ])
  })
})

test('the end of an account is changed by days or to a time, and back', async () => {
  const client = await startClient()
  const token = await client.logon(admin)
  await client.call('POST', '/manage/roles', { token, body: reader })
  const body = { username: 'guest', password: 'sword and fish', role: 'reader', expire_days: 2 }
  await client.call('POST', '/manage/accounts', { token, body })
  const change = async (changes: object) => {
    const answer = await client.call('PATCH', '/manage/accounts/guest', { token, body: changes })
    const { status, expire, expire_days: days } = answer.body as Record<string, unknown>
    return answer.status === 200 ? [days, expire] : [status, (answer.body as { errors: unknown }).errors]
  }
  const first = [2, '2026-11-23T06:00:00+00:00']
  expect(await change({})).toEqual(first)
  expect(await change({ expire_days: null })).toEqual([null, null])
  expect(await change({ expire: first[1], expire_days: 2 })).toEqual(first)
  expect(await change({ expire_days: 30 })).toEqual([30, '2026-12-21T06:00:00+00:00'])
  expect(await change({ expire: '2026-11-23T07:00:00+01:00' })).toEqual([30, first[1]])
  expect(await change({ expire: null })).toEqual([null, null])
  expect(await change({ expire: first[1] })).toEqual([null, first[1]])
  // As it was read.
  expect(await change({ expire: first[1], expire_days: null })).toEqual([null, first[1]])
  expect(await change({ expire: '2020-01-01T00:00:00Z' })).toEqual([null, '2020-01-01T00:00:00+00:00'])
  const detail =
    'A date and time such as "2027-01-31T09:30:00" (UTC) or "2027-01-31T10:30:00+01:00" is expected here.'
  expect(await change({ expire: 'soon' })).toEqual([422, [{ pointer: '/expire', detail }]])
  expect(await change({ expire: null, expire_days: 2 })).toEqual([
    422,
    [
      {
        pointer: '/expire_days',
        detail: 'With "expire": null the account does not expire: leave "expire_days" out.',
      },
    ],
  ])
})

test('an account that expired when its end was changed is refused at once, and again let in', async () => {
  const client = await startClient()
  const { token, readerToken } = await withReader(client)
  const read = async () => (await client.call('GET', '/apis/ports', { token: readerToken })).status
  const change = (body: object) => client.call('PATCH', '/manage/accounts/ada', { token, body })
  expect(await read()).toBe(200)
  await change({ expire: '2020-01-01T00:00:00Z' })
  expect(await read()).toBe(401)
  await change({ expire: null })
  expect(await read()).toBe(200)
})

test('health is open and says only yes or no', async () => {
  let isReady = true
  const { call } = await startClient(async () => isReady)
  expect(gist(await call('GET', '/healthz'))).toEqual({ status: 200, body: { status: 'ok' } })
  expect(gist(await call('GET', '/readyz'))).toEqual({ status: 200, body: { status: 'ok' } })
  isReady = false
  expect(gist(await call('GET', '/readyz'))).toEqual(problem(503, 'NOT_READY', 'The service is not ready.'))
})
