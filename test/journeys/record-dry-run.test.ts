/** `POST /apis/<resource>?dry_run=true`: everything is checked, nothing is written. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { definition, field, reference } from '../support/temporary-entities.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

const genre = definition('Genre', { local: [field('name', 'string', { field_nullable: false })] })
const song = definition('Song', {
  local: [
    field('title', 'string', { field_nullable: false }),
    field('number', 'integer', { field_unique: true }),
    field('mood', 'string', { field_default: '"calm"' }),
  ],
  refs: [reference('genreId', 'Genre')],
})

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let kind: DatabaseOptions['product']

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      kind = options.product
      const deferred = kind === 'postgresql' ? ' deferrable initially deferred' : ''
      const ended = kind === 'mysql' ? ' engine = MyISAM' : ''
      await executeAll(options, [
        'create table rated (id integer primary key, stock integer, constraint enough check (stock >= 0))',
        `create table ranked (id integer primary key, place integer not null, constraint one_place unique (place)${deferred})`,
        `create table logged (id integer primary key, line varchar(20))${ended}`,
      ])
    })
    expect((await gateway.request('POST', '/manage/entities', { body: [genre, song] })).status).toBe(201)
    const tables = ['rated', 'ranked', 'logged']
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables } })
    expect(adopted.status).toBe(201)
    await gateway.request('POST', '/apis/genres', { body: { id: 'jazz', name: 'Jazz' } })
    await gateway.request('POST', '/apis/songs', { body: { id: 's1', title: 'One', number: 1 } })
    await gateway.request('POST', '/apis/rankeds', { body: { id: 1, place: 1 } })
  })
  afterAll(() => gateway.close())

  const attempt = async (path: string, body: Json, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await gateway.request('POST', path, { body, headers })
    return { status: answer.status, headers: answer.headers, body: answer.body as Json }
  }
  const rowsOf = async (path: string) => (await gateway.request('GET', path)).body as Json[]

  test('answers what would be created, and creates nothing', async () => {
    const before = await rowsOf('/apis/songs')
    const sent = { id: 's2', title: 'Two', number: 2, genreId: 'jazz' }
    const one = await attempt('/apis/songs?dry_run=true', sent)
    expect(one.status).toBe(200)
    expect(one.body).toMatchObject({ ...sent, mood: 'calm' })
    expect([one.headers.get('etag'), one.headers.get('location')]).toEqual([null, null])
    const list = await attempt('/apis/songs?dry_run', [sent, { title: 'Three' }])
    expect(list.status).toBe(200)
    expect(list.body.map(({ title }: Json) => title)).toEqual(['Two', 'Three'])
    expect(await rowsOf('/apis/songs')).toEqual(before)
    expect((await gateway.request('GET', '/apis/songs/s2')).status).toBe(404)
    // The value is as free as before.
    expect((await attempt('/apis/songs?dry_run=false', sent)).status).toBe(201)
  })

  test('is refused as the call itself is, with every mistake of every record', async () => {
    const bad = [
      { title: 'Good' },
      { title: null, number: 'x', genreId: 'none' },
      { title: 'Taken', number: 1 },
      { titel: 'Strange', title: 'a' },
    ]
    const tried = await attempt('/apis/songs?dry_run=true', bad)
    const real = await attempt('/apis/songs', bad)
    const of = ({ status, body }: typeof real) => ({ status, code: body.code, errors: body.errors })
    expect(of(tried)).toEqual(of(real))
    expect(tried.status).toBe(422)
    expect(tried.body.errors.map(({ pointer }: Json) => pointer)).toEqual([
      '/1/title',
      '/1/number',
      '/3/titel',
      '/1/genreId',
      '/2/number',
    ])
    const taken = await attempt('/apis/songs?dry_run=true', { title: 'Taken', number: 1 })
    expect([taken.status, taken.body.code]).toEqual([409, 'VALUE_NOT_UNIQUE'])
    const empty = await attempt('/apis/songs?dry_run=true', [])
    expect(empty.status).toBe(422)
  })

  test('is refused by what only the database knows, with the place of the record', async () => {
    const rows = [
      { id: 1, stock: 1 },
      { id: 2, stock: -1 },
    ]
    const refused = await attempt('/apis/rateds?dry_run=true', rows)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual([
      { pointer: '/1', detail: 'The rule "enough" of the table does not allow it.' },
    ])
    expect(await rowsOf('/apis/rateds')).toEqual([])
    // PostgreSQL looks at this one when the transaction ends.
    const late = await attempt('/apis/rankeds?dry_run=true', { id: 2, place: 1 })
    expect(late.status).toBe(409)
    expect(await rowsOf('/apis/rankeds')).toEqual([{ id: 1, place: 1 }])
  })

  test('leaves its idempotency key free', async () => {
    const headers = { 'idempotency-key': 'once-only' }
    const sent = { title: 'Keyed' }
    expect((await attempt('/apis/songs?dry_run=true', sent, headers)).status).toBe(200)
    const real = await attempt('/apis/songs', sent, headers)
    expect([real.status, real.headers.get('idempotent-replayed')]).toEqual([201, null])
    const again = await attempt('/apis/songs?dry_run=true', sent, headers)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    const titles = (await rowsOf('/apis/songs')).filter(({ title }) => title === 'Keyed')
    expect(titles).toHaveLength(1)
    const bad = await attempt('/apis/songs?dry_run=true', sent, { 'idempotency-key': 'a b' })
    expect(bad.status).toBe(400)
  })

  test('many at once neither write nor stand in each other’s way', async () => {
    const before = (await rowsOf('/apis/songs')).length
    const sent = Array.from({ length: 20 }, (_, index) => ({
      id: `many-${index}`,
      title: 'x',
      number: 77 + index,
    }))
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => attempt('/apis/songs?dry_run=true', sent)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await rowsOf('/apis/songs')).toHaveLength(before)
  })

  test.each([
    ['POST', '/apis/songs?dry_run=yes'],
    ['POST', '/apis/songs?dry_run=true&dry_run=true'],
    ['POST', '/apis/songs?dryrun=true'],
    ['PUT', '/apis/songs/s1?dry_run=true'],
    ['PATCH', '/apis/songs/s1?dry_run=true'],
    ['DELETE', '/apis/songs/s1?dry_run=true'],
  ])('%s %s is refused, and does nothing', async (method, path) => {
    const before = await rowsOf('/apis/songs')
    const body = method === 'DELETE' ? {} : { body: { title: 'Changed' } }
    const answer = await gateway.request(method, path, body)
    expect([answer.status, (answer.body as Json).code]).toEqual([400, 'PARAMETER_INVALID'])
    expect(JSON.stringify(answer.body)).toContain(path.includes('dryrun') ? 'dryrun' : 'dry_run')
    expect(await rowsOf('/apis/songs')).toEqual(before)
  })

  test('needs the right to create', async () => {
    const authorities = [{ regex: '/apis/songs', methods: ['GET'] }]
    await gateway.request('POST', '/manage/roles', { body: { name: 'reads', authorities } })
    const account = { username: 'rita', password: 'a long pass phrase', role: 'reads' }
    const made = await gateway.request('POST', '/manage/accounts', { body: account })
    const headers = { 'x-xaas-api-key': (made.body as Json).api_key }
    const { role: _, ...logon } = account
    const token = await gateway.request('POST', '/logon', { body: logon, headers, token: null })
    const answer = await gateway.request('POST', '/apis/songs?dry_run=true', {
      body: { title: 'x' },
      token: (token.body as Json)['x-xaas-auth-token'],
    })
    expect([answer.status, answer.body]).toEqual([401, {}])
  })

  test('a table without transactions takes none, since its changes cannot be undone', async () => {
    const answer = await attempt('/apis/loggeds?dry_run=true', { id: 1, line: 'x' })
    expect(answer.status).toBe(kind === 'mysql' ? 400 : 200)
    if (kind === 'mysql') expect(answer.body.detail).toContain('the engine of logged has no transactions')
    expect(await rowsOf('/apis/loggeds')).toEqual([])
  })

  test('rights that depend on the written record give no writing there', async () => {
    const loggeds = { regex: '/apis/loggeds(/.*)?', methods: ['GET', 'POST', 'PATCH'] }
    const rows = [{ key: 'line', op: '==', val: 'own' }]
    await gateway.request('POST', '/apis/loggeds', { body: { id: 21, line: 'own' } })
    const some = await logonAs(gateway, await createAccount(gateway, 'some-lines', [{ ...loggeds, rows }]))
    const all = [{ ...loggeds, fields: { read: ['id', 'line'] } }]
    const every = await logonAs(gateway, await createAccount(gateway, 'all-lines', all))
    const statuses = async (token: string) => [
      (await gateway.request('POST', '/apis/loggeds', { token, body: { id: 22, line: 'other' } })).status,
      (await gateway.request('PATCH', '/apis/loggeds/21', { token, body: { line: 'other' } })).status,
      ((await rowsOf('/apis/loggeds')) as Json[]).map(({ line }) => line),
    ]
    expect(await statuses(some)).toEqual([403, 403, ['own']])
    expect(await statuses(every)).toEqual([201, 200, ['other', 'other']])
    for (const id of [21, 22]) await gateway.request('DELETE', `/apis/loggeds/${id}`)
  })

  test('a list is refused where it could be kept in part', async () => {
    const list = [{ id: 11 }, { id: 12 }, { id: 11 }]
    const answer = await attempt('/apis/loggeds', list)
    expect(answer.status).toBe(kind === 'mysql' ? 422 : 409)
    if (kind === 'mysql') {
      const detail = expect.stringContaining('The engine of logged has no transactions')
      expect(answer.body.errors).toEqual([{ pointer: '', detail }])
    }
    expect(await rowsOf('/apis/loggeds')).toEqual([])
    expect((await attempt('/apis/loggeds', [{ id: 11 }])).status).toBe(201)
  })
})
