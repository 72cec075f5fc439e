/** Rows that many others refer to are read once, whatever the type of their key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { startTestGateway, type TestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are read as clients read them
type Json = any

type Product = DatabaseOptions['product']

/** A type of keys, with the literals of two of them. */
interface KeyType {
  readonly type: string
  readonly one: string
  readonly other: string
}

const texts = { type: 'varchar(20)', one: "'one'", other: "'other'" }
const hex = { one: '11'.repeat(16), other: `${'11'.repeat(15)}12` }
const bytes: Readonly<Record<Product, KeyType>> = {
  sqlite: { type: 'blob', one: `x'${hex.one}'`, other: `x'${hex.other}'` },
  postgresql: { type: 'bytea', one: `'\\x${hex.one}'`, other: `'\\x${hex.other}'` },
  mysql: { type: 'binary(16)', one: `x'${hex.one}'`, other: `x'${hex.other}'` },
}
const numbers: Readonly<Record<Product, KeyType>> = {
  sqlite: { type: 'real', one: '1.5', other: '-1.5' },
  postgresql: { type: 'double precision', one: "'Infinity'", other: "'-Infinity'" },
  mysql: { type: 'double', one: '1.5', other: '-1.5' },
}

/** Two parents, the first with so many children, and the second with one. */
const childrenOfOne = 30
const tablesOf = (name: string, { type, one, other }: KeyType) => [
  `create table ${name}_p (k ${type} not null, n integer not null, primary key (k))`,
  `create table ${name}_c (id integer primary key, p ${type}, foreign key (p) references ${name}_p (k))`,
  ...linesOf(name, [one, other]),
]
/** The same with keys of two parts. */
const compositeTablesOf = (name: string, { type, one, other }: KeyType) => [
  `create table ${name}_p (k ${type} not null, l integer not null, n integer not null, primary key (k, l))`,
  `create table ${name}_c (id integer primary key, p ${type}, q integer, foreign key (p, q) references ${name}_p (k, l))`,
  ...linesOf(name, [`${one}, 7`, `${other}, 7`]),
]
const linesOf = (name: string, [one, other]: readonly [string, string]) => [
  `insert into ${name}_p values (${one}, 1), (${other}, 2)`,
  ...Array.from(
    { length: childrenOfOne + 1 },
    (_, index) => `insert into ${name}_c values (${index}, ${index < childrenOfOne ? one : other})`,
  ),
]

describe.each(products)('$name', (product) => {
  let gateway: TestGateway

  beforeAll(async () => {
    gateway = await startTestGateway(product, (options) =>
      executeAll(options, [
        ...tablesOf('texts', texts),
        ...tablesOf('bytes', bytes[options.product]),
        ...tablesOf('numbers', numbers[options.product]),
        ...compositeTablesOf('pairs', bytes[options.product]),
        ...compositeTablesOf('points', numbers[options.product]),
      ]),
    )
  })
  afterAll(() => gateway.close())

  test.each(['texts', 'bytes', 'numbers', 'pairs', 'points'])('with keys of %s', async (name) => {
    const child = `${name}_c`
    const { body } = await gateway.request('POST', '/graphql', {
      headers: { 'x-gatehouse-explain': 'true' },
      body: {
        query: `{ ${child}(asc: "id") { edges { node { id ${name}_p { n ${child}Collection { edges { node { id } } } } } } } }`,
      },
    })
    const { data, extensions } = body as Json
    const children = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => ({ node: { id: from + index } }))
    const parent = (id: number) =>
      id < childrenOfOne
        ? { n: 1, [`${child}Collection`]: { edges: children(0, childrenOfOne) } }
        : { n: 2, [`${child}Collection`]: { edges: children(childrenOfOne, childrenOfOne + 1) } }
    expect(data).toEqual({
      [child]: {
        edges: children(0, childrenOfOne + 1).map(({ node }) => ({
          node: { ...node, [`${name}_p`]: parent(node.id) },
        })),
      },
    })
    expect(extensions.explain.statements.map(({ rows }: Json) => rows)).toEqual([
      childrenOfOne + 1,
      2,
      childrenOfOne + 1,
    ])
  })
})
