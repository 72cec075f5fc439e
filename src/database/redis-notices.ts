import { createClient } from '@redis/client'
import type { Database } from './dialect.ts'
import type { Connection, Driver } from './driver.ts'
import type { Listening } from './notices.ts'

const channel = 'gatehouse_change'
const pauses = { first: 50, longest: 2000 }
/** After how long without data, even while connecting, a connection is replaced; a ping is sent before. */
const silence = { pingMs: 1000, mostMs: 3000 }

/**
 * The same database, with notices over a Redis server (https://redis.io/docs/latest/develop/pubsub/), for products
 * without notices. They are sent after the transaction. If Redis is unreachable, notices are lost.
 *
 * @param url `redis://` or `rediss://`, with the password if there is one.
 */
export function withRedisNotices({ dialect, driver }: Database, url: string): Database {
  const marked = new WeakSet<Connection>()
  const publisher = clientOf(url)
  publisher.connect().catch(() => undefined)
  return {
    dialect,
    driver: {
      read: (work, options) => driver.read(work, options),
      stream: (work, options) => driver.stream(work, options),
      transactAtOnce: driver.transactAtOnce,
      tablesChanged: () => driver.tablesChanged?.(),
      usage: () => driver.usage(),
      async transaction(work, options) {
        const { result, isMarked } = await driver.transaction(async (connection) => {
          marked.delete(connection)
          const done = await work(connection)
          return { result: done, isMarked: marked.delete(connection) }
        }, options)
        if (isMarked) publisher.publish(channel, '').catch(() => undefined)
        return result
      },
      async close() {
        publisher.destroy()
        await driver.close()
      },
    } satisfies Driver,
    notices: {
      async send(connection) {
        marked.add(connection)
      },
      listen: (heard) => listen(url, heard),
    },
  }
}

function listen(url: string, heard: () => void): Listening {
  const subscriber = clientOf(url)
  // It resubscribes by itself; messages sent meanwhile are lost.
  subscriber.on('ready', heard)
  const begin = async () => {
    await subscriber.connect()
    await subscriber.subscribe(channel, heard)
    heard()
  }
  begin().catch(() => undefined)
  return { stop: async () => subscriber.destroy() }
}

/** Connects once, and asks whether the server responds. Throws the client's errors. */
export async function askRedis(url: string): Promise<void> {
  const client = createClient({ url, socket: { connectTimeout: 2000, reconnectStrategy: false } })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.ping()
  } finally {
    if (client.isOpen) client.destroy()
  }
}

/** A client that reconnects whenever the connection is lost, and queues nothing. */
function clientOf(url: string) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: silence.pingMs,
    socket: {
      connectTimeout: 2000,
      socketTimeout: silence.mostMs,
      reconnectStrategy: (tries) => Math.min(pauses.first * 2 ** tries, pauses.longest),
    },
  })
  client.on('error', () => undefined)
  return client
}
