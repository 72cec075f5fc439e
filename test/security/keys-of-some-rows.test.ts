/** Key columns that a caller may read on some rows only: what leads through them leads to these rows, and to no others. */
import { expect, test } from 'vitest'
import { executeAll } from '../support/foreign-tables.ts'
import { products } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import { startTestGateway } from '../support/test-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any

/** Types of keys, with two values. */
const types: Readonly<Record<string, readonly [string, string]>> = {
  integer: ['1', '2'],
  bigint: ['9007199254740993', '9007199254740995'],
  'varchar(20)': ["'a'", "'1'"],
  'decimal(20,2)': ['1.5', '12345678901234567.25'],
  date: ["'2026-01-01'", "'2026-01-02'"],
  'double precision': ['1.5', '2'],
}

/** Those of one product, whose columns compare texts in another way, or have no type. */
const ownTypes: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  SQLite: {
    'text collate nocase': ["'a'", "'B'"],
    'varchar(9) collate rtrim': ["'a'", "'b'"],
    blob: ["x'00'", "x'ff'"],
  },
  MariaDB: { 'varbinary(9)': ["x'00'", "x'ff'"] },
  PostgreSQL: {
    bytea: ["'\\x00'", "'\\xff'"],
    uuid: ["'018f0000-0000-70a0-9000-000000000001'", "'018f0000-0000-70a0-9000-000000000002'"],
  },
}

test.each(products)('$name', async (product) => {
  const all = Object.entries({ ...types, ...ownTypes[product.name] })
  const gateway = await startTestGateway(product, async (options) => {
    for (const [index, [type, [one, two]]] of all.entries()) {
      await executeAll(options, [
        `create table par${index} (code ${type} not null primary key, grp varchar(9))`,
        `insert into par${index} values (${one}, 'x'), (${two}, 'y')`,
        `create table kid${index} (id integer primary key, code ${type}, grp varchar(9), foreign key (code) references par${index} (code))`,
        `insert into kid${index} values (1, ${one}, 'x'), (2, ${one}, 'y'), (3, ${two}, 'x'), (4, null, 'x'), (5, ${two}, 'y')`,
      ])
    }
    await executeAll(options, [
      'create table par (shop varchar(9) not null, code integer not null, grp varchar(9), primary key (shop, code))',
      "insert into par values ('n', 1, 'x'), ('n', 2, 'y'), ('s', 1, 'x')",
      'create table kid (id integer primary key, shop varchar(9), code integer, grp varchar(9), foreign key (shop, code) references par (shop, code))',
      "insert into kid values (1, 'n', 1, 'x'), (2, 'n', 1, 'y'), (3, 's', 1, 'x'), (4, 'n', 2, 'x')",
    ])
  })
  try {
    const names = [...all.map((_, index) => String(index)), '']
    const authorities = names.flatMap((name) => [
      ...['kid', 'par'].map((table) => ({
        regex: `/graphql/${table}${name}`,
        methods: ['POST'],
        rows: [{ key: 'grp', op: '==', val: 'x' }],
      })),
      { regex: `/graphql/kid${name}`, methods: ['POST'], fields: { read: ['id'] } },
      { regex: `/graphql/par${name}`, methods: ['POST'], fields: { read: ['grp'] } },
    ])
    const token = await logonAs(gateway, await createAccount(gateway, 'reader', authorities))
    const ask = async (query: string): Promise<Json> => {
      const { body } = await gateway.request('POST', '/graphql', { token, body: { query } })
      expect((body as Json).errors).toBeUndefined()
      return (body as Json).data
    }
    for (const name of names) {
      const what = all[Number(name)]?.[0] ?? 'two columns'
      const { par, one, kid, some, none, pages, sorted } = await ask(`{
        par: par${name}(asc: "grp") { edges { node { grp kid${name}Collection(asc: "id") { totalCount edges { node { id } } aggregates { count max { id } } groups(by: [{ field: id }]) { count } } } } }
        one: par${name}(grp: "x", first: 1) { edges { node { kid${name}Collection(asc: "id") { totalCount edges { node { id } } } } } }
        sorted: par${name}(asc: "grp") { edges { node { kid${name}Collection(orderBy: [{ par${name}: { grp: ASC } }, { id: ASC }]) { totalCount edges { node { id } } aggregates { count } } } } }
        pages: par${name}(asc: "grp") { edges { node { kid${name}Collection(asc: "id", first: 1) { edges { node { id } } } } } }
        kid: kid${name}(asc: "id") { edges { node { id par${name} { grp } } } }
        some: par${name}(where: { kid${name}Collection: { some: { id: { gt: 0 } } } }) { totalCount edges { node { grp } } }
        none: par${name}(where: { kid${name}Collection: { none: { id: { gt: 0 } } } }) { totalCount }
      }`)
      const isOne = name !== ''
      // Only the kids whose reference may be read.
      const found: readonly (readonly [grp: string, ids: readonly number[]])[] = isOne
        ? [
            ['x', [1]],
            ['y', [3]],
          ]
        : [
            ['x', [1]],
            ['x', [3]],
            ['y', [4]],
          ]
      const shown = par.edges.map(({ node }: Json) => {
        const list = node[`kid${name}Collection`]
        const ids = list.edges.map((edge: Json) => edge.node.id)
        const counts = [list.totalCount, list.aggregates.count, list.aggregates.max.id, list.groups]
        expect([what, counts]).toEqual([what, [1, 1, ids[0], [{ count: 1 }]]])
        return [node.grp, ids]
      })
      expect([what, shown]).toEqual([what, found])
      expect([what, one.edges[0].node[`kid${name}Collection`]]).toEqual([
        what,
        { totalCount: 1, edges: [{ node: { id: 1 } }] },
      ])
      const related = sorted.edges.map(({ node }: Json) => node[`kid${name}Collection`])
      expect([what, related]).toEqual([
        what,
        found.map(([, [id]]) => ({ totalCount: 1, edges: [{ node: { id } }], aggregates: { count: 1 } })),
      ])
      const firsts = pages.edges.map(({ node }: Json) => node[`kid${name}Collection`].edges.length)
      expect([what, firsts]).toEqual([what, found.map(() => 1)])
      const references = kid.edges.map(({ node }: Json) => node[`par${name}`]?.grp ?? null)
      expect([what, references]).toEqual([what, isOne ? ['x', null, 'y', null, null] : ['x', null, 'x', 'y']])
      expect([what, some.totalCount, none.totalCount]).toEqual([what, found.length, 0])
    }
  } finally {
    await gateway.close()
  }
})
