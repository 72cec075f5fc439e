import { describe, expect, test } from 'vitest'
import type { DatabaseOptions } from '../../src/database/open-database.ts'
import { keptDatabases, plainEntity, reload, run } from '../support/kept-database.ts'
import { anyProduct, products } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import type { TestGateway } from '../support/test-gateway.ts'

/** Two names that are the same in GraphQL. */
const exact = 'a_b'
const mapped = 'a-b'

const kept = keptDatabases()

describe.each(anyProduct('PostgreSQL'))('$name', (product) => {
  const quote = (name: string) => (product.name === 'MariaDB' ? `\`${name}\`` : `"${name}"`)
  const table = (name: string, who: string) => [
    `create table ${quote(name)} (id int primary key, who varchar(20))`,
    `insert into ${quote(name)} values (1, '${who}')`,
  ]

  const described = (name: string) =>
    `table "${name}"${product.name === 'PostgreSQL' ? ' of the schema "public"' : ''}`

  test('R5: a name and its rights stay with their table, whatever is created, dropped or listed first', async () => {
    const database = await kept.create(product)
    await run(database.options, table(exact, 'exact'))
    const first = await kept.start(product, database)
    const reader = await logonAs(
      first,
      await createAccount(first, 'reader', [{ regex: '/graphql/a_b', methods: ['POST'] }]),
    )
    const seen = (gateway: TestGateway) => ask(gateway, reader, '{ a_b { edges { node { who GlobalId } } } }')
    const exactRow = { a_b: { edges: [{ node: { who: 'exact', GlobalId: idOf('a_b_:1') } }] } }
    const node = (gateway: TestGateway) =>
      ask(gateway, reader, `{ customNode(GlobalId: "${idOf('a_b_:1')}") { ... on a_b_ { who } } }`)
    expect(await seen(first)).toEqual({ data: exactRow })

    await run(database.options, table(mapped, 'mapped'))
    await reload(first)
    expect(await seen(first)).toEqual({ data: exactRow })
    expect(await node(first)).toEqual({ data: { customNode: { who: 'exact' } } })
    expect(await first.graphql('{ a_b_2 { edges { node { who } } } }')).toEqual({
      data: { a_b_2: { edges: [{ node: { who: 'mapped' } }] } },
    })
    expect(first.events.filter(({ kind }) => kind === 'LongerNameGiven')).toEqual([
      { kind: 'LongerNameGiven', table: described(mapped), wanted: 'a_b', name: 'a_b_2' },
    ])

    await run(database.options, [`drop table ${quote(exact)}`])
    // A query that fails has the schema read again; if the gateway has seen the change before, the account may ask nothing.
    expect(JSON.stringify(await seen(first))).toMatch(/Cannot query field|^\{\}$/)
    await reload(first)
    expect(await seen(first)).toEqual({})

    const second = await kept.start(product, database, { known: first })
    expect(await seen(second)).toEqual({})
    await run(database.options, table(exact, 'again'))
    await reload(second)
    const again = { a_b: { edges: [{ node: { who: 'again', GlobalId: idOf('a_b_:1') } }] } }
    expect(await seen(second)).toEqual({ data: again })
    expect(await seen(await kept.start(product, database, { known: first }))).toEqual({ data: again })
  })

  test('R5: names that were given before names were kept stay', async () => {
    const database = await kept.create(product)
    await run(database.options, [...table(exact, 'exact'), ...table(mapped, 'mapped')])
    const who = '{ a_b { edges { node { who } } } }'
    const rows = (name: string) => ({ data: { a_b: { edges: [{ node: { who: name } }] } } })
    const first = await kept.start(product, database)
    expect(await first.graphql(who)).toEqual(rows('exact'))
    await kept.closeLast()
    await run(database.options, [
      'delete from gatehouse_given_names',
      "insert into gatehouse_relation_name (naming, names) values ('verbatim', '{}')",
    ])
    // The former rule took them in the order of their names.
    const before = await kept.start(product, database, { known: first })
    expect(await before.graphql(who)).toEqual(rows('mapped'))
    expect(await (await kept.start(product, database, { known: first })).graphql(who)).toEqual(rows('mapped'))
  })

  test('R5: nodes that see new tables at the same moment give them the same names', async () => {
    const database = await kept.create(product)
    const first = await kept.start(product, database)
    const nodes = [
      first,
      await kept.start(product, database, { known: first }),
      await kept.start(product, database, { known: first }),
    ]
    await run(database.options, [
      ...table(mapped, 'mapped'),
      ...table('a b', 'blank'),
      ...table('a.b', 'dot'),
    ])
    await reload(first)
    const names = '{ __schema { queryType { fields { name description } } } }'
    await expect
      .poll(
        async () =>
          new Set(await Promise.all(nodes.map(async (node) => JSON.stringify(await node.graphql(names))))),
      )
      .toHaveLength(1)
    for (const node of nodes)
      expect(
        await node.graphql('{ a_b { edges { node { who } } } a_b_2 { edges { node { who } } } }'),
      ).toEqual({
        data: {
          a_b: { edges: [{ node: { who: 'blank' } }] },
          a_b_2: { edges: [{ node: { who: 'mapped' } }] },
        },
      })
  })

  test('R5: an entity gets no name that belongs to another table', async () => {
    const database = await kept.create(product)
    await run(database.options, table(mapped, 'mapped'))
    const gateway = await kept.start(product, database)
    const { status, body } = await gateway.request('POST', '/manage/entities', { body: plainEntity('a_b') })
    expect([status, body]).toMatchObject([
      409,
      {
        type: '/docs/guide/problems/name-taken',
        errors: [
          {
            pointer: '/name',
            detail: `In GraphQL the name "a_b" belongs to the ${described(mapped)}, even while it does not exist. Choose another name.`,
          },
        ],
      },
    ])
  })
})

describe.each(products.filter(({ name }) => name === 'PostgreSQL'))('several schemas of $name', (product) => {
  const table = (schema: string) => [
    `create table ${schema}.t (id int primary key, who text)`,
    `insert into ${schema}.t values (1, '${schema}')`,
  ]
  const who = (name: string) => `{ ${name} { edges { node { who } } } }`
  const rows = (name: string, schema: string) => ({
    data: { [name]: { edges: [{ node: { who: schema } }] } },
  })

  test('R5: tables of other schemas take no name from each other', async () => {
    const database = await kept.create(product, ['z1', 'm3', 'a2'])
    await run(database.options, ['create schema z1', 'create schema m3', 'create schema a2', ...table('m3')])
    const first = await kept.start(product, database)
    const reader = await logonAs(
      first,
      await createAccount(first, 'reader', [{ regex: '/graphql/t', methods: ['POST'] }]),
    )
    expect(await ask(first, reader, who('t'))).toEqual(rows('t', 'm3'))
    await run(database.options, [...table('a2'), ...table('z1')])
    await reload(first)
    expect(await ask(first, reader, who('t'))).toEqual(rows('t', 'm3'))
    expect(await first.graphql(who('z1_t'))).toEqual(rows('z1_t', 'z1'))
    expect(await first.graphql(who('a2_t'))).toEqual(rows('a2_t', 'a2'))
    expect((await first.request('POST', '/manage/entities', { body: plainEntity('t') })).status).toBe(409)
    expect((await first.request('POST', '/manage/entities/adopt', { body: { tables: ['t'] } })).status).toBe(
      409,
    )

    const turned = {
      ...database,
      options: { ...database.options, schemas: ['z1', 'a2', 'm3'] } as DatabaseOptions,
    }
    const second = await kept.start(product, turned, { known: first })
    expect(await ask(second, reader, who('t'))).toEqual(rows('t', 'm3'))
    expect(await second.graphql(who('z1_t'))).toEqual(rows('z1_t', 'z1'))
  })

  test('R5: at the first start names go by the order of the schemas', async () => {
    const database = await kept.create(product, ['z1', 'm3', 'a2'])
    await run(database.options, [
      'create schema z1',
      'create schema m3',
      'create schema a2',
      ...table('a2'),
      ...table('m3'),
    ])
    const gateway = await kept.start(product, database)
    expect(await gateway.graphql(who('t'))).toEqual(rows('t', 'm3'))
    expect(await gateway.graphql(who('a2_t'))).toEqual(rows('a2_t', 'a2'))
  })

  test('R5: a published API never reads a table of another schema', async () => {
    const database = await kept.create(product, ['one', 'two'])
    const store = await kept.create(product)
    const things = (schema: string) => [
      `create schema ${schema}`,
      `create table ${schema}."Thing" (id varchar(20) primary key)`,
      `insert into ${schema}."Thing" values ('of ${schema}')`,
    ]
    await run(database.options, [...things('one'), ...things('two')])
    const first = await kept.start(product, database, { store })
    const adopted = await first.request('POST', '/manage/entities/adopt', { body: { tables: ['Thing'] } })
    expect(adopted.status).toBe(201)
    const { body } = await first.request('GET', '/apis/things')
    expect(body).toEqual([{ id: 'of one' }])
    const turned = { ...database.options, schemas: ['two', 'one'] } as DatabaseOptions
    const second = await kept.start(product, { ...database, options: turned }, { known: first, store })
    expect((await second.request('GET', '/apis/things')).status).toBe(404)
    expect(await second.graphql('{ Thing { edges { node { id } } } }')).toEqual({
      data: { Thing: { edges: [{ node: { id: 'of one' } }] } },
    })
  })
})

function idOf(text: string): string {
  return Buffer.from(text).toString('base64')
}

async function ask(gateway: TestGateway, token: string, query: string): Promise<unknown> {
  return (await gateway.request('POST', '/graphql', { body: { query }, token })).body
}
