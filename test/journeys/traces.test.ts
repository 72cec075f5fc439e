/** W3C Trace Context passes through, and the log says to which trace a request belongs. */
import { expect, onTestFinished, test } from 'vitest'
import { parseTarget } from '../../src/proxy/target.ts'
import { startPublisher } from '../support/published-upstream.ts'
import { startTestFront } from '../support/test-front.ts'
import { startEcho } from '../support/upstream-servers.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'vendor=1' }
const timeouts = { connect: 5000, response: 5000, idle: 5000 }

test('from web front to gateway to upstream', async () => {
  const upstream = await startEcho()
  const publisher = await startPublisher()
  await publisher.publish('shop', { target: upstream.url, scope: 'public' })
  const target = parseTarget(publisher.url)
  if ('mistake' in target) throw new Error(target.mistake)
  const front = await startTestFront({
    backend: { target, proxyPath: '/backend', tokenHeader: 'X-Xaas-Auth-Token', timeouts },
  })
  onTestFinished(() => front.close())

  const answer = await fetch(`${front.url}/backend/shop/x`, { headers })
  const { headers: received } = (await answer.json()) as { headers: readonly [string, string][] }
  expect(received.filter(([name]) => /^trace/i.test(name))).toEqual(Object.entries(headers))
  await fetch(`${front.url}/backend/nowhere`, { headers })
  await fetch(`${front.url}/backend/shop/x`, { headers: { traceparent: 'no trace' } })

  for (const { events } of [front, publisher]) {
    const handled = events.filter((event) => event.kind === 'RequestHandled').slice(-3)
    expect(handled.map((event) => event.traceId)).toEqual([traceId, traceId, undefined])
  }
})
