import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/dialect.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { createIdempotency } from '../../src/rest/idempotency.ts'
import { readIdempotencyKey } from '../../src/rest/idempotency-key.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { products } from '../support/products.ts'
import { withEntities } from '../support/published-entities.ts'
import { definition, field } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const order = definition('Order', {
  local: [
    field('item', 'string', { field_nullable: false }),
    field('number', 'integer', { field_unique: true }),
  ],
})

describe.each(products)('$name', (product) => {
  let nodes: TwoGateways
  let database: Database
  let store: Store

  beforeAll(async () => {
    nodes = await startTwoGateways(product, withEntities(order))
    database = await openDatabase(nodes.options)
    store = await openStore(database)
  })
  afterAll(async () => {
    await database.driver.close()
    await nodes.close()
  })

  const post = async (
    key: string,
    body: unknown,
    url = nodes.first.url,
    token: string | null = nodes.first.token,
  ) => {
    const response = await fetch(`${url}/apis/orders`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(token !== null && { 'x-xaas-auth-token': token }),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
  }
  const ordered = async (item: string): Promise<Json[]> =>
    (await nodes.first.request('GET', `/apis/orders?item=${item}`)).body as Json[]

  test('a response is not shown again after the rights of its account have changed', async () => {
    const may = (...read: readonly string[]) => [
      { regex: '/apis/orders(/.*)?', methods: ['GET', 'POST'], fields: { read, write: ['item', 'number'] } },
    ]
    const all = may('id', 'item', 'number')
    const token = await logonAs(nodes.first, await createAccount(nodes.first, 'clerk', all))
    const again = () => post('rights', { item: 'seen', number: 77 }, nodes.first.url, token)
    const setRole = (authorities: readonly object[]) =>
      nodes.first.request('PUT', '/manage/roles/of-clerk', { body: { authorities } })
    const created = await again()
    expect([created.status, created.body.number]).toEqual([201, 77])
    await setRole(may('id'))
    const refused = await again()
    expect([refused.status, refused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(refused.body.detail).toContain('was carried out before')
    await setRole(all)
    const shown = await again()
    expect([shown.status, shown.body, shown.headers.get('idempotent-replayed')]).toEqual([
      201,
      created.body,
      'true',
    ])
    expect(await ordered('seen')).toHaveLength(1)
  })

  test('twenty same calls at once at two nodes create one record', async () => {
    const urls = Array.from({ length: 20 }, (_, index) =>
      index % 2 ? nodes.first.url : nodes.second.address,
    )
    const answers = await Promise.all(urls.map((url) => post('at-once', { item: 'once' }, url)))
    const records = await ordered('once')
    expect(records).toHaveLength(1)
    const created = answers.filter(({ status }) => status === 201)
    expect(created.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1)
    for (const { body } of created) expect(body).toEqual(records[0])
    for (const { status, body, headers } of answers) {
      if (status === 201) continue
      expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_PROGRESS'])
      expect(headers.get('retry-after')).toBe('1')
    }
  })

  test('a call that comes again is answered as before, at any node, with or without quotes', async () => {
    const first = await post('again', { item: 'again' })
    const second = await post('"again"', { item: 'again' }, nodes.second.address)
    expect(first.status).toBe(201)
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    for (const name of ['location', 'etag', 'content-type']) {
      expect(second.headers.get(name)).toBe(first.headers.get(name))
    }
    expect(await ordered('again')).toHaveLength(1)
  })

  test('a list is created once, too', async () => {
    const list = [{ item: 'list' }, { item: 'list' }]
    const first = await post('list', list)
    expect((await post('list', list)).body).toEqual(first.body)
    expect(await ordered('list')).toHaveLength(2)
  })

  test('the key of another call is refused', async () => {
    await post('used', { item: 'used' })
    expect(await post('used', { item: 'other' })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    })
    expect(await ordered('other')).toEqual([])
  })

  test('keys of different accounts have nothing to do with each other', async () => {
    const { request } = nodes.first
    await request('POST', '/manage/roles', {
      body: { name: 'orders', authorities: [{ regex: '/apis/.*', methods: ['GET', 'POST'] }] },
    })
    const account = { username: 'robin', password: 'a long pass phrase' }
    const { body } = await request('POST', '/manage/accounts', { body: { ...account, role: 'orders' } })
    const logon = await request('POST', '/logon', {
      body: account,
      headers: { 'x-xaas-api-key': (body as Json).api_key },
    })
    const token = (logon.body as Json)['x-xaas-auth-token']
    await post('shared', { item: 'shared' })
    const other = await post('shared', { item: 'shared' }, nodes.first.url, token)
    expect(other.status).toBe(201)
    expect(other.headers.has('idempotent-replayed')).toBe(false)
    expect(await ordered('shared')).toHaveLength(2)
  })

  test('a call that was refused wrote nothing and frees its key', async () => {
    await post('taken', { item: 'taken', number: 1 })
    expect((await post('free', { item: 'free', number: 1 })).status).toBe(409)
    expect((await post('free', { item: 5 })).status).toBe(422)
    expect((await post('free', { item: 'free', number: 2 })).status).toBe(201)
  })

  test.each(['', 'two words', 'a'.repeat(256), '""'])('the key %j is refused', async (key) => {
    expect(await post(key, { item: 'odd' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^The header Idempotency-Key takes 1 to 255/) },
    })
    expect(await ordered('odd')).toEqual([])
  })

  describe('cut off', () => {
    const callOf = async (key: string, item: string) => {
      const asked = { account: 'admin', rights: '', api: 'POST /apis/orders', document: { item } }
      return (await readIdempotencyKey(key, asked)) ?? { id: '', fingerprint: '', rights: '' }
    }
    /** A node whose clock is wrong by so many minutes, and whose attempt has a name. */
    const nodeAt = (minutes: number, attempt: string) =>
      createIdempotency({
        store,
        now: () => new Date(Date.now() + minutes * 60_000),
        uuid: () => attempt,
      })
    const never = () => new Promise<never>(() => {})

    test('a call that a node has just begun is in progress; after a while another takes it over', async () => {
      const call = await callOf('fresh', 'fresh')
      void nodeAt(0, 'cut-off').once(call, never)
      await expect
        .poll(() => store.read((connection) => store.idempotency.find(connection, call.id)))
        .toBeDefined()
      expect(await post('fresh', { item: 'fresh' })).toMatchObject({ status: 409 })
      const inTwoMinutes = nodeAt(2, 'next')
      const answer = { status: 201, headers: {}, body: '{}' }
      const done = await inTwoMinutes.once(call, async (keep) => {
        await store.transaction((connection) => keep(connection, answer))
        return answer
      })
      expect(done).toEqual(answer)
    })

    test('an attempt that comes to its end after another took over undoes everything', async () => {
      const call = await callOf('late', 'late')
      const answer = { status: 201, headers: {}, body: '{"by":"the second"}' }
      const keepIn = async (keep: (connection: never, answer: never) => Promise<void>) => {
        await store.transaction((connection) => keep(connection as never, answer as never))
        return answer
      }
      const late = nodeAt(-2, 'first').once(call, async (keep) => {
        await nodeAt(0, 'second').once(call, keepIn)
        return database.driver.transaction(async (connection) => {
          await connection.execute({
            sql: `insert into ${database.dialect.syntax.quoteIdentifier('Order')} (instance, id, item) values ('late', 'late', 'late')`,
            parameters: [],
          })
          const own = { status: 201, headers: {}, body: '{"by":"the first"}' }
          await keep(connection, own)
          return own
        })
      })
      await expect(late).rejects.toThrow(AppError)
      expect(await ordered('late')).toEqual([])
      expect(await nodeAt(0, 'third').once(call, never)).toEqual({
        ...answer,
        headers: { 'idempotent-replayed': 'true' },
      })
    })

    test('a key is free again after a day', async () => {
      await post('old', { item: 'old' })
      const work = async () => ({ status: 201, headers: {}, body: '{}' })
      const tomorrow = nodeAt(24 * 60 + 1, 'tomorrow')
      expect(await tomorrow.once(await callOf('old', 'other'), work)).toEqual(await work())
    })

    test('with the store in another database no one guesses whether it was carried out', async () => {
      const separate = { ...store, isSeparate: true }
      const node = (minutes: number) =>
        createIdempotency({
          store: separate,
          now: () => new Date(Date.now() + minutes * 60_000),
          uuid: () => `separate ${minutes}`,
        })
      const call = await callOf('separate', 'separate')
      void node(-2).once(call, never)
      await expect
        .poll(() => store.read((connection) => store.idempotency.find(connection, call.id)))
        .toBeDefined()
      await expect(node(0).once(call, never)).rejects.toThrow(/it is unknown whether it was carried out/)
      const other = await callOf('separate-2', 'separate')
      const answer = { status: 201, headers: {}, body: '{}' }
      expect(await node(0).once(other, async () => answer)).toEqual(answer)
      expect((await node(0).once(other, never)).headers).toEqual({ 'idempotent-replayed': 'true' })
      for (const kind of ['busy', 'denied', 'noConnection', 'readOnly'] as const) {
        const refused = await callOf(`separate-${kind}`, 'separate')
        const refuse = () => Promise.reject(new DatabaseError(kind, 'Not now.'))
        await expect(node(0).once(refused, refuse), kind).rejects.toThrow('Not now.')
        expect(await node(0).once(refused, async () => answer), kind).toEqual(answer)
      }
      const cause = new DatabaseError('unavailable', 'Lost.', { perhapsCommitted: true })
      const perhapsKept = new AppError('RECORD_INVALID', { detail: 'It may have been kept.', cause })
      const unknown = await callOf('separate-unknown', 'separate')
      await expect(node(0).once(unknown, () => Promise.reject(perhapsKept))).rejects.toBe(perhapsKept)
      await expect(node(0).once(unknown, never)).rejects.toThrow('The same call is being carried out.')
    })
  })

  // The last one: other nodes know of the change a moment later.
  test('nor is it after what is public has changed', async () => {
    const open = (read: readonly string[]) =>
      nodes.first.request('PUT', '/manage/routes/orders', {
        body: {
          path: '/apis/orders',
          methods: ['GET', 'POST'],
          scope: 'public',
          fields: { read, write: ['item', 'number'] },
        },
      })
    const again = () => post('public', { item: 'open', number: 78 }, nodes.first.url, null)
    const opened = await nodes.first.request('POST', '/manage/routes', {
      body: { name: 'orders', path: '/apis/orders', methods: ['GET', 'POST'], scope: 'public' },
    })
    expect(opened.status).toBe(201)
    await open(['id', 'number'])
    const created = await again()
    expect([created.status, created.body.number]).toEqual([201, 78])
    const isRefused = async () => {
      const { status, body } = await again()
      expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    }
    await open(['id'])
    await isRefused()
    await open(['id', 'number'])
    expect((await again()).body).toEqual(created.body)
    // A protected route closes what the public one opens.
    const closed = await nodes.first.request('POST', '/manage/routes', {
      body: { name: 'closed', path: '/apis/orders', methods: ['GET'], scope: 'protected' },
    })
    expect(closed.status).toBe(201)
    await isRefused()
  })
})
