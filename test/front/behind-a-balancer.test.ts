/** Two web fronts as processes of their own, with one Redis, behind nginx. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applicationFolder } from '../support/application-folder.ts'
import { type FaultyProvider, faultyClient, startFaultyProvider } from '../support/faulty-provider.ts'
import { freePort } from '../support/free-port.ts'
import { hasNginx, type RunningNginx, startNginx } from '../support/nginx.ts'
import { redisUrl } from '../support/redis-server.ts'
import { type StartedFront, startFrontProgram } from '../support/start-program.ts'
import { TestBrowser } from '../support/test-browser.ts'

describe.runIf(hasNginx && redisUrl !== undefined)('two web fronts behind nginx', () => {
  let provider: FaultyProvider
  let backend: Server
  let balancer: RunningNginx
  let folder: Awaited<ReturnType<typeof applicationFolder>>
  const nodes: StartedFront[] = []
  /** The token that came with each call of the backend. */
  const tokens: unknown[] = []
  let url = ''

  beforeAll(async () => {
    provider = await startFaultyProvider()
    folder = await applicationFolder()
    backend = createServer(({ headers }, response) => {
      tokens.push(headers['x-xaas-auth-token'])
      response.end('{}')
    })
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
    const address = backend.address()
    const target = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const port = await freePort()
    url = `http://localhost:${port}`
    const config = {
      issuer: provider.issuer,
      clientId: faultyClient.id,
      clientSecret: faultyClient.secret,
    }
    const front = {
      port: 0,
      base_url: url,
      trusted_proxies: '127.0.0.1',
      content: { root: folder.root },
      backend: { target, proxypath: '/backend' },
      session: { store: 'redis', url: redisUrl, prefix: `test-${randomUUID()}:` },
      authentication: {
        name: 'staff',
        strategy: 'openid',
        generator: 'refresh_token',
        transparentTokens: true,
        config,
      },
    }
    const file = join(folder.path, 'gatehouse.yaml')
    nodes.push(await startFrontProgram(file, { front }), await startFrontProgram(file, { front }))
    const servers = nodes.map((node) => `http://${node.address}`)
    balancer = await startNginx(servers, port)
  })
  afterAll(async () => {
    await balancer?.stop()
    for (const node of nodes) await node.stop('SIGKILL')
    backend?.close()
    backend?.closeAllConnections()
    await provider?.close()
    await folder?.remove()
  })

  async function logIn(): Promise<TestBrowser> {
    const browser = new TestBrowser(url)
    expect((await browser.follow('/auth/staff')).status).toBe(200)
    return browser
  }

  const grants = () =>
    provider.requests.filter(({ body }) => body.includes('grant_type=refresh_token')).length
  const atOnce = <Value>(count: number, work: () => Promise<Value>) =>
    Promise.all(Array.from({ length: count }, work))

  test('50 calls at the same time with a token that has ended renew it once', async () => {
    provider.fault = { expiresIn: 1 }
    const browser = await logIn()
    const end = Date.now() + 1000
    await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(end)
    provider.fault = { slowMs: 500 }
    tokens.length = 0
    const before = grants()
    const answers = await atOnce(50, () => browser.get('/backend/x'))
    provider.fault = {}
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(grants() - before).toBe(1)
    expect([tokens.length, new Set(tokens).size]).toEqual([50, 1])
    expect(String(tokens[0])).toMatch(/^access-/)
  })

  test('O2 any node serves any session, and a log-out holds at all', async () => {
    const [browser, other] = [await logIn(), await logIn()]
    const ids = (await atOnce(8, () => browser.get('/session'))).map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(1)
    const both = [ids[0], (await other.get('/session')).body.id].sort()
    const listed = (await other.get('/session?entirety=true')).body.sessions
    expect(listed).toEqual(expect.arrayContaining(both))
    const cookie = browser.cookies.get('gatehouse') ?? ''
    expect((await browser.request('/logout', { method: 'POST' })).status).toBe(204)
    browser.cookies.set('gatehouse', cookie)
    const after = await atOnce(8, () => browser.get('/session'))
    expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 401))
    expect((await other.get('/session')).status).toBe(200)
  })

  test('O1 a node that goes takes no session with it', async () => {
    const browser = await logIn()
    const { id } = (await browser.get('/session')).body
    await nodes[0]?.stop('SIGTERM')
    const answers = await atOnce(8, () => browser.get('/session'))
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(
      Array.from({ length: 8 }, () => [200, id]),
    )
  })
})
