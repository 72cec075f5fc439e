import { createClient } from '@redis/client'

/** The Redis server of the tests; undefined when none answers. */
export const redisUrl = await findServer()

async function findServer(): Promise<string | undefined> {
  const url = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
  const client = createClient({ url, socket: { connectTimeout: 1000, reconnectStrategy: false } })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.close()
    return url
  } catch (error) {
    const line = `No Redis server answers at ${url}: what needs one is not tested.`
    if (process.env.CI === 'true') throw new Error(line, { cause: error })
    console.warn(line)
    return undefined
  }
}
