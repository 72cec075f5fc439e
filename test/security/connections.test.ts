/** R4, R14: connections are given back, whatever clients do with them; and what is no proper request is refused. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import { whenReachable } from '../../src/gateway/when-reachable.ts'
import { healthRoutes } from '../../src/http/health-routes.ts'
import { addRoutes } from '../../src/http/routes.ts'
import { createHttpServer, type HttpServerOptions } from '../../src/http/server.ts'
import type { Event } from '../../src/observe/events.ts'
import { freePort } from '../support/free-port.ts'
import { halfOpenClient } from '../support/half-open-client.ts'
import { products } from '../support/products.ts'
import { openPublisher } from '../support/published-upstream.ts'
import { rawRequest } from '../support/raw-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startTestFront } from '../support/test-front.ts'
import { startTestGateway } from '../support/test-gateway.ts'

/** Long enough for a busy machine. */
const waitLimits = { timeout: 60_000, interval: 20 }
const timeouts = { head: 1000, body: 1000, answer: 1000, keepAlive: 1000 }
const host = 'Host: localhost\r\n'
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'

interface Started {
  readonly url: string
  close(): Promise<unknown>
}

async function startWaiting(): Promise<Started> {
  const port = await freePort()
  let isWanted = true
  const waiting = whenReachable(
    async () => {
      if (isWanted) throw new DatabaseError('unavailable', 'away')
    },
    { host: '127.0.0.1', port, observe: () => undefined, timeouts },
  )
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(`${url}/healthz`), waitLimits)
  return {
    url,
    close() {
      isWanted = false
      return waiting
    },
  }
}

const [embedded] = products
if (embedded === undefined) throw new Error('There is no product.')

const services: readonly [string, () => Promise<Started>][] = [
  ['gateway', () => startTestGateway(embedded, undefined, { timeouts })],
  ['web front', () => startTestFront({ timeouts })],
  ['gateway that waits for its database', startWaiting],
]

describe.each(services)('%s', (service, start) => {
  let running: Started

  beforeAll(async () => {
    running = await start()
  })
  afterAll(() => running.close())

  describe.concurrent('R4: a client that keeps its half of the connection', () => {
    test.each([
      ['sends nothing', '', 408],
      ['sends a part of a head', `GET /healthz HTTP/1.1\r\n${host}`, 408],
      ['sends what is no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
      ['asks for a tunnel', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`, 400],
      ['asks for a WebSocket where there is none', `GET /a/b HTTP/1.1\r\n${host}${upgrade}\r\n`, undefined],
      ['expects something', `GET / HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`, 417],
    ])('%s', async (_name, bytes, status) => {
      const client = halfOpenClient(running.url, bytes)
      await client.released()
      const [, given] = /^HTTP\/1\.1 (\d+) /.exec(client.text()) ?? []
      if (status === undefined) expect(Number(given)).toBeGreaterThan(399)
      else expect(Number(given)).toBe(status)
      expect(client.text()).toMatch(/^content-type: application\/problem\+json\r$/im)
      expect(client.text()).toMatch(/^x-request-id: [\da-f-]{36}\r$/im)
      expect(client.text()).toMatch(/^connection: close\r$/im)
    })

    test('sends head after head and never all of one', async () => {
      const client = halfOpenClient(running.url, `GET /healthz HTTP/1.1\r\n${host}`)
      const dripping = setInterval(() => client.socket.write('X: a\r\n'), 20)
      await client.ended
      clearInterval(dripping)
      expect(client.text()).toMatch(/^HTTP\/1\.1 408 /)
      await client.released()
    })

    test('sends a part of a body', async () => {
      const head = `POST /logout HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`
      const client = halfOpenClient(
        running.url,
        service === 'gateway' ? head.replace('logout', 'logon') : head,
      )
      await client.released()
      const status = Number(/^HTTP\/1\.1 (\d+) /.exec(client.text())?.[1])
      expect(status).toBe(service.includes('waits') ? 503 : 408)
    })

    test('sends no second request', async () => {
      const client = halfOpenClient(running.url, `GET /healthz HTTP/1.1\r\n${host}\r\n`)
      await client.released()
      expect(client.text()).toMatch(/^HTTP\/1\.1 200 /)
    })
  })

  describe('R14: is refused', () => {
    test.each([
      ['two hosts', `GET /healthz HTTP/1.1\r\n${host}${host}\r\n`],
      ['two different hosts', `GET /healthz HTTP/1.1\r\n${host}X-A: b\r\nhost: other\r\n\r\n`],
      ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
      ['an empty host', 'GET /healthz HTTP/1.1\r\nHost:\r\n\r\n'],
      ['a host with a path', 'GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n'],
      ['a host with a user', 'GET /healthz HTTP/1.1\r\nHost: a@b\r\n\r\n'],
      ['a list of hosts', 'GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n'],
      ['a host with no number for a port', 'GET /healthz HTTP/1.1\r\nHost: a:b\r\n\r\n'],
      ['two hosts of HTTP/1.0', `GET /healthz HTTP/1.0\r\n${host}${host}\r\n`],
      ['HTTP/2.0', `GET /healthz HTTP/2.0\r\n${host}\r\n`],
      ['the first lines of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['HTTP/0.9', `GET /healthz HTTP/0.9\r\n${host}\r\n`],
      ['HTTP/1.2', `GET /healthz HTTP/1.2\r\n${host}\r\n`],
      ['no version', 'GET /healthz\r\n\r\n'],
      ['two hosts for a WebSocket', `GET /healthz HTTP/1.1\r\n${host}${host}${upgrade}\r\n`],
      ['no host for a WebSocket', `GET /healthz HTTP/1.1\r\n${upgrade}\r\n`],
      ['HTTP/2.0 for a WebSocket', `GET /healthz HTTP/2.0\r\n${host}${upgrade}\r\n`],
    ])('%s', async (_name, bytes) => {
      const { status, text } = await rawRequest(running.url, bytes)
      expect(status).toBe(400)
      expect(text).toMatch(/^content-type: application\/problem\+json\r$/im)
      expect(text).toMatch(/^x-request-id: [\da-f-]{36}\r$/im)
      expect(text).toMatch(/^connection: close\r$/im)
      expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
        status: 400,
        code: 'REQUEST_UNREADABLE',
      })
    })

    test.each(['localhost', 'localhost:9000', '127.0.0.1', '[::1]:9000', 'a_b-c.example', 'LOCALHOST.'])(
      'not the host %s',
      async (name) => {
        const { status } = await rawRequest(running.url, `GET /healthz HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
        expect(status).toBe(200)
      },
    )

    test('not HTTP/1.0 without a host', async () => {
      expect((await rawRequest(running.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
    })
  })

  test('a problem says which trace its request belongs to', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    const answer = await fetch(`${running.url}/a/b`, { headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      service === 'gateway' ? 401 : service === 'web front' ? 404 : 503,
      'application/problem+json',
    ])
    expect(await answer.json()).toMatchObject({ traceId })
    const bytes = `GET /../a HTTP/1.1\r\n${host}Traceparent: ${headers.traceparent}\r\n\r\n`
    expect((await rawRequest(running.url, bytes)).text).toContain(`"traceId":"${traceId}"`)
  })
})

describe('R4: a server', () => {
  async function startServer(options: Partial<HttpServerOptions> = {}) {
    const server = createHttpServer({
      bodyLimitBytes: 1_000_000,
      observe: () => undefined,
      timeouts: { answer: 200 },
      ...options,
    })
    addRoutes(server, [
      ...healthRoutes({ isReady: async () => true }),
      { path: '/body', methods: { POST: async ({ body }) => body } },
      { path: '/long', methods: { GET: async () => 'a'.repeat(64_000_000) } },
      { path: '/endless', methods: { GET: async (_request, reply) => reply.send(endless()) } },
      { path: '/quiet', methods: { GET: async (_request, reply) => reply.send(quiet()) } },
    ])
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => server.close())
    return { url, connections: () => promisify(server.server.getConnections.bind(server.server))() }
  }
  const endless = () => Readable.from(forever())
  async function* forever() {
    for (;;) yield Buffer.alloc(65_536)
  }
  /** Says something, and then nothing for longer than clients may take nothing. */
  const quiet = () => Readable.from(pausing())
  async function* pausing() {
    yield 'a'
    await new Promise((resolve) => setTimeout(resolve, 1000))
    yield 'b'
  }

  test.each(['/long', '/endless'])(
    'ends the connection of a client that takes nothing of %s',
    async (path) => {
      const { url, connections } = await startServer()
      const client = halfOpenClient(url, `GET ${path} HTTP/1.1\r\n${host}\r\n`)
      onTestFinished(() => void client.socket.destroy())
      client.socket.pause()
      await vi.waitFor(async () => expect(await connections()).toBe(1), waitLimits)
      await vi.waitFor(async () => expect(await connections()).toBe(0), waitLimits)
    },
  )

  test('does not take a client that leaves amid its body for its own failure', async () => {
    const events: Event[] = []
    const { url, connections } = await startServer({ observe: (event) => events.push(event) })
    const head = `POST /body HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n`
    const client = halfOpenClient(url, `${head}Expect: 100-continue\r\n\r\n`)
    await vi.waitFor(() => expect(client.text()).toMatch(/^HTTP\/1\.1 100 /), waitLimits)
    client.socket.destroy()
    await vi.waitFor(async () => expect(await connections()).toBe(0), waitLimits)
    expect(events.filter(({ kind }) => kind === 'RequestFailed')).toEqual([])
  })

  test('waits for an answer that comes slowly', async () => {
    const { url } = await startServer()
    expect(await (await fetch(`${url}/quiet`)).text()).toBe('ab')
  })

  test('closes idle connections for new ones when there are too many', async () => {
    const { url, connections } = await startServer({ maxConnections: 10 })
    const silent = Array.from({ length: 100 }, () => halfOpenClient(url))
    onTestFinished(() => {
      for (const { socket } of silent) socket.destroy()
    })
    await vi.waitFor(async () => {
      const answer = await fetch(`${url}/nowhere`, { headers: { connection: 'close' } })
      expect(answer.status).toBe(404)
    }, waitLimits)
    expect(await connections()).toBeLessThanOrEqual(42)
  })

  test('says that it has too many connections, and answers open endpoints, when none is idle', async () => {
    const { url } = await startServer({ maxConnections: 10 })
    const head = `POST /body HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n`
    const busy = Array.from({ length: 10 }, () => halfOpenClient(url, `${head}Expect: 100-continue\r\n\r\n`))
    onTestFinished(() => {
      for (const { socket } of busy) socket.destroy()
    })
    // Each of them is asked to send its body.
    await vi.waitFor(() => expect(busy.every(({ text }) => text().includes(' 100 '))).toBe(true), waitLimits)
    const refused = await fetch(`${url}/nowhere`)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ code: 'TOO_BUSY' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })
})

describe.concurrent('R4: a tunnel is closed on both sides, though no one closes the second one, when', () => {
  /** A WebSocket through a gateway to an upstream; neither side ever closes because the other one has. */
  async function startTunnel() {
    const connected = Promise.withResolvers<Socket>()
    const upstream = createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
        connected.resolve(socket)
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo
    const { url, publish, close } = await openPublisher()
    await publish('shop', { target: `http://127.0.0.1:${port}`, scope: 'public' })
    const client = halfOpenClient(url, `GET /shop/x HTTP/1.1\r\n${host}${upgrade}\r\n`)
    client.socket.on('error', () => client.socket.destroy())
    await vi.waitFor(() => expect(client.text()).toMatch(/^HTTP\/1\.1 101 /), waitLimits)
    const upstreamSocket = await connected.promise
    return {
      client,
      upstreamSocket,
      async end() {
        client.socket.destroy()
        upstreamSocket.destroy()
        upstream.close()
        await close()
      },
    }
  }

  /** Writes until no one takes it any more. */
  async function isReleased(socket: Socket) {
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const timer = setInterval(() => socket.write('x'), 20)
    await closed
    clearInterval(timer)
  }

  test('the client has ended', async () => {
    const { client, upstreamSocket, end } = await startTunnel()
    client.socket.end()
    await isReleased(upstreamSocket)
    await client.ended
    await end()
  })

  test('the client has gone', async () => {
    const { client, upstreamSocket, end } = await startTunnel()
    client.socket.resetAndDestroy()
    await isReleased(upstreamSocket)
    await end()
  })

  test('the upstream has ended', async () => {
    const { client, upstreamSocket, end } = await startTunnel()
    upstreamSocket.end()
    await client.released()
    await end()
  })
})

test('R4: with few files for the process, silent connections keep no one from open endpoints', async () => {
  const folder = await temporaryFolder()
  const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))
  const words = ['up', '--data_dir', folder.path, '--gateway_port', '0', '--front_port', '0']
  const child = spawn('sh', ['-c', 'ulimit -n 200 && exec "$@"', 'sh', process.execPath, program, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const sockets: Socket[] = []
  try {
    let report = ''
    for await (const piece of child.stdout) {
      report += piece.toString()
      if (/^Next .*$/m.test(report)) break
    }
    for (const name of ['Gateway', 'Front']) {
      const url = new RegExp(`^${name} +(\\S+)$`, 'm').exec(report)?.[1] ?? ''
      const { hostname, port } = new URL(url)
      for (let number = 0; number < 300; number += 1) {
        const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
        socket.on('error', () => socket.destroy())
        sockets.push(socket)
      }
      await vi.waitFor(async () => {
        const answer = await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
        expect(answer.status).toBe(200)
      }, waitLimits)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await folder.remove()
  }
})
