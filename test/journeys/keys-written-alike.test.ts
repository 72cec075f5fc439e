/** Keys that the database holds equal to other texts: a record is changed only by its own key, on every way to write. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { readers } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

interface AlikeKeys {
  readonly before?: string
  /** Types, each with a key and other texts that the database holds equal to it. */
  readonly types: Readonly<Record<string, readonly [type: string, key: string, ...alike: string[]]>>
}

const postgresql: AlikeKeys = {
  before: `create extension citext;
    create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  types: {
    cased: ['citext', 'Ab', 'AB', 'ab'],
    collated: ['varchar(20) collate loose', 'Ab', 'AB', 'ab'],
    padded: ['char(5)', 'Ab', 'Ab ', 'Ab     '],
  },
}

const alikeKeys: Readonly<Record<string, AlikeKeys>> = {
  SQLite: { types: { collated: ['varchar(20) collate nocase', 'Ab', 'AB', 'ab'] } },
  PostgreSQL: postgresql,
  'PostgreSQL plain reads': postgresql,
  MariaDB: {
    types: {
      collated: ['varchar(20) collate utf8mb4_general_ci', 'Ab', 'AB', 'ab', 'Ab '],
      chosen: ["enum('Ab','C') collate utf8mb4_general_ci", 'Ab', 'AB'],
    },
  },
}

describe.each(readers.filter(({ name }) => name === 'PostgreSQL'))('$name', (product) => {
  test('an index that tells apart what its column holds equal is no key', async () => {
    const gateway = await startTestGateway(product, async (prepared) => {
      await runStatements(prepared, [
        postgresql.before?.split(';')[1] ?? '',
        'create table apart (k varchar(20) collate loose not null, v varchar(20))',
        'create unique index apart_key on apart (k collate "C")',
        "insert into apart values ('ab', 'one'), ('AB', 'other')",
      ])
    })
    try {
      const adopted = await gateway.request('POST', '/manage/entities/adopt', { body: { tables: ['apart'] } })
      expect(adopted.status).toBe(409)
      expect(await gateway.graphql('{ apart(asc: "v") { edges { node { k v } } } }')).toEqual({
        data: { apart: { edges: [{ node: { k: 'ab', v: 'one' } }, { node: { k: 'AB', v: 'other' } }] } },
      })
    } finally {
      await gateway.close()
    }
  })
})

describe.each(readers)('$name', (product) => {
  const { before, types } = alikeKeys[product.name] ?? { types: {} }
  let options: DatabaseOptions
  let gateway: TestGateway
  const resources = new Map<string, string>()

  beforeAll(async () => {
    gateway = await startTestGateway(product, async (prepared) => {
      options = prepared
      await runStatements(prepared, [
        ...(before?.split(';') ?? []),
        ...Object.entries(types).map(
          ([name, [type]]) => `create table ${name} (k ${type} not null primary key, v varchar(20))`,
        ),
      ])
    })
    const adopted = await gateway.request('POST', '/manage/entities/adopt', {
      body: { tables: Object.keys(types) },
    })
    expect(adopted).toMatchObject({ status: 201 })
    for (const { name, resource } of adopted.body as Json) resources.set(name, resource)
  })
  afterAll(() => gateway.close())

  beforeEach(async () => {
    for (const [name, [, key]] of Object.entries(types))
      await runStatements(options, [`delete from ${name}`, `insert into ${name} values ('${key}', 'first')`])
  })

  const call = async (method: string, path: string, body?: unknown) =>
    (await gateway.request(method, path, body === undefined ? {} : { body })).status
  const write = (query: string) => gateway.graphql(`mutation { ${query} }`) as Promise<Json>

  test.each(Object.keys(types))('%s', async (name) => {
    const [, key, ...alike] = types[name] ?? ['', '']
    const list = resources.get(name) ?? ''
    const rows = async () => (await gateway.request('GET', list)).body
    const address = (text: string) => `${list}/${encodeURIComponent(text)}`
    const unchanged = [{ k: key, v: 'first' }]
    expect(await rows()).toEqual(unchanged)
    for (const other of alike) {
      const path = address(other)
      expect(await call('GET', path), other).toBe(404)
      expect(await call('PATCH', path, { v: 'other' }), other).toBe(404)
      expect(await Promise.all([1, 2, 3].map((v) => call('PATCH', path, { v: `${v}` })))).toEqual([
        ...[404, 404, 404],
      ])
      expect(await call('PUT', path, { k: other, v: 'other' }), other).toBe(404)
      expect(await call('DELETE', path), other).toBe(404)
      const k = `k: ${JSON.stringify(other)}`
      for (const query of [
        `update_${name}(${k}, input: { v: "other" }) { k v }`,
        `update_${name}(${k}, input: { v: "other" }) { v }`,
        `delete_${name}(${k}) { k v }`,
        `a: update_${name}(k: "${key}", input: { v: "a" }) { v } b: update_${name}(${k}, input: { v: "b" }) { v }`,
      ])
        expect((await write(query)).errors, query).toMatchObject([
          { extensions: { code: 'RECORD_NOT_FOUND' } },
        ])
      // It would be a new record, and the table takes none with such a key.
      expect((await write(`upsert_${name}(input: { ${k}, v: "other" }) { k v }`)).errors).toHaveLength(1)
      expect(
        await write(
          `updateAll_${name}(where: { k: { eq: ${JSON.stringify(other)} } }, input: { v: "other" }) { count }`,
        ),
      ).toEqual({
        data: { [`updateAll_${name}`]: { count: 0 } },
      })
      expect(await rows()).toEqual(unchanged)
    }
    expect(await call('PATCH', address(key), { v: 'rest' })).toBe(200)
    expect(await write(`update_${name}(k: "${key}", input: { v: "own" }) { k v }`)).toEqual({
      data: { [`update_${name}`]: { k: key, v: 'own' } },
    })
    expect(await write(`upsert_${name}(input: { k: "${key}", v: "set" }) { k v }`)).toEqual({
      data: { [`upsert_${name}`]: { k: key, v: 'set' } },
    })
    expect(await rows()).toEqual([{ k: key, v: 'set' }])
  })
})

test.each(readers.filter(({ name }) => name === 'PostgreSQL'))(
  '$name: times with an offset name no records, since the offset is not shown',
  async (product) => {
    const gateway = await startTestGateway(product, (options) =>
      runStatements(options, [
        'create table starts (k time with time zone primary key, v varchar(20))',
        "insert into starts values ('12:30+02', 'a'), ('10:30+00', 'b')",
      ]).then(() => {}),
    )
    try {
      const shown = await gateway.graphql('{ starts(orderBy: {v: ASC}) { edges { node { k v } } } }')
      expect(shown).toEqual({
        data: {
          starts: { edges: ['a', 'b'].map((v) => ({ node: { k: '10:30:00', v } })) },
        },
      })
      const adopted = await gateway.request('POST', '/manage/entities/adopt', {
        body: { tables: ['starts'] },
      })
      expect(adopted).toMatchObject({
        status: 409,
        body: {
          errors: [
            {
              pointer: '/tables/0',
              detail:
                'The column "k" of the key is of type time with time zone, and different values of it are shown alike: records cannot be told apart by it. The table is served in GraphQL as it is.',
            },
          ],
        },
      })
      const definition = {
        name: 'starts',
        adopted: { key: ['k'], left_out: ['v'] },
        attributes: {
          identifier: {
            ...{ field_name: 'k', field_type: 'string', field_column: 'time with time zone' },
            field_immutable: true,
          },
        },
      }
      expect(await gateway.request('POST', '/manage/entities', { body: [definition] })).toMatchObject({
        status: 409,
        body: {
          errors: [
            {
              detail: expect.stringMatching(
                /^The column "k" of the key has different values that are shown alike\./,
              ),
            },
          ],
        },
      })
    } finally {
      await gateway.close()
    }
  },
)
