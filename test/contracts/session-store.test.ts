import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MemorySessionStore } from '../../src/web-front/session/memory-session-store.ts'
import { RedisSessionStore } from '../../src/web-front/session/redis-session-store.ts'
import type { ListedSession, SessionStore, StoredRecord } from '../../src/web-front/session/session-store.ts'
import { SqliteSessionStore } from '../../src/web-front/session/sqlite-session-store.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { redisUrl } from '../support/redis-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface OpenedStore {
  readonly store: SessionStore
  close(): Promise<void>
}

const now = () => new Date()

const stores: Readonly<Record<string, () => Promise<OpenedStore>>> = {
  async memory() {
    const store = new MemorySessionStore({ now, looseLimit: 3 })
    return { store, close: () => store.close() }
  },
  async sqlite() {
    const folder = await temporaryFolder()
    const store = new SqliteSessionStore(join(folder.path, 'sessions.sqlite'), now)
    return {
      store,
      async close() {
        await store.close()
        await folder.remove()
      },
    }
  },
  ...(redisUrl === undefined
    ? {}
    : {
        async redis() {
          const store = new RedisSessionStore({
            url: redisUrl ?? '',
            prefix: `test-${randomUUID()}:`,
            now,
            lost: () => {},
          })
          await store.settle(5000)
          return { store, close: () => store.close() }
        },
      }),
}

describe.each(Object.entries(stores))('%s', (_name, open) => {
  let opened: OpenedStore
  let store: SessionStore
  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.close())

  const record = (key: string, parts: Partial<StoredRecord> = {}): StoredRecord => ({
    key,
    content: `content of ${key}`,
    groups: [],
    endsAt: Date.now() + 60_000,
    ...parts,
  })

  test('gives back what was put in, and nothing else', async () => {
    const put = record('a', { content: 'é "quoted" \u2028', groups: ['g', 'h'] })
    await store.create(put)
    expect([await store.load('a'), await store.load('b')]).toEqual([put, undefined])
  })

  test('gives many at once to each who asks for one', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`)
    for (const key of keys) await store.create(record(key, { groups: ['g'] }))
    const asked = [...keys, 'none', ...keys]
    const found = await Promise.all(asked.map((key) => store.load(key)))
    expect(found.map((one) => one?.content)).toEqual(
      asked.map((key) => (key === 'none' ? undefined : `content of ${key}`)),
    )
  })

  test('forgets what has ended', async () => {
    await store.create(record('a', { groups: ['g'], endsAt: Date.now() + 2000 }))
    await store.create(record('b', { groups: ['g'], endsAt: Date.now() - 1 }))
    expect(await store.keysOf('g')).toEqual(['a'])
    await expect.poll(() => store.load('a')).toBe(undefined)
    expect([await store.keysOf('g'), await store.take('a'), await store.load('b')]).toEqual([
      [],
      undefined,
      undefined,
    ])
  })

  test('replaces only what the caller has seen', async () => {
    const first = record('a', { groups: ['g'] })
    const second = record('a', { content: 'second', groups: ['g', 'h'] })
    await store.create(first)
    expect(await store.replace(first, second)).toBe(true)
    expect(await store.replace(first, record('a', { content: 'third' }))).toBe(false)
    expect([await store.load('a'), await store.keysOf('h')]).toEqual([second, ['a']])
  })

  test('does not bring back what was taken', async () => {
    const put = record('a', { groups: ['g'] })
    await store.create(put)
    expect(await store.take('a')).toEqual(put)
    expect(await store.replace(put, record('a', { content: 'late' }))).toBe(false)
    expect([await store.load('a'), await store.keysOf('g')]).toEqual([undefined, []])
  })

  test('gives a record to one of those who take it', async () => {
    await store.create(record('a'))
    const taken = await Promise.all(Array.from({ length: 8 }, () => store.take('a')))
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('lets one of those who replace at once win', async () => {
    const put = record('a')
    await store.create(put)
    const replaced = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.replace(put, record('a', { content: `next ${index}` }))),
    )
    expect(replaced.filter((isReplaced) => isReplaced)).toHaveLength(1)
  })

  test('finds the records of a group', async () => {
    await store.create(record('a', { groups: ['ada', 'x'] }))
    await store.create(record('b', { groups: ['ada'] }))
    await store.create(record('c', { groups: ['bob'] }))
    expect([await store.keysOf('ada'), await store.keysOf('x'), await store.keysOf('nobody')]).toEqual([
      ['a', 'b'],
      ['a'],
      [],
    ])
  })

  test('lists a group by the end of its records, page by page, with what it may read of each', async () => {
    const start = Date.now() + 60_000
    const summary = (account: string) => ({ provider: 'p', account, createdAt: 1, seenAt: 2 })
    const ends = { a: 3, b: 1, c: 1, d: 2 }
    for (const [key, after] of Object.entries(ends)) {
      await store.create(record(key, { groups: ['g'], endsAt: start + after }), summary(key))
    }
    await store.create(record('plain', { groups: ['g'], endsAt: start + 4 }))
    await store.create(record('other', { groups: ['h'], endsAt: start }), summary('other'))
    const listed = (key: string, after: number) => ({ key, endsAt: start + after, summary: summary(key) })
    const all = [
      listed('b', 1),
      listed('c', 1),
      listed('d', 2),
      listed('a', 3),
      { key: 'plain', endsAt: start + 4 },
    ]
    expect(await store.list('g', { limit: 10 })).toEqual(all)
    for (const limit of [1, 2, 3]) {
      const pages: ListedSession[] = []
      for (;;) {
        const last = pages.at(-1)
        const page = await store.list('g', { limit, ...(last && { after: last }) })
        pages.push(...page)
        if (page.length < limit) break
      }
      expect(pages).toEqual(all)
    }
    expect(await store.list('none', { limit: 10 })).toEqual([])

    const seen = record('a', { groups: ['g'], endsAt: start + 3 })
    const next = record('a', { groups: ['g'], endsAt: start + 9 })
    expect(await store.replace(seen, next, { ...summary('a'), seenAt: 7 })).toBe(true)
    await store.take('b')
    await store.take('d')
    expect(await store.list('g', { limit: 10 })).toEqual([
      listed('c', 1),
      { key: 'plain', endsAt: start + 4 },
      { key: 'a', endsAt: start + 9, summary: { ...summary('a'), seenAt: 7 } },
    ])
    expect([await store.summaryOf('a'), await store.summaryOf('b'), await store.summaryOf('plain')]).toEqual([
      { ...summary('a'), seenAt: 7 },
      undefined,
      undefined,
    ])
  })

  test('lets one claim a name at a time', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, () => store.lock('a', 60_000)))
    const [release] = claims.filter((claim) => claim !== undefined)
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1)
    expect(await store.lock('b', 60_000)).toBeTypeOf('function')
    await release?.()
    expect(await store.lock('a', 60_000)).toBeTypeOf('function')
  })

  test('gives a name to the next when its time is over, and the late release harms nobody', async () => {
    const first = await store.lock('a', 100)
    let second: Awaited<ReturnType<SessionStore['lock']>>
    await expect.poll(async () => (second ??= await store.lock('a', 60_000))).toBeTypeOf('function')
    await first?.()
    expect(await store.lock('a', 60_000)).toBe(undefined)
  })

  test('says that it can be used', async () => {
    await expect(store.check()).resolves.toBe(undefined)
  })
})

test('memory: records that anybody can make are bounded, and those of accounts do not make room', async () => {
  const store = new MemorySessionStore({ now, looseLimit: 2 })
  const endsAt = Date.now() + 60_000
  await store.create({ key: 'login', content: '', groups: ['ada'], endsAt })
  for (const key of ['a', 'b', 'c', 'd']) await store.create({ key, content: '', groups: [], endsAt })
  const there = await Promise.all(['login', 'a', 'b', 'c', 'd'].map((key) => store.load(key)))
  expect(there.map((found) => found?.key)).toEqual(['login', undefined, undefined, 'c', 'd'])
})

test('sqlite: two processes share a file', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'sessions.sqlite')
  const [one, other] = [new SqliteSessionStore(file, now), new SqliteSessionStore(file, now)]
  await one.create({ key: 'a', content: 'x', groups: ['g'], endsAt: Date.now() + 60_000 })
  expect([(await other.load('a'))?.content, await other.keysOf('g')]).toEqual(['x', ['a']])
  await one.close()
  await other.close()
  await folder.remove()
})

describe.runIf(redisUrl !== undefined)('redis: a server that is away', () => {
  test.each([0, 20])(
    'R18: one that stops in the handshake after %i bytes is found again when it is well',
    async (muteAfter) => {
      const { hostname, port } = new URL(redisUrl ?? '')
      const proxy = await startFaultProxy(hostname, Number(port || 6379))
      proxy.setMode('refuse')
      const store = new RedisSessionStore({
        url: `redis://127.0.0.1:${proxy.port}`,
        prefix: `test-${randomUUID()}:`,
        now,
        lost: () => undefined,
      })
      await expect(store.load('a')).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' })
      proxy.setMode(muteAfter === 0 ? 'blackhole' : { muteAfter })
      await expect.poll(() => proxy.taken).toBe(1)
      await expect(store.check()).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' })
      proxy.setMode('pass')
      await expect
        .poll(
          () =>
            store.check().then(
              () => 'well',
              () => 'away',
            ),
          { timeout: 20_000 },
        )
        .toBe('well')
      await store.close()
      await proxy.close()
    },
  )

  test.each(['refuse', 'blackhole'] as const)(
    'that would %s fails closed, and is used again when it is back',
    async (mode) => {
      const { hostname, port } = new URL(redisUrl ?? '')
      const proxy = await startFaultProxy(hostname, Number(port || 6379))
      const lost: unknown[] = []
      const url = `redis://127.0.0.1:${proxy.port}`
      const store = new RedisSessionStore({
        url,
        prefix: `test-${randomUUID()}:`,
        now,
        lost: (error) => lost.push(error),
      })
      await store.settle(5000)
      const put = { key: 'a', content: 'x', groups: [], endsAt: Date.now() + 60_000 }
      await store.create(put)
      proxy.setMode(mode)
      await wait(50)
      const started = Date.now()
      await expect(store.load('a')).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' })
      await expect(store.check()).rejects.toMatchObject({ code: 'SESSIONS_UNAVAILABLE' })
      expect(Date.now() - started).toBeLessThan(10_000)
      proxy.setMode('pass')
      await expect.poll(() => store.load('a').catch(() => undefined)).toEqual(put)
      await store.close()
      await proxy.close()
    },
  )
})
