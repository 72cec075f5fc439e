/** Adopted tables whose keys are of other types than numbers and texts, on every product. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { partOf } from '../support/part-of.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

type Product = DatabaseOptions['product']

interface KeyCase {
  readonly table: string
  /** The columns of the key, each with its type on every product. */
  readonly key: Readonly<Record<string, Readonly<Record<Product, string>>>>
  /** Keys as they are sent and shown, with the last part of their addresses. */
  readonly records: readonly (readonly [key: Json, address: string])[]
  /** What no record can have as its address. */
  readonly strange: readonly string[]
}

const everywhere = (type: string) => ({ sqlite: type, postgresql: type, mysql: type })
const bytes = { sqlite: 'blob', postgresql: 'bytea', mysql: 'varbinary(20)' }
const moment = { sqlite: 'datetime', postgresql: 'timestamp', mysql: 'datetime(6)' }
const truth = { sqlite: 'boolean', postgresql: 'boolean', mysql: 'tinyint(1)' }

const cases: readonly KeyCase[] = [
  {
    table: 'hashes',
    key: { id: bytes },
    records: [
      [{ id: 'AQID' }, 'AQID'],
      [{ id: '+/8=' }, '-_8'],
      [{ id: 'AA==' }, 'AA'],
      [{ id: '/w==' }, '_w'],
    ],
    strange: ['AQI', '-_9', '-_8=', '*', 'AAA=', 'B'],
  },
  {
    table: 'moments',
    key: { at: moment },
    records: [
      [{ at: '2026-01-31T09:30:00' }, '2026-01-31T09%3A30%3A00'],
      [{ at: '1999-12-31T23:59:59.5' }, '1999-12-31T23%3A59%3A59.5'],
    ],
    strange: ['2026-13-31T09:30:00', 'yesterday', '2026-01-31T09:30:01'],
  },
  {
    table: 'days',
    key: { day: everywhere('date'), place: everywhere('varchar(40)') },
    records: [
      [{ day: '2026-02-28', place: 'a/b,c' }, '2026-02-28,a~2b~1c'],
      [{ day: '2026-02-28', place: '.' }, '2026-02-28,~5'],
      [{ day: '2026-02-28', place: '' }, '2026-02-28,~4'],
      [{ day: '2026-02-28', place: '..~x0a' }, '2026-02-28,~5.~0x0a'],
      [{ day: '2026-02-28', place: 'é\\ %2F+?#' }, '2026-02-28,%C3%A9~3%20%252F%2B%3F%23'],
    ],
    strange: ['2026-02-28', '2026-02-30,x', '2026-02-28,a,b'],
  },
  {
    table: 'prices',
    key: { price: everywhere('decimal(10,2)') },
    records: [
      [{ price: '8.99' }, '8.99'],
      [{ price: '-1.5' }, '-1.5'],
    ],
    strange: ['8.98', 'x'],
  },
  {
    table: 'words',
    key: { word: everywhere('varchar(40)') },
    records: [
      [{ word: '..' }, '~5.'],
      [{ word: '.;x' }, '~5%3Bx'],
      [{ word: 'query' }, 'query'],
      [{ word: '' }, '~4'],
      [{ word: 'tab\there' }, 'tab~x09here'],
    ],
    strange: ['nothing'],
  },
  {
    table: 'switches',
    key: { is_on: truth, number: everywhere('integer') },
    records: [
      [{ is_on: true, number: 1 }, 'true,1'],
      [{ is_on: false, number: 1 }, 'false,1'],
    ],
    strange: ['maybe,1', 'true'],
  },
  {
    table: 'times',
    key: { start: { sqlite: 'time', postgresql: 'time', mysql: 'time' } },
    records: [
      [{ start: '09:30:00' }, '09%3A30%3A00'],
      [{ start: '23:59:59' }, '23%3A59%3A59'],
    ],
    strange: ['9', 'noon'],
  },
  {
    table: 'codes',
    key: { id: everywhere('char(36)') },
    records: [[{ id: '018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f' }, '018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f']],
    strange: ['018f4e3a'],
  },
  {
    table: 'masks',
    key: { id: { sqlite: 'bigint', postgresql: 'bigint', mysql: 'bit(10)' } },
    records: [
      [{ id: 5 }, '5'],
      [{ id: 1000 }, '1000'],
    ],
    strange: ['6', '1024', 'x'],
  },
  {
    table: 'guids',
    key: { id: { sqlite: 'varchar(36)', postgresql: 'uuid', mysql: 'uuid' } },
    records: [
      [{ id: '018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f' }, '018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f'],
      [{ id: 'd9428888-122b-11e1-b85c-61cd3cbb3210' }, 'd9428888-122b-11e1-b85c-61cd3cbb3210'],
    ],
    strange: ['018f4e3a', '018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e60'],
  },
]

describe.each(products)('$name', (product) => {
  let gateway: TestGateway
  let kind: Product
  const resources = new Map<string, string>()

  /** SQLite knows no times of day: such a column may hold anything, and is only read. */
  const isServed = ({ table }: KeyCase) => !(table === 'times' && kind === 'sqlite')
  /** MariaDB has numbers for booleans. */
  const shownKey = (key: Json) =>
    kind === 'mysql' && 'is_on' in key ? { ...key, is_on: Number(key.is_on) } : key
  const address = (text: string) =>
    kind === 'mysql' ? text.replace(/^true,/, '1,').replace(/^false,/, '0,') : text

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      kind = options.product
      await executeAll(
        options,
        cases.filter(isServed).flatMap(({ table, key }) => {
          const names = Object.keys(key)
          const columns = names.map((name) => `${name} ${key[name]?.[options.product]} not null`)
          const references = names.map((name) => `${name} ${key[name]?.[options.product]}`)
          return [
            `create table ${table} (${columns.join(', ')}, note varchar(20), primary key (${names.join(', ')}))`,
            names.length === 1
              ? `create table of_${table} (number integer primary key, ${references.join(', ')}, foreign key (${names.join(', ')}) references ${table} (${names.join(', ')}))`
              : `create table of_${table} (number integer primary key)`,
          ]
        }),
      )
    })
    const tables = cases.filter(isServed).flatMap(({ table }) => [table, `of_${table}`])
    const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables } })
    expect(adopted.body).toHaveLength(tables.length)
    for (const { name, resource } of adopted.body as Json) resources.set(name, resource)
  })
  afterAll(() => gateway.close())

  const call = async (method: string, path: string, body?: unknown, headers: Json = {}) => {
    const answer = await gateway.request(method, path, { ...(body === undefined ? {} : { body }), headers })
    return { status: answer.status, body: answer.body as Json, headers: answer.headers }
  }

  describe.each(partOf(cases, 2, products.indexOf(product)))('$table', (entry) => {
    const { table, records, strange } = entry
    const list = () => resources.get(table) ?? ''

    test('records are created, found, changed and deleted by their addresses', async () => {
      if (!isServed(entry)) return
      for (const [key, written] of records) {
        const path = `${list()}/${address(written)}`
        const shown = shownKey(key)
        const made = await call('POST', list(), { ...shown, note: 'new' })
        expect([made.status, made.body]).toEqual([201, { ...shown, note: 'new' }])
        expect(made.headers.get('location')).toBe(path)
        const found = await call('GET', path)
        expect(found.body).toEqual(made.body)
        expect(found.headers.get('etag')).toBe(made.headers.get('etag'))
        expect((await call('POST', list(), { ...shown })).status).toBe(409)
        const tag = { 'if-match': found.headers.get('etag') ?? '' }
        const changed = await call('PATCH', path, { note: 'newer' }, tag)
        expect(changed.body).toEqual({ ...shown, note: 'newer' })
        expect((await call('PATCH', path, { note: 'late' }, tag)).status).toBe(412)
        expect((await call('PATCH', path, changed.body)).body).toEqual(changed.body)
        expect((await call('PUT', path, { ...shown, note: 'whole' })).body).toEqual({
          ...shown,
          note: 'whole',
        })
      }
      for (const path of strange) {
        expect(
          (await call('GET', `${list()}/${encodeURIComponent(address(path)).replaceAll('%2C', ',')}`)).status,
          path,
        ).toBe(404)
      }
      for (const [, written] of records) {
        expect((await call('DELETE', `${list()}/${address(written)}`)).status).toBe(204)
        expect((await call('GET', `${list()}/${address(written)}`)).status).toBe(404)
      }
    })

    test('many come at once, and are listed page by page', async () => {
      if (!isServed(entry)) return
      const sent = records.map(([key]) => ({ ...shownKey(key), note: null }))
      const made = await call('POST', list(), sent)
      expect([made.status, made.body]).toEqual([201, sent])
      const found: Json[] = []
      let path = `${list()}?first=1`
      while (path !== '') {
        const page = await call('GET', path)
        expect(page.status).toBe(200)
        found.push(...page.body)
        path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
      }
      expect(found).toHaveLength(sent.length)
      expect(found).toEqual(expect.arrayContaining(sent))
      const names = Object.keys(sent[0] ?? {}).filter((name) => name !== 'note')
      for (const record of sent) {
        const same = Object.fromEntries(names.map((name) => [name, record[name]]))
        expect((await call('POST', `${list()}/query`, same)).body).toEqual([record])
      }
    })

    test('mutations change and delete them', async () => {
      if (!isServed(entry)) return
      const write = async (query: string) => {
        const { body } = await call('POST', '/graphql', { query: `mutation { ${query} }` })
        expect(body.errors, query).toBeUndefined()
        return body.data
      }
      expect(await write(`deleteAll_${table}(where: {}) { count }`)).toBeDefined()
      for (const [key] of records) {
        const members = Object.entries(shownKey(key)).map(
          ([name, value]) => `${name}: ${JSON.stringify(value)}`,
        )
        const own = members.join(', ')
        await write(`create_${table}(input: { ${own} }) { note }`)
        expect(
          await write(
            `a: update_${table}(${own}, input: { note: "a" }) { note } b: upsert_${table}(input: { ${own}, note: "b" }) { note }`,
          ),
        ).toEqual({ a: { note: 'a' }, b: { note: 'b' } })
      }
      expect(
        await write(
          `a: updateAll_${table}(where: {}, input: { note: "all" }) { count records { note } } b: deleteAll_${table}(where: {}) { count }`,
        ),
      ).toEqual({
        a: { count: records.length, records: records.map(() => ({ note: 'all' })) },
        b: { count: records.length },
      })
      const sent = records.map(([key]) => ({ ...shownKey(key), note: null }))
      expect((await call('POST', list(), sent)).status).toBe(201)
    })

    test('other records refer to them', async () => {
      if (!isServed(entry) || Object.keys(entry.key).length > 1) return
      const [name = ''] = Object.keys(entry.key)
      const referring = resources.get(`of_${table}`) ?? ''
      for (const [index, [key]] of records.entries()) {
        const made = await call('POST', referring, { number: index, [name]: key[name] })
        expect([made.status, made.body]).toEqual([201, { number: index, [name]: key[name] }])
      }
      const [first] = records
      expect((await call('DELETE', `${list()}/${address(first?.[1] ?? '')}`)).status).toBe(409)
      const missing = table === 'hashes' ? 'ZZZZ' : table === 'guids' ? crypto.randomUUID() : undefined
      if (missing !== undefined) {
        const refused = await call('POST', referring, { number: 99, [name]: missing })
        expect([refused.status, refused.body.errors]).toEqual([
          422,
          [{ pointer: `/${name}`, detail: `There is no ${table} whose ${name} is "${missing}".` }],
        ])
      }
      const moved = await call('PATCH', `${referring}/0`, { [name]: records.at(-1)?.[0][name] })
      expect(moved.body[name]).toBe(records.at(-1)?.[0][name])
    })
  })
})
