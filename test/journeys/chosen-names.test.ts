import { describe, expect, test } from 'vitest'
import type { ConfiguredNames } from '../../src/config/chosen-names.ts'
import { keptDatabases, reload, run } from '../support/kept-database.ts'
import { anyProduct } from '../support/products.ts'
import { createAccount, logonAs } from '../support/test-accounts.ts'
import type { TestGateway } from '../support/test-gateway.ts'

const kept = keptDatabases()
const none: ConfiguredNames = { tables: {}, fields: {}, references: {}, collections: {} }

describe.each(anyProduct('SQLite'))('$name', (product) => {
  const prepared = async () => {
    const database = await kept.create(product)
    await run(database.options, [
      'create table tbl_customer (id int primary key, cust_nm varchar(20))',
      'create table orders (id int primary key, bill_to_id int, foreign key (bill_to_id) references tbl_customer (id))',
      "insert into tbl_customer values (1, 'Ada')",
      'insert into orders values (7, 1)',
    ])
    return database
  }
  const asked = '{ Customer { edges { node { name bills { edges { node { id payer { name } } } } } } } }'
  const bills = { edges: [{ node: { id: 7, payer: { name: 'Ada' } } }] }
  const answered = { data: { Customer: { edges: [{ node: { name: 'Ada', bills } }] } } }
  const plain = '{ tbl_customer { edges { node { cust_nm ordersCollection { edges { node { id } } } } } } }'
  const chosen = [
    { kind: 'table', of: 'tbl_customer', name: 'Customer' },
    { kind: 'field', of: 'tbl_customer.cust_nm', name: 'name' },
    { kind: 'reference', of: 'orders.bill_to_id', name: 'payer' },
    { kind: 'collection', of: 'orders.bill_to_id', name: 'bills' },
  ]
  const sorted = [chosen[3], chosen[1], chosen[2], chosen[0]]

  test('names are chosen by command, told, and given back, on all nodes', async () => {
    const database = await prepared()
    const first = await kept.start(product, database)
    const nodes = [
      first,
      await kept.start(product, database, { known: first }),
      await kept.start(product, database, { known: first }),
    ]
    for (const body of chosen) {
      const answer = await first.request('PUT', '/manage/names', { body })
      expect([answer.status, answer.body]).toEqual([200, { ...body, by: 'command' }])
    }
    for (const node of nodes) await expect.poll(() => node.graphql(asked)).toEqual(answered)
    expect(await errorCountOf(first, plain)).toBeGreaterThan(0)
    const sdl = await first.gateway.schemaText()
    expect(sdl).toMatch(
      /^"""\nNames that were chosen:\n(- .*\n)*- Customer: the table "tbl_customer"\n- Customer_.name: the column "cust_nm"\n- Customer_.bills: the rows of orders by "bill_to_id"\n(- .*\n)*"""\nschema \{\n {2}query: Query\n\}\n/,
    )
    expect(sdl).toContain('"""Table "tbl_customer"."""\ntype Customer_ ')
    expect(sdl).toContain('"""Column "cust_nm"."""\n  name: String')
    expect(sdl).toContain('"""Row of Customer by "bill_to_id"."""\n  payer: Customer_')
    expect((await first.request('GET', '/manage/names?chosen=true')).body).toEqual(
      sorted.map((name) => ({ ...name, by: 'command' })),
    )
    const audit = (await first.request('GET', '/manage/audit?limit=1')).body
    expect(audit).toMatchObject([
      {
        record: 'name',
        action: 'changed',
        name: 'orders.bill_to_id',
        detail: 'collection bills',
        account: 'admin',
      },
    ])
    for (const { kind, of } of chosen) {
      const query = new URLSearchParams({ kind, of })
      expect((await nodes[1]?.request('DELETE', `/manage/names?${query}`))?.status).toBe(204)
    }
    for (const node of nodes) await expect.poll(() => errorCountOf(node, plain)).toBe(0)
    expect(await first.gateway.schemaText()).toMatch(/^schema \{/)
    expect(await (await kept.start(product, database, { known: first })).graphql(plain)).toMatchObject({
      data: { tbl_customer: {} },
    })
  })

  test('names are chosen by the configuration, which comes before the command', async () => {
    const database = await prepared()
    const names: ConfiguredNames = {
      tables: { tbl_customer: 'Customer', absent: 'Absent' },
      fields: { 'tbl_customer.cust_nm': 'name', 'tbl_customer.cust_nn': 'other' },
      references: { 'orders.bill_to_id': 'payer' },
      collections: { 'orders.bill_to_id->tbl_customer': 'bills' },
    }
    const gateway = await kept.start(product, database, { graphql: { names } })
    expect(await gateway.graphql(asked)).toEqual(answered)
    expect(gateway.events.filter(({ kind }) => kind === 'NameNotUsed')).toEqual([
      { kind: 'NameNotUsed', reason: 'The name "Absent" is not used. There is no table "absent".' },
      {
        kind: 'NameNotUsed',
        reason:
          'The name "other" is not used. There is no column "tbl_customer.cust_nn"; did you mean "cust_nm".',
      },
    ])
    expect((await gateway.request('GET', '/manage/names?chosen')).body).toEqual(
      sorted.map((name) => ({ ...name, by: 'configuration' })),
    )
    const { status, body } = await gateway.request('PUT', '/manage/names', {
      body: { kind: 'table', of: 'tbl_customer', name: 'Client' },
    })
    expect([status, body]).toMatchObject([
      409,
      { detail: 'The configuration of the gateway chooses this name (names). Change it there.' },
    ])
    await run(database.options, ['create table absent (id int primary key)'])
    await reload(gateway)
    expect(await gateway.graphql('{ Absent { totalCount } }')).toEqual({
      data: { Absent: { totalCount: 0 } },
    })
    await kept.closeLast()
    const without = await kept.start(product, database, { known: gateway })
    expect(await errorCountOf(without, plain)).toBe(0)
  })

  test('a chosen name never belongs to two, and is one that GraphQL takes', async () => {
    const gateway = await kept.start(product, await prepared())
    const refused = async (kind: string, of: string, name: string) => {
      const { status, body } = await gateway.request('PUT', '/manage/names', { body: { kind, of, name } })
      const { detail, errors } = body as { detail: string; errors?: { pointer: string; detail: string }[] }
      const [mistake] = errors ?? []
      return [status, mistake === undefined ? detail : `${mistake.pointer} ${mistake.detail}`]
    }
    const where = product.name === 'PostgreSQL' ? ' of the schema "public"' : ''
    expect(await refused('table', 'orders', 'tbl_customer')).toEqual([
      409,
      `The name "tbl_customer", chosen for the table "orders"${where}, belongs to the table "tbl_customer"${where}. Choose another name.`,
    ])
    for (const name of ['node', 'customNode']) {
      expect(await refused('table', 'orders', name)).toEqual([
        409,
        `The name "${name}", chosen for the table "orders"${where}, belongs to the GraphQL schema. Choose another name.`,
      ])
    }
    expect(await refused('field', 'orders.bill_to_id', 'id')).toEqual([
      409,
      `The name "id", chosen for the column "bill_to_id" of the table "orders"${where}, belongs to the column "id". Choose another name.`,
    ])
    expect(await refused('field', 'orders.id', 'GlobalId')).toEqual([
      409,
      `The name "GlobalId", chosen for the column "id" of the table "orders"${where}, belongs to the GraphQL schema. Choose another name.`,
    ])
    for (const name of ['__x', '_', 'a-b', '1a', '', 'ä', 'a'.repeat(201)]) {
      expect(await refused('field', 'orders.id', name)).toEqual([
        422,
        '/name This takes a name of letters A to Z, digits and “_” that starts neither with a digit nor with “__”.',
      ])
    }
    expect(await refused('table', 'order', 'X')).toEqual([
      422,
      '/of There is no table "order"; did you mean "orders".',
    ])
    expect((await refused('reference', 'orders.id', 'x'))[0]).toBe(422)
    expect((await refused('view', 'orders', 'x'))[0]).toBe(422)
    expect((await gateway.request('DELETE', '/manage/names?kind=table&of=orders')).status).toBe(404)
    expect((await gateway.request('GET', '/manage/names', { token: null })).status).toBe(401)
    // One that is named like an argument keeps its field.
    expect(
      (
        await gateway.request('PUT', '/manage/names', {
          body: { kind: 'field', of: 'orders.id', name: 'first' },
        })
      ).status,
    ).toBe(200)
    expect(
      await gateway.graphql(
        '{ orders(filters: [{key: "first", op: "==", val: 7}], first: 1) { edges { node { first } } } }',
      ),
    ).toEqual({ data: { orders: { edges: [{ node: { first: 7 } }] } } })
  })

  test('names of a configuration that clash, or open a table to a role, stop the start', async () => {
    const database = await prepared()
    const gateway = await kept.start(product, database)
    await createAccount(gateway, 'reader', [{ regex: '/graphql/Customer', methods: ['POST'] }])
    const start = (names: Partial<ConfiguredNames>) =>
      kept.start(product, database, { known: gateway, graphql: { names: { ...none, ...names } } })
    await expect(
      start({ tables: { orders: 'tbl_customer' }, fields: { 'orders.bill_to_id': 'id' } }),
    ).rejects.toThrow(/^names: The name "tbl_customer", chosen for .*\nnames: The name "id", chosen for .*$/)
    const opens =
      /^names: The role "of-reader" allows \/graphql\/Customer and would get the table "tbl_customer"/
    await expect(start({ tables: { tbl_customer: 'Customer' } })).rejects.toThrow(opens)
    // And again: what was refused is not remembered.
    await expect(start({ tables: { tbl_customer: 'Customer' } })).rejects.toThrow(opens)
  })

  test('what stops the first start is not remembered', async () => {
    const database = await prepared()
    const start = (names: Partial<ConfiguredNames>) =>
      kept.start(product, database, { graphql: { names: { ...none, ...names } } })
    await expect(
      start({ tables: { orders: 'tbl_customer' }, fields: { 'orders.bill_to_id': 'id' } }),
    ).rejects.toThrow(/^names: The name "tbl_customer", chosen for .*\nnames: The name "id", chosen for .*$/)
    const gateway = await start({ tables: { orders: 'sold', tbl_customer: 'orders' } })
    expect(
      await gateway.graphql('{ sold { edges { node { id bill_to_id } } } orders { edges { node { id } } } }'),
    ).toEqual({
      data: {
        sold: { edges: [{ node: { id: 7, bill_to_id: 1 } }] },
        orders: { edges: [{ node: { id: 1 } }] },
      },
    })
  })

  test('R5: rights stay with their table whatever it is called', async () => {
    const database = await prepared()
    const gateway = await kept.start(product, database)
    const allow = async (name: string, path: string) =>
      logonAs(gateway, await createAccount(gateway, name, [{ regex: path, methods: ['POST'] }]))
    const reader = await allow('reader', '/graphql/tbl_customer')
    const waiting = await allow('waiting', '/graphql/Client')
    const sees = async (token: string, name: string) => {
      const query = `{ ${name} { edges { node { cust_nm } } } }`
      return (await gateway.request('POST', '/graphql', { token, body: { query } })).body
    }
    const rename = (name: string) =>
      gateway.request('PUT', '/manage/names', { body: { kind: 'table', of: 'tbl_customer', name } })
    const rows = (name: string) => ({ data: { [name]: { edges: [{ node: { cust_nm: 'Ada' } }] } } })

    expect((await rename('Customer')).status).toBe(200)
    expect(await sees(reader, 'Customer')).toEqual(rows('Customer'))
    const later = await allow('later', '/graphql/Customer')
    expect(await sees(later, 'Customer')).toEqual(rows('Customer'))

    const { status, body } = await rename('Client')
    expect([status, (body as { detail: string }).detail]).toEqual([
      409,
      expect.stringContaining(
        'The role "of-waiting" allows /graphql/Client and would get the table "tbl_customer"',
      ),
    ])
    expect(await sees(waiting, 'Customer')).toEqual({})

    expect((await rename('Guest')).status).toBe(200)
    expect(await sees(reader, 'Guest')).toEqual(rows('Guest'))
    expect(await sees(later, 'Guest')).toEqual(rows('Guest'))
    // A GlobalId from before finds its row.
    const id = Buffer.from('tbl_customer_:1').toString('base64')
    expect(
      await gateway.graphql(
        `{ customNode(GlobalId: "${id}") { ... on Guest_ { cust_nm } } Guest(GlobalId: "${id}") { totalCount } }`,
      ),
    ).toEqual({ data: { customNode: { cust_nm: 'Ada' }, Guest: { totalCount: 1 } } })
    // Names that the table had pass to no other one.
    await run(database.options, [
      `create table ${product.name === 'MariaDB' ? '`Customer`' : '"Customer"'} (id int primary key)`,
    ])
    await reload(gateway)
    expect(await sees(later, 'Guest')).toEqual(rows('Guest'))
    expect(JSON.stringify(await sees(later, 'Customer_2'))).toContain('Cannot query field')
    expect(
      (
        await gateway.request(
          'GET',
          '/manage/explain-access?account=later&method=POST&path=/graphql/Customer',
        )
      ).body,
    ).toMatchObject({ allowed: true })
  })
})

async function errorCountOf(gateway: TestGateway, query: string): Promise<number> {
  const { errors = [] } = (await gateway.graphql(query)) as { readonly errors?: readonly unknown[] }
  return errors.length
}
