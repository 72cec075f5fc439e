import { createClient } from '@redis/client'
import { has } from './machine.ts'

const url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** The Redis server of the tests; undefined when the machine has none. */
export const redisUrl = has('Redis') ? url : undefined

/** Connects to the server and leaves again; rejects with the reason when it does not answer. */
export async function connectToRedis(): Promise<void> {
  const client = createClient({ url, socket: { connectTimeout: 10_000, reconnectStrategy: false } })
  client.on('error', () => {})
  await client.connect()
  await client.close()
}
