import { type AgentOptions, createServer, globalAgent } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type FaultMode, type FaultProxy, startFaultProxy } from '../../test/support/fault-proxy.ts'
import { ask } from './outgoing.ts'

const text = 'well '.repeat(100)
const server = createServer((_request, response) => response.end(text))
let proxy: FaultProxy

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await startFaultProxy('127.0.0.1', (server.address() as AddressInfo).port)
})
afterAll(async () => {
  await proxy.close()
  server.close()
})

const asked = (scheme: string, timeoutMs: number) =>
  ask(`${scheme}://127.0.0.1:${proxy.port}/`, {}, { timeoutMs, maxBytes: 1000 }).then(
    ({ bytes }) => new TextDecoder().decode(bytes),
    (error: Error) => error.name,
  )

const modes: readonly (readonly [string, FaultMode])[] = [
  ['from the start', 'blackhole'],
  ['in the head of its answer', { muteAfter: 20 }],
  ['in the body of its answer', { muteAfter: 300 }],
]

test.each(modes)(
  'R18: a service that falls silent %s is given up, and found again at once',
  async (_where, mode) => {
    expect(await asked('http', 60_000)).toBe(text)
    proxy.setMode(mode)
    expect(await asked('http', 300)).toBe('TimeoutError')
    if (mode === 'blackhole') expect(await asked('https', 300)).toBe('TimeoutError')
    proxy.setMode('pass')
    expect(await asked('http', 60_000)).toBe(text)
  },
)

test('the proxy of the environment is used if Node.js is told to use it', async () => {
  const { port } = server.address() as AddressInfo
  const tunnels: (string | undefined)[] = []
  const tunnel = createServer().on('connect', ({ url }, client) => {
    tunnels.push(url)
    const upstream = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    upstream.pipe(client).on('error', () => upstream.destroy())
    client.pipe(upstream).on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    tunnel.close()
  })
  const url = `http://127.0.0.1:${port}/`
  vi.stubEnv('http_proxy', `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`)
  expect((await ask(url, {})).status).toBe(200)
  expect(tunnels).toEqual([])
  // What Node.js does with NODE_USE_ENV_PROXY=1.
  const { options } = globalAgent as unknown as { readonly options: AgentOptions }
  onTestFinished(() => {
    delete options.proxyEnv
  })
  options.proxyEnv = process.env
  expect((await ask(url, {})).status).toBe(200)
  expect(tunnels).toEqual([`127.0.0.1:${port}`])
})
