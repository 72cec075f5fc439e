/** A gateway with `notices_url` tells the others of what was changed by the Redis server. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { products } from '../support/products.ts'
import { redisUrl } from '../support/redis-server.ts'
import { startTestGateway } from '../support/test-gateway.ts'

/** A way to the Redis server on which is counted what is published. */
async function countedRedis(): Promise<{ readonly url: string; published(): number }> {
  const server = new URL(redisUrl ?? '')
  let published = 0
  const way = createServer((near) => {
    const far = connect(Number(server.port), server.hostname)
    near.on('data', (data) => {
      if (data.includes('PUBLISH')) published += 1
    })
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  onTestFinished(() => {
    way.close()
  })
  return { url: `redis://127.0.0.1:${(way.address() as AddressInfo).port}`, published: () => published }
}

describe.skipIf(redisUrl === undefined).each(products)('$name', (product) => {
  test('each change of a role is published', async () => {
    const redis = await countedRedis()
    const gateway = await startTestGateway({
      async createDatabase(settings) {
        const { options, ...rest } = await product.createDatabase(settings)
        return { ...rest, options: { ...options, noticesUrl: redis.url } }
      },
    })
    onTestFinished(() => gateway.close())
    // Nothing is kept for later while there is no connection.
    await vi.waitFor(
      async () => {
        const before = redis.published()
        await gateway.request('PUT', '/manage/roles/first', { body: { authorities: [] } })
        await vi.waitFor(() => expect(redis.published()).toBeGreaterThan(before), { timeout: 2000 })
      },
      { timeout: 30_000 },
    )
    for (const name of ['second', 'third']) {
      const before = redis.published()
      const made = await gateway.request('POST', '/manage/roles', { body: { name, authorities: [] } })
      expect(made.status).toBe(201)
      await vi.waitFor(() => expect(redis.published()).toBeGreaterThan(before), { timeout: 30_000 })
    }
  })
})
