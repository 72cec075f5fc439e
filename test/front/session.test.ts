import { randomUUID } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SessionStoreOptions } from '../../src/web-front/session/open-session-store.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { redisUrl } from '../support/redis-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestBrowser } from '../support/test-browser.ts'
import { startTestFront, type TestFront } from '../support/test-front.ts'

const folder = await temporaryFolder()
afterAll(() => folder.remove())

const stores: readonly (readonly [string, SessionStoreOptions])[] = [
  ['memory', { product: 'memory' }],
  ['sqlite', { product: 'sqlite', file: join(folder.path, 'sessions.sqlite') }],
  ...(redisUrl === undefined
    ? []
    : [['redis', { product: 'redis', url: redisUrl, prefix: `test-${randomUUID()}:` }] as const]),
]

describe.each(stores)('sessions in %s', (_name, store) => {
  let running: TestFront
  beforeAll(async () => {
    running = await startTestFront({
      session: { store },
      content: { patterns: ['/', '/tenants/:tenant'] },
      surroundings: { backend: 'https://api.example.org', configs: { theme: 'dark' } },
    })
  })
  afterAll(() => running.close())

  const empty = { backend: 'https://api.example.org', configs: { theme: 'dark' }, query: {}, params: {} }

  test('without a way to log in every browser has one, without a log-in', async () => {
    const browser = new TestBrowser(running.url)
    const first = await browser.get('/session')
    const again = await browser.get('/session?refresh=true&entirety=true')
    expect([first.status, first.body]).toEqual([200, { id: expect.stringMatching(/^[\w-]{43}$/), ...empty }])
    expect(again.body).toEqual(first.body)
    expect(first.headers.get('set-cookie')).toMatch(/^gatehouse=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect((await new TestBrowser(running.url).get('/session')).body.id).not.toBe(first.body.id)
  })

  test('remember the page that was rendered last', async () => {
    const browser = new TestBrowser(running.url)
    await browser.get('/tenants/acme%20ltd?tab=ports&tag=a&tag=b&x=</script>')
    const shown = await browser.get('/session')
    expect([shown.body.query, shown.body.params]).toEqual([
      { tab: 'ports', tag: ['a', 'b'], x: '</script>' },
      { tenant: 'acme ltd' },
    ])
    await browser.get('/')
    expect((await browser.get('/session')).body).toEqual({ id: shown.body.id, ...empty })
  })

  test('are not begun by a cookie that somebody made up, nor opened by an id', async () => {
    const browser = new TestBrowser(running.url)
    const { id } = (await browser.get('/session')).body
    for (const value of ['x'.repeat(43), id, '', '../..', 'a'.repeat(4000)]) {
      const other = new TestBrowser(running.url)
      other.cookies.set('gatehouse', value)
      const answer = await other.get('/session')
      expect(answer.body.id).not.toBe(id)
      expect(other.cookies.get('gatehouse')).not.toBe(value)
    }
  })

  test.each(['POST', 'GET'])(
    'end with %s /logout and /signout, for every holder of the cookie',
    async (method) => {
      for (const path of ['/logout', '/signout']) {
        const browser = new TestBrowser(running.url)
        const { id } = (await browser.get('/session')).body
        const thief = new TestBrowser(running.url)
        thief.cookies.set('gatehouse', browser.cookies.get('gatehouse') ?? '')
        expect((await thief.get('/session')).body.id).toBe(id)
        const answer = await browser.request(path, { method })
        expect([answer.status, answer.location]).toEqual(method === 'POST' ? [204, ''] : [303, '/'])
        expect(answer.headers.get('clear-site-data')).toBe('"cache"')
        expect(browser.cookies.get('gatehouse')).toBe(undefined)
        expect((await thief.get('/session')).body.id).not.toBe(id)
      }
    },
  )

  test.each([
    ['POST', { 'sec-fetch-site': 'cross-site' }, 403],
    ['POST', { 'sec-fetch-site': 'same-site' }, 403],
    ['POST', { origin: 'https://evil.example' }, 403],
    ['POST', { origin: 'null' }, 403],
    ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 200],
    ['GET', { referer: 'https://evil.example/x' }, 200],
  ])('do not end by %s from another site: %o', async (method, headers, status) => {
    const browser = new TestBrowser(running.url)
    const { id } = (await browser.get('/session')).body
    const answer = await browser.request('/logout', { method, headers })
    expect(answer.status).toBe(status)
    if (method === 'GET') expect(answer.text).toContain('<a class="button" href="/logout">Log out</a>')
    expect((await browser.get('/session')).body.id).toBe(id)
  })

  test('are not shown to a page of another site', async () => {
    const answer = await new TestBrowser(running.url).get('/session', { 'sec-fetch-site': 'same-site' })
    expect([answer.status, answer.body.code]).toEqual([403, 'CROSS_SITE_REFUSED'])
  })
})

test.runIf(redisUrl !== undefined)('every node knows every session, and that it has ended', async () => {
  const store = { product: 'redis', url: redisUrl ?? '', prefix: `test-${randomUUID()}:` } as const
  const nodes = [await startTestFront({ session: { store } }), await startTestFront({ session: { store } })]
  const [one, other] = nodes.map(({ url }) => new TestBrowser(url))
  if (one === undefined || other === undefined) throw new Error('There are two nodes.')
  const { id } = (await one.get('/session')).body
  other.cookies.set('gatehouse', one.cookies.get('gatehouse') ?? '')
  await one.get('/?seen=here')
  const seen = (await other.get('/session')).body
  expect([seen.id, seen.query]).toEqual([id, { seen: 'here' }])
  await one.request('/logout', { method: 'POST' })
  expect((await other.get('/session')).body.id).not.toBe(id)
  for (const node of nodes) await node.close()
})

test.runIf(redisUrl !== undefined)(
  'I3 nothing in Redis is a cookie, or shows what sessions hold',
  async () => {
    const prefix = `test-${randomUUID()}:`
    const store = { product: 'redis', url: redisUrl ?? '', prefix } as const
    const front = await startTestFront({ session: { store } })
    const browser = new TestBrowser(front.url)
    await browser.get('/?who=somebody-special')
    const cookie = browser.cookies.get('gatehouse') ?? ''
    const client = createClient({ url: redisUrl ?? '' })
    await client.connect()
    const keys = await client.keys(`${prefix}*`)
    const dump = JSON.stringify([keys, await Promise.all(keys.map((key) => client.get(key)))])
    await client.close()
    await front.close()
    expect(keys.length).toBeGreaterThan(0)
    expect([cookie.length, dump.includes(cookie), dump.includes('somebody-special')]).toEqual([
      43,
      false,
      false,
    ])
  },
)

test('a store sees neither cookies nor what sessions hold', async () => {
  const file = join(folder.path, 'dump.sqlite')
  const front = await startTestFront({ session: { store: { product: 'sqlite', file } } })
  const browser = new TestBrowser(front.url)
  await browser.get('/?who=somebody-special')
  const cookie = browser.cookies.get('gatehouse') ?? ''
  expect((await browser.get('/session')).body.query).toEqual({ who: 'somebody-special' })
  await front.close()
  const dump = await readFile(file, 'latin1')
  expect(dump.length).toBeGreaterThan(1000)
  expect([dump.includes(cookie), dump.includes('somebody-special')]).toEqual([false, false])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

describe('a session ends', () => {
  let time = 0
  let front: TestFront
  beforeAll(async () => {
    front = await startTestFront({ now: () => new Date(time) })
  })
  afterAll(() => front.close())

  /** The ids that a browser is told when it comes again after so many minutes each time. */
  async function idsAfter(...minutes: readonly number[]): Promise<readonly string[]> {
    time = Date.parse('2026-11-21T06:00:00Z')
    const browser = new TestBrowser(front.url)
    const ids: string[] = []
    for (const pause of [0, ...minutes]) {
      time += pause * 60_000
      ids.push((await browser.get('/session')).body.id)
    }
    return ids
  }

  test('when nobody uses it for half an hour', async () => {
    const ids = await idsAfter(1, 28, 29, 31)
    expect([new Set(ids.slice(0, 4)).size, ids[4] === ids[3]]).toEqual([1, false])
  })

  test('after twelve hours, however much it is used', async () => {
    const ids = await idsAfter(...Array.from({ length: 48 }, () => 15))
    expect([new Set(ids.slice(0, 48)).size, ids[48] === ids[47]]).toEqual([1, false])
  })
})

test('with HTTPS the cookie is kept from every other host', async () => {
  const front = await startTestFront({ baseUrl: 'https://app.example.org', session: { cookieName: 'app' } })
  try {
    const browser = new TestBrowser(front.url)
    const answer = await browser.get('/session')
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-app=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await browser.get('/session')).body.id).toBe(answer.body.id)
  } finally {
    await front.close()
  }
})

describe.runIf(redisUrl !== undefined)('with a store that is away', () => {
  test.each(['refuse', 'blackhole'] as const)(
    'R18: by %s: nobody is let in and nobody is thrown out',
    async (mode) => {
      const { hostname, port } = new URL(redisUrl ?? '')
      const proxy = await startFaultProxy(hostname, Number(port || 6379))
      const store = {
        product: 'redis',
        url: `redis://127.0.0.1:${proxy.port}`,
        prefix: `test-${randomUUID()}:`,
      } as const
      const front = await startTestFront({ session: { store } })
      const browser = new TestBrowser(front.url)
      const { id } = (await browser.get('/session')).body
      proxy.setMode(mode)
      const away = await browser.get('/session')
      expect([away.status, away.body.code, away.headers.get('retry-after')]).toEqual([
        503,
        'SESSIONS_UNAVAILABLE',
        '1',
      ])
      expect((await browser.get('/readyz')).status).toBe(503)
      expect((await browser.get('/?a=b')).status).toBe(200)
      proxy.setMode('pass')
      await expect.poll(async () => (await browser.get('/session')).body.id).toBe(id)
      expect(front.events.filter(({ kind }) => kind === 'SessionStoreLost').length).toBeGreaterThan(0)
      await front.close()
      await proxy.close()
    },
  )
})

test.each(['refresh=maybe', 'entirety=2', 'refresh=true&refresh=true'])('%s is a mistake', async (query) => {
  const front = await startTestFront()
  const answer = await new TestBrowser(front.url).get(`/session?${query}`)
  expect([answer.status, answer.body.code]).toEqual([400, 'PARAMETER_INVALID'])
  await front.close()
})
