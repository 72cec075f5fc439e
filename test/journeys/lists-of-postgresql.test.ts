/** Columns of arrays and JSON in adopted tables of PostgreSQL: read, written, and written back as they were read. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOn } from '../support/describe-on.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

const columns = {
  texts: 'text[]',
  numbers: 'int[]',
  big: 'bigint[]',
  exact: 'numeric[]',
  truths: 'boolean[]',
  moments: 'timestamp[]',
  ids: 'uuid[]',
  moods: 'mood[]',
  bytes: 'bytea[]',
  documents: 'jsonb[]',
  grid: 'int[][]',
  names: 'varchar(5)[]',
  small: 'short_list',
  plain: 'jsonb',
  older: 'json',
  span: 'interval',
}

describeOn(
  products.filter(({ name }) => name === 'PostgreSQL'),
  (product) => {
    let gateway: TestGateway
    let id = 0

    beforeAll(async () => {
      gateway = await startTestGateway(product, (options) =>
        executeAll(options, [
          "create type mood as enum ('glad', 'so so')",
          'create domain short_list as int[] check (cardinality(value) < 4)',
          `create table boxes (id integer primary key, ${Object.entries(columns)
            .map(([name, type]) => `${name} ${type}`)
            .join(', ')})`,
          "insert into boxes (id, numbers, span) values (0, '[5:6]={1,2}', '1 day')",
        ]),
      )
      const { status } = await gateway.request('POST', '/manage/entities/adopt', {
        body: { tables: ['boxes'] },
      })
      expect(status).toBe(201)
    })
    afterAll(() => gateway.close())

    const create = async (record: object) => {
      id += 1
      const answer = await gateway.request('POST', '/apis/boxes', { body: { id, ...record } })
      return { status: answer.status, body: answer.body as Json }
    }

    const odd = ['a"b', 'c\\d', '{e}', 'f,g', '', ' ', 'NULL', 'null', null, "'", 'é\n\t日', '[1]']

    test.each<[keyof typeof columns, unknown, unknown?]>([
      ['texts', odd],
      ['texts', []],
      ['texts', null],
      ['texts', [odd, odd.toReversed()]],
      ['numbers', [1, null, -3]],
      [
        'numbers',
        [
          [1, 2],
          [3, null],
        ],
      ],
      ['big', ['9007199254740993', 2]],
      ['exact', ['12345678901234567890.12345', '0.1234567890123456789', 'NaN', 2.5]],
      ['texts', ['12345678901234567890', '"9007199254740993', '\\']],
      ['exact', ['1.50', 2.25], [1.5, 2.25]],
      ['truths', [true, false, null]],
      ['moments', ['2026-01-31T09:30:00', null]],
      ['ids', ['018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f']],
      ['moods', ['so so', 'glad']],
      ['bytes', ['\\x00ff']],
      ['documents', [{ a: [1, { b: 'x"y\\z' }] }, [1, 2], 'text', 5, true]],
      ['grid', [[[1], [2]]]],
      ['names', ['abcde']],
      ['small', [1, 2, 3]],
      ['plain', { a: [null, 'x'] }],
      ['plain', [1, [2]]],
      ['plain', 'text'],
      ['older', { b: 1 }],
    ])('%s takes %j', async (name, value, shown = value) => {
      const made = await create({ [name]: value })
      expect(made.status).toBe(201)
      expect(made.body[name]).toEqual(shown)
      const path = `/apis/boxes/${id}`
      expect((await gateway.request('GET', path)).body).toEqual(made.body)
      const other = await create({})
      const changed = await gateway.request('PATCH', `/apis/boxes/${other.body.id}`, {
        body: { [name]: value },
      })
      expect((changed.body as Json)[name]).toEqual(shown)
      const replaced = await gateway.request('PUT', path, { body: made.body })
      expect(replaced.body).toEqual(made.body)
    })

    test('many at once', async () => {
      const records = Array.from({ length: 50 }, (_, index) => ({
        id: 1000 + index,
        texts: [`t${index}`, null],
        numbers: index % 2 === 0 ? null : [index],
        plain: { index },
      }))
      const made = await gateway.request('POST', '/apis/boxes', { body: records })
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject(records)
    })

    test.each<[keyof typeof columns, unknown, string | RegExp]>([
      ['texts', 'a', 'A list is expected here, and "a" was sent.'],
      ['texts', { a: 1 }, /^A list is expected here/],
      ['texts', [{ a: 1 }], 'The column takes lists of single values: no objects.'],
      ['numbers', [[1], [2, 3]], /of equal length/],
      ['numbers', [1, [2]], /either single values or lists/],
      ['numbers', [[]], /either single values or lists/],
      ['numbers', [[[[[[[1]]]]]]], /at most 6 levels/],
      ['big', [9007199254740994], /lose digits/],
      ['texts', ['a\u0000'], /NUL/],
    ])('%s does not take %j', async (name, value, detail) => {
      const { status, body } = await create({ [name]: value })
      expect(status).toBe(422)
      expect(body.errors).toEqual([
        { pointer: `/${name}`, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) },
      ])
    })

    test.each<[keyof typeof columns, unknown]>([
      ['numbers', ['x']],
      ['numbers', [3_000_000_000]],
      ['ids', ['none']],
      ['moods', ['sad']],
      ['names', ['abcdef']],
      ['small', [1, 2, 3, 4]],
      ['moments', ['never']],
    ])('the database refuses %s %j', async (name, value) => {
      expect((await create({ [name]: value })).status).toBe(422)
    })

    test('what cannot be written says why', async () => {
      const { status, body } = await create({ span: '1 day' })
      expect([status, body.errors]).toEqual([
        422,
        [
          {
            pointer: '/span',
            detail: 'Values of its type (interval) have no JSON form that can be written. Leave it out.',
          },
        ],
      ])
      const { body: first } = await gateway.request('GET', '/apis/boxes/0')
      expect(first).toMatchObject({ numbers: [1, 2], span: '1 day' })
      expect((await gateway.request('PUT', '/apis/boxes/0', { body: first })).body).toEqual(first)
    })
  },
)
