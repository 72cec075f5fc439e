/** Three gateway processes behind nginx, on one database: what one of them is told holds for all. */
import { type IncomingMessage, request as sendRequest } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { hasNginx, type RunningNginx, startNginx } from '../support/nginx.ts'
import { products, type TestDatabase } from '../support/products.ts'
import { type StartedProgram, startGatewayProgram } from '../support/start-program.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

interface Sent {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
  /** The address that the client comes from; every address of 127.0.0.0/8 is this machine's. */
  readonly from?: string
}

/** Long enough for a busy machine; how fast it is on a free one is measured elsewhere. */
const waitLimits = { timeout: 60_000, interval: 50 }
const admin = { username: 'admin', password: 'only for this test', apiKey: 'k'.repeat(40) }
const credentials = { username: 'robin', password: 'a long pass phrase' }

const shared = hasNginx ? products.filter(({ name }) => name !== 'SQLite') : []

describeOn(shared, (product) => {
  let database: TestDatabase
  let gateways: readonly StartedProgram[]
  let nginx: RunningNginx
  let token: string

  beforeAll(async () => {
    database = await product.createDatabase()
    const environment = { GATEHOUSE_ADMIN_PASSWORD: admin.password, GATEHOUSE_ADMIN_API_KEY: admin.apiKey }
    const start = () =>
      startGatewayProgram(
        database.options,
        environment,
        '--trusted_proxies',
        '127.0.0.1',
        '--log_level',
        'error',
      )
    gateways = await Promise.all([start(), start(), start()])
    nginx = await startNginx(gateways.map(({ url }) => url))
    token = await logon(admin)
  })
  afterAll(async () => {
    await nginx?.stop()
    await Promise.all((gateways ?? []).map((gateway) => gateway.stop('SIGTERM')))
    await database?.remove()
  })

  const call = (method: string, path: string, { body, headers, token, from = '127.0.0.2' }: Sent = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const request = sendRequest(nginx.url + path, {
        method,
        localAddress: from,
        agent: false,
        headers: {
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(token === undefined ? {} : { 'x-xaas-auth-token': token }),
          ...headers,
        },
      })
      request.on('error', reject)
      request.on('response', async (response) => {
        const answer = (await response.toArray()).join('')
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: answer === '' ? {} : JSON.parse(answer) })
      })
      request.end(text)
    })

  const attempt = (account: { username: string; password: string; apiKey: string }, from?: string) =>
    call('POST', '/logon', {
      body: { username: account.username, password: account.password },
      headers: { 'x-xaas-api-key': account.apiKey },
      ...(from === undefined ? {} : { from }),
    })

  const logon = async (account: { username: string; password: string; apiKey: string }) =>
    String((await attempt(account)).body['x-xaas-auth-token'])

  const manage = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, `/manage/${path}`, { token, ...(body === undefined ? {} : { body }) })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }

  /** Waits until each of the gateways answers a request with this status, whichever of them is asked. */
  const everywhere = (status: number, ...request: Parameters<typeof call>) =>
    vi.waitFor(async () => {
      const answers = new Map<unknown, number>()
      while (answers.size < gateways.length) {
        const answer = await call(...request)
        answers.set(answer.headers['x-answered-by'], answer.status)
      }
      expect([...answers.values()]).toEqual(gateways.map(() => status))
    }, waitLimits)

  const reader = (regex: string) => ({ name: 'reader', authorities: [{ regex, methods: ['GET', 'POST'] }] })

  const newReader = async () => {
    await manage('PUT', 'roles/reader', reader('/graphql'))
    const { api_key } = await manage('POST', 'accounts', { ...credentials, role: 'reader' })
    return { ...credentials, apiKey: String(api_key) }
  }

  test('B16 B17 C5 O2 a role, a token, an account and a route change on all', async () => {
    const account = await newReader()
    const asked = { token: await logon(account) }
    await everywhere(200, 'GET', '/graphql', asked)

    await manage('PUT', 'roles/reader', reader('/apis/.*'))
    await everywhere(401, 'GET', '/graphql', asked)
    await manage('PUT', 'roles/reader', reader('/graphql'))
    await everywhere(200, 'GET', '/graphql', asked)

    expect((await call('POST', '/logoff', asked)).status).toBe(204)
    await everywhere(401, 'GET', '/whoami', asked)

    const again = { token: await logon(account) }
    await everywhere(200, 'GET', '/graphql', again)
    await manage('DELETE', 'tokens?account=robin')
    await everywhere(401, 'GET', '/graphql', again)

    const last = { token: await logon(account) }
    await everywhere(200, 'GET', '/graphql', last)
    await manage('DELETE', 'accounts/robin')
    await everywhere(401, 'GET', '/graphql', last)
    expect((await attempt(account)).status).toBe(401)

    await everywhere(401, 'GET', '/graphql')
    await manage('PUT', 'routes/open', { path: '/graphql', methods: ['GET'], scope: 'public' })
    await everywhere(200, 'GET', '/graphql')
    await manage('DELETE', 'routes/open')
    await everywhere(401, 'GET', '/graphql')
  })

  test('B4 B6 wrong logons are counted together, for each address by itself', async () => {
    const account = await newReader()
    const [attacker, owner] = ['127.0.0.66', '127.0.0.77']
    const answers = []
    for (let number = 0; number < 12; number += 1) {
      answers.push(await attempt({ ...account, password: 'a wrong pass phrase' }, attacker))
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429])
    expect(new Set(answers.map(({ headers }) => headers['x-answered-by'])).size).toBe(gateways.length)
    expect((await attempt(account, attacker)).status).toBe(429)
    expect((await attempt(account, owner)).status).toBe(200)
    // What a client says of itself is not believed.
    const lie = await call('POST', '/logon', {
      body: credentials,
      headers: { 'x-xaas-api-key': account.apiKey, 'x-forwarded-for': owner },
      from: attacker,
    })
    expect(lie.status).toBe(429)
  })

  test('B5 50 wrong logons at once are as many as 50 one after the other', async () => {
    const stranger = { username: 'nobody', password: 'a wrong pass phrase', apiKey: admin.apiKey }
    const answers = await Promise.all(Array.from({ length: 50 }, () => attempt(stranger, '127.0.0.88')))
    const refused = answers.filter(({ status }) => status === 401).length
    const locked = answers.filter(({ status }) => status === 429).length
    // Each of the three gateways lets ten be under way. What those after the tenth show is worth nothing, right or wrong.
    expect([refused + locked, refused >= 10, refused <= 30]).toEqual([50, true, true])
    expect((await attempt(stranger, '127.0.0.88')).status).toBe(429)
  })
})
