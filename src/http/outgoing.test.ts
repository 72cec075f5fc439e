import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
