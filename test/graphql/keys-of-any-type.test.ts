/** References and collections, with their numbers, over keys of every type that the products have: for one row, and for several at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { products } from '../support/products.ts'
import { runStatements } from '../support/run-statements.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

interface KeyType {
  readonly type: string
  /** Two values, as SQL. */
  readonly values: readonly [string, string]
}

const keyType = (type: string, first: string, second: string): KeyType => ({ type, values: [first, second] })

const types: Readonly<Record<string, Readonly<Record<string, KeyType>>>> = {
  SQLite: {
    whole: keyType('integer', '9223372036854775807', '-1'),
    text: keyType('text', "'a''\"\\'", "''"),
    caseless: keyType('text collate nocase', "'Ab'", "'cd'"),
    real: keyType('real', '0.1', '-5.5'),
    bytes: keyType('blob', "x'00ff'", "x''"),
    untyped: keyType('', "'1'", '2'),
  },
  PostgreSQL: {
    int: keyType('integer', '1', '-5'),
    big: keyType('bigint', '9223372036854775807', '-1'),
    oid: keyType('oid', '4294967295', '1'),
    text: keyType('text', "'a''\"\\{},'", "''"),
    chars: keyType('char(5)', "'a'", "'b  '"),
    name: keyType('name', "'a'", "'b'"),
    letter: keyType('"char"', "'a'", "'b'"),
    domain: keyType('"Odd schema".short', "'x'", "'y'"),
    mood: keyType('"Odd schema"."mo""od"', "'sad'", '\'very, "glad"\''),
    caseless: keyType('text collate "Odd schema".caseless', "'Ab'", "'cd'"),
    german: keyType('varchar(20) collate "de-x-icu"', "'Ärger'", "'b'"),
    uuid: keyType('uuid', "'00000000-0000-0000-0000-00000000000a'", "'00000000-0000-0000-0000-00000000000b'"),
    numeric: keyType('numeric', '1.50', "'NaN'"),
    double: keyType('double precision', '0.1', "'NaN'"),
    real: keyType('real', '0.1', "'Infinity'"),
    instant: keyType('timestamptz', "'2026-01-02 03:04:05.678901+02'", "'infinity'"),
    local: keyType('timestamp(3)', "'2026-01-02 03:04:05.678901'", "'0001-01-01 BC'"),
    day: keyType('date', "'2026-01-02'", "'infinity'"),
    time: keyType('time', "'10:00:00'", "'24:00:00'"),
    zoned: keyType('timetz', "'10:00:00+02'", "'23:00:00-05'"),
    bytes: keyType('bytea', "'\\x00ff'", "'\\x'"),
    bit: keyType('bit(4)', "b'1010'", "b'0001'"),
    bits: keyType('bit varying', "b'1010'", "b''"),
    flag: keyType('boolean', 'true', 'false'),
    address: keyType('inet', "'10.0.0.1'", "'10.0.0.0/8'"),
    range: keyType('int4range', "'[1,5)'", "'empty'"),
    list: keyType('text[]', '\'{a,"b,c"}\'', "'{}'"),
    money: keyType('money', "'1.5'", "'2'"),
    interval: keyType('interval', "'1 day'", "'24 hours 1 second'"),
    pair: keyType('"Odd schema".pair', "'(1,a)'", '\'(2,"b c")\''),
  },
  MariaDB: {
    int: keyType('int unsigned', '4294967295', '1'),
    big: keyType('bigint unsigned', '18446744073709551615', '1'),
    text: keyType('varchar(20) collate utf8mb4_bin', "'a''\"'", "''"),
    folded: keyType('varchar(20) collate utf8mb4_general_ci', "'Ab'", "'cd'"),
    latin: keyType('varchar(20) character set latin1', "'é'", "'b'"),
    chars: keyType('char(5)', "'a'", "'b'"),
    decimal: keyType('decimal(20,4)', '1.5000', '-2'),
    single: keyType('float', '0.1', '16777217'),
    double: keyType('double', '0.1', '-1e-300'),
    instant: keyType('timestamp(6)', "'2026-01-02 03:04:05.678901'", "'1970-01-02'"),
    local: keyType('datetime(3)', "'2026-01-02 03:04:05.678'", "'1000-01-01'"),
    day: keyType('date', "'2026-01-02'", "'9999-12-31'"),
    time: keyType('time', "'10:00:00'", "'-800:00:00'"),
    year: keyType('year', '2026', '1901'),
    bytes: keyType('varbinary(5)', "x'00ff'", "x''"),
    mood: keyType("enum ('sad', 'glad')", "'sad'", "'glad'"),
    uuid: keyType('uuid', "'3b1c1e5e-6a55-11f3-9c2e-0d8b1f7a9e10'", "'018f4e3a-7c1b-7d2e-9a51-3f6b2c4d5e6f'"),
    address: keyType('inet6', "'::1'", "'2001:db8::ff00:42:8329'"),
  },
}

const before: Readonly<Record<string, readonly string[]>> = {
  PostgreSQL: [
    'create schema "Odd schema"',
    'create domain "Odd schema".short as varchar(3)',
    `create type "Odd schema"."mo""od" as enum ('sad', 'very, "glad"')`,
    'create type "Odd schema".pair as (a integer, b text)',
    `create collation "Odd schema".caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  ],
}

/** A table with two rows, and one with two rows for each of them; so also with a key of two columns. */
function tablesOf([name, { type, values }]: readonly [string, KeyType]): readonly string[] {
  const rows = values.flatMap((value, index) => [1, 2].map((row) => ({ value, index, id: index * 10 + row })))
  return [
    `create table one_${name} (k ${type} not null, n integer not null, primary key (k))`,
    `create table of_${name} (id integer primary key, k ${type}, foreign key (k) references one_${name} (k))`,
    `create table two_${name} (k ${type} not null, n integer not null, primary key (k, n))`,
    `create table by_${name} (id integer primary key, k ${type}, n integer, foreign key (k, n) references two_${name} (k, n))`,
    `insert into one_${name} values ${values.map((value, index) => `(${value}, ${index})`).join()}`,
    `insert into of_${name} values ${rows.map(({ id, value }) => `(${id}, ${value})`).join()}, (30, null)`,
    `insert into two_${name} values ${values.map((value, index) => `(${value}, ${index})`).join()}`,
    `insert into by_${name} values ${rows.map(({ id, value, index }) => `(${id}, ${value}, ${index})`).join()}, (30, null, 0)`,
  ]
}

describe.each(products)('$name', (product) => {
  const known = types[product.name] ?? {}
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway(product, async (options) => {
      const tables = Object.entries(known).flatMap(tablesOf)
      await runStatements(options, [...(before[product.name] ?? []), ...tables])
    })
  })
  afterAll(() => gateway.close())

  const cases = Object.keys(known).flatMap((name) => [
    [name, `one_${name}`, `of_${name}`] as const,
    [`${name} and another`, `two_${name}`, `by_${name}`] as const,
  ])
  test.each(cases)('%s', async (_, parent, child) => {
    const edges = (nodes: readonly object[]) => ({ edges: nodes.map((node) => ({ node })) })
    const parentOf = (n: number) => ({
      n,
      all: edges([{ id: n * 10 + 1 }, { id: n * 10 + 2 }]),
      last: edges([{ id: n * 10 + 2 }]),
      counted: {
        totalCount: 2,
        aggregates: { count: 2, sum: { id: n * 20 + 3 } },
        groups: [1, 2].map((row) => ({ keys: { id: n * 10 + row }, count: 1 })),
      },
      none: { totalCount: 0, aggregates: { count: 0, sum: { id: null } }, groups: [] },
    })
    const numbers =
      'totalCount aggregates { count sum { id } } groups(by: [{ field: id }]) { keys { id } count }'
    const collection = (args: string) => `${child}Collection(${args}) { edges { node { id } } }`
    const parents = (args: string) =>
      gateway.graphql(
        `{ ${parent}(${args}) { edges { node { n
          all: ${collection('asc: ["id"]')} last: ${collection('desc: ["id"], first: 1')}
          counted: ${child}Collection { ${numbers} } none: ${child}Collection(where: { id: { isNull: true } }) { ${numbers} }
        } } } }`,
      )
    expect(await parents('asc: ["n"]')).toEqual({ data: { [parent]: edges([parentOf(0), parentOf(1)]) } })
    for (const n of [0, 1]) {
      expect(await parents(`n: ${n}`)).toEqual({ data: { [parent]: edges([parentOf(n)]) } })
    }
    const childOf = (id: number) => ({ id, [parent]: id === 30 ? null : { n: id < 10 ? 0 : 1 } })
    const children = (args: string) =>
      gateway.graphql(`{ ${child}(${args}) { edges { node { id ${parent} { n } } } } }`)
    expect(await children('asc: ["id"]')).toEqual({
      data: { [child]: edges([1, 2, 11, 12, 30].map(childOf)) },
    })
    for (const id of [1, 12, 30]) {
      expect(await children(`id: ${id}`)).toEqual({ data: { [child]: edges([childOf(id)]) } })
    }
  })
})
