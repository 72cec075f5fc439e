/** A process that is asked to end loses no request. */
import { execFileSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startBusyClient } from '../support/busy-client.ts'
import { products } from '../support/products.ts'
import { startPublisher } from '../support/published-upstream.ts'
import { startGatewayProgram, startProgram } from '../support/start-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startHttp } from '../support/upstream-servers.ts'

/** Long enough for a busy machine. */
const waitLimits = { timeout: 60_000, interval: 20 }
/** Then connections are closed after two idle seconds: on a busy machine clients take a while to send their next request. */
const drainDelay = ['--drain_delay', '2s']

async function startUp(...flags: readonly string[]) {
  const folder = await temporaryFolder()
  const program = await startProgram(folder.path, ...flags)
  onTestFinished(async () => {
    await program.stop('SIGKILL')
    await folder.remove()
  })
  return program
}

function silentConnection(url: string, bytes = ''): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => socket.destroy())
  return new Promise((resolve) => {
    socket.once('connect', () => socket.write(bytes, () => resolve(socket)))
  })
}

test('gateway and web front answer 50 busy connections each to the last request, and end', async () => {
  const { url, frontUrl, stop } = await startUp(...drainDelay)
  // None of these keeps it from ending.
  for (const address of [url, frontUrl]) {
    await silentConnection(address)
    await silentConnection(address, 'GET /healthz HTTP/1.1\r\nHost: a\r\n')
    await silentConnection(address, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
  }
  const clients = [
    ...Array.from({ length: 50 }, (_, number) =>
      number % 2 === 0
        ? startBusyClient(`${url}/healthz`)
        : startBusyClient(`${url}/whoami`, { 'x-xaas-auth-token': 'none' }, 401),
    ),
    ...Array.from({ length: 50 }, (_, number) =>
      // Half of them go on from the web front to the gateway.
      startBusyClient(
        `${frontUrl}${number % 2 === 0 ? '/console/' : '/backend/whoami'}`,
        {},
        number % 2 === 0 ? 200 : 401,
      ),
    ),
  ]
  await vi.waitFor(() => expect(clients.every(({ answers }) => answers() > 3)).toBe(true), waitLimits)
  expect(await stop('SIGTERM')).toBe(0)
  expect((await Promise.all(clients.map(({ done }) => done))).flat()).toEqual([])
})

test('with a drain_delay it is not ready at once, and serves until a second signal ends it', async () => {
  const { url, frontUrl, pid, stop } = await startUp('--drain_delay', '10m')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  process.kill(pid, 'SIGTERM')
  for (const address of [url, frontUrl]) {
    await vi.waitFor(async () => expect((await fetch(`${address}/readyz`)).status).toBe(503), waitLimits)
  }
  for (const path of ['/healthz', '/docs', '/whoami']) {
    expect((await fetch(url + path)).headers.get('connection')).toBe('keep-alive')
  }
  expect((await fetch(frontUrl)).status).toBe(200)
  expect(await stop('SIGTERM')).toBe(1)
})

test('SIGINT does not wait for the drain_delay', async () => {
  const { stop, url } = await startUp('--drain_delay', '10m')
  await fetch(`${url}/healthz`)
  expect(await stop('SIGINT')).toBe(0)
})

for (const product of products.filter(({ name }) => name === 'PostgreSQL')) {
  test('several processes of one gateway lose nothing, also when each of them gets the signal', async () => {
    const database = await product.createDatabase()
    const program = await startGatewayProgram(database.options, {}, '--workers', '2', ...drainDelay)
    onTestFinished(async () => {
      await program.stop('SIGKILL')
      await database.remove()
    })
    const clients = Array.from({ length: 20 }, () => startBusyClient(`${program.url}/healthz`))
    await vi.waitFor(() => expect(clients.every(({ answers }) => answers() > 3)).toBe(true), waitLimits)
    const workers = execFileSync('ps', ['-o', 'pid=', '--ppid', String(program.pid)])
      .toString()
      .trim()
    for (const worker of workers.split(/\s+/)) process.kill(Number(worker), 'SIGTERM')
    expect(await program.stop('SIGTERM')).toBe(0)
    expect((await Promise.all(clients.map(({ done }) => done))).flat()).toEqual([])
  })
}

test('requests that are running are finished, and streams without an end are ended', async () => {
  const asked = Promise.withResolvers<() => void>()
  const upstream = await startHttp((request, response) => {
    if (request.url === '/shop/slow') asked.resolve(() => response.end('done'))
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
  })
  const publisher = await startPublisher()
  await publisher.publish('shop', { target: upstream.url, scope: 'public' })
  const { url, gateway } = publisher
  const slow = fetch(`${url}/shop/slow`)
  const stream = await fetch(`${url}/shop/events`)
  const streamEnded = stream.text().catch(() => 'broken off')
  const finish = await asked.promise
  const until = Promise.withResolvers<void>()
  const drained = gateway.drain(until.promise)
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/healthz`)).headers.get('connection')).toBe('keep-alive')
  until.resolve()
  expect(await streamEnded).toBe('broken off')
  finish()
  const answer = await slow
  expect([answer.status, answer.headers.get('connection'), await answer.text()]).toEqual([
    200,
    'close',
    'done',
  ])
  await drained
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})
